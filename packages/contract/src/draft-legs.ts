import { z } from 'zod'
import { DraftBasics, SendWindow } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Id } from './common.ts'

/** A condition for sending the next leg. With several, the first match applies. */
export const FailoverCondition = z.object({
  type: z.enum([
    'not_reachable_on_channel',
    'provider_rejected',
    'failed',
    'undelivered_after',
    'unread_after',
    'frequency_capped',
    'template_unavailable',
    'no_consent_on_channel',
  ]),
  /** For `undelivered_after` and `unread_after`. */
  afterSeconds: z.number().int().min(30, 'At least 30 seconds').max(259_200, 'At most three days').optional(),
})
export type FailoverCondition = z.infer<typeof FailoverCondition>

/** One message of a campaign: its channel, sender, template and entry conditions. */
export const DraftLeg = z.object({
  channel: Channel,
  senderId: Id.nullable(),
  templateId: Id.nullable(),
  /** Sources of the template variables, in the shape of the channel. */
  values: z.unknown().default({}),
  /** A disabled leg keeps its choices and is not sent. */
  isEnabled: z.boolean().default(true),
  /** Outcomes of the previous leg that send this one. Empty for the first leg. */
  entryConditions: z.array(FailoverCondition).max(8).default([]),
  /** How long the provider tries to deliver, in seconds. Absent: until the campaign expires. */
  ttlSeconds: z.number().int().min(60, 'At least a minute').max(172_800, 'At most two days').optional(),
  /** Hours of this message. Absent: those of the campaign. */
  sendWindow: SendWindow.optional(),
})
export type DraftLeg = z.infer<typeof DraftLeg>

const mostLegs = Channel.options.length

/** The draft of a campaign, the same for every channel. The calls of one channel translate their body into it. */
export const CampaignDraft = DraftBasics.extend({
  /** Made in the wizard for several channels, whose order can still be changed. */
  isUnified: z.boolean().default(false),
  /** Recipients above the daily limit of the first sender are sent to on the following days. */
  splitOverDays: z.boolean().default(false),
  legs: z.tuple([DraftLeg], DraftLeg).refine((legs) => legs.length <= mostLegs, `At most ${mostLegs} messages`),
})
export type CampaignDraft = z.infer<typeof CampaignDraft>
