import { z } from 'zod'
import { CampaignStatus } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Id } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'

/** A campaign that was active when the backup was taken. */
export const RestoredCampaign = z.object({
  _id: Id,
  name: z.string(),
  /** The organisation it belongs to. */
  organization: z.string(),
  channel: Channel,
  status: CampaignStatus,
  total: z.number(),
  /** Recipients with a result in the backup. */
  done: z.number(),
  /** Handed over without a recorded result; marked unknown. */
  inFlight: z.number(),
  /** Not sent when the backup was taken; they may have been sent after it. */
  waiting: z.number(),
  scheduledAt: z.string().optional(),
})
export type RestoredCampaign = z.infer<typeof RestoredCampaign>

export const SendingState = z.object({
  isPaused: z.boolean(),
  /** Reason for the pause, as one sentence. */
  reason: z.string().optional(),
  pausedAt: z.string().optional(),
  /** Last activity of the senders in the restored database. */
  lastActiveAt: z.string().optional(),
  campaigns: z.array(RestoredCampaign),
  totalCampaigns: z.number(),
  totalPages: z.number(),
  currentPage: z.number(),
})
export type SendingState = z.infer<typeof SendingState>

/** `send`: send the rest, possibly a second time. `cancel`: do not send it. */
export const RestoreDecision = z.enum(['send', 'cancel'])
export type RestoreDecision = z.infer<typeof RestoreDecision>

export const sendingEndpoints = defineEndpoints({
  'sending.state': {
    route: 'GET /api/admin/sending',
    summary: 'Whether sending is paused after a restore, and which campaigns need a decision',
    roles: ['admin'],
    query: PageQuery,
    data: SendingState,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'sending.resume': {
    route: 'POST /api/admin/sending/resume',
    summary: 'Resume sending after a restore, with a decision for each active campaign',
    roles: ['admin'],
    body: z.object({
      campaigns: z
        .array(z.object({ campaignId: Id, decision: RestoreDecision }))
        .max(500)
        .default([]),
      /** Decision for campaigns not listed. */
      others: RestoreDecision.optional(),
    }),
    data: z.object({ cancelled: z.number(), continued: z.number() }),
    fallback: 'Sending could not be resumed.',
    impersonation: false,
    addition: true,
  },
})
