import { z } from 'zod'
import { CampaignResponse, MessagePiece, MessageStatus } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Id, IdPath, Instant, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'

/** A message to a number, sent by a campaign or individually. */
export const NumberMessage = CampaignResponse.extend({
  campaignId: Id.nullable(),
  campaignName: z.string(),
  channel: Channel,
  header: z.string(),
  text: z.string(),
  /** The text in pieces. */
  pieces: z.array(MessagePiece),
})
export type NumberMessage = z.infer<typeof NumberMessage>

export const MessageRecord = z.object({
  _id: Id,
  /** Absent if the channel does not reveal it. */
  phoneNumber: z.string().optional(),
  status: MessageStatus,
  reason: z.string().optional(),
  detail: z.string().optional(),
  parts: z.number(),
  cost: Rupees,
  sentAt: z.string().optional(),
  deliveredAt: z.string().optional(),
})
export type MessageRecord = z.infer<typeof MessageRecord>

export const messageEndpoints = defineEndpoints({
  'messages.byNumber': {
    route: 'GET /api/messages/number/{number}',
    summary: 'The messages of one phone number, newest first',
    roles: anyRole,
    module: 'campaign',
    scope: 'messages:read',
    path: z.object({ number: z.string().regex(/^\+?\d{7,15}$/, 'Enter the number with its country code') }),
    query: z.object({ from: Instant.optional(), limit: z.coerce.number().int().min(1).max(100).default(50) }),
    data: z.object({ messages: z.array(NumberMessage), optedOutAt: z.string().nullable() }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'messages.get': {
    route: 'GET /api/messages/{id}',
    summary: 'The status of a single message, such as a test',
    roles: ['user', 'manager', 'department_head'],
    scope: 'messages:read',
    path: IdPath,
    data: MessageRecord,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
