import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, IdPath, Instant } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'

/** A reply to a campaign. */
export const Reply = z.object({
  _id: Id,
  channel: Channel,
  phoneNumber: z.string(),
  /** Empty for media without text. */
  text: z.string(),
  at: Instant,
  /** Whether the person is currently opted out of this channel. */
  optedOut: z.boolean(),
})
export type Reply = z.infer<typeof Reply>

const ReplyFilter = z.object({
  /** Digits of the number, or words of the text. */
  search: z.string().trim().max(80).optional(),
})

const replyRoles = ['user', 'manager'] as const
const required = { id: 'Campaign ID is required' }

export const replyEndpoints = defineEndpoints({
  'replies.list': {
    route: 'GET /api/v1/campaigns/{id}/replies',
    summary: 'Replies to a campaign, newest first',
    roles: replyRoles,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    query: PageQuery.extend(ReplyFilter.shape),
    data: z.object({ replies: z.array(Reply), total: z.number(), totalPages: z.number(), currentPage: z.number() }),
    fallback: 'Failed to fetch campaigns',
    required,
    addition: true,
  },
  'replies.csv': {
    route: 'GET /api/v1/campaigns/{id}/replies/csv',
    summary: 'The same replies as CSV',
    roles: replyRoles,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    query: ReplyFilter,
    data: 'file',
    fallback: 'Failed to download report',
    required,
    addition: true,
  },
})
