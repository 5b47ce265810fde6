import { z } from 'zod'
import { AbMetric } from './ab-tests.ts'
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

/** A test of several first messages on part of the recipients; the others get the best of them. */
export const AbTest = z
  .object({
    /** A disabled test keeps its choices. */
    isEnabled: z.boolean().default(true),
    /** Alternatives to the first message of the draft, without entry conditions. */
    variants: z.array(DraftLeg).min(1, 'Add another message to compare').max(3, 'At most four messages'),
    /** Share of the recipients who are in the test, divided evenly among the variants. 100: everyone not held out. */
    samplePercent: z.number().int().min(1, 'At least 1 %').max(100, 'At most 100 %').default(20),
    /** Share of the recipients who get no message, for comparison. */
    holdoutPercent: z.number().int().min(0).max(50, 'At most half').default(0),
    metric: AbMetric.default('delivered'),
    /** From the start of the campaign to the decision. */
    durationMinutes: z.number().int().min(5, 'At least five minutes').max(10_080, 'At most a week').default(240),
    /** A certain winner is sent without asking. */
    autoSend: z.boolean().default(true),
  })
  .refine(({ samplePercent, holdoutPercent }) => samplePercent + holdoutPercent <= 100, {
    message: 'Test and control group together are more than everyone',
    path: ['samplePercent'],
  })
export type AbTest = z.infer<typeof AbTest>

/** The draft of a campaign, the same for every channel. The calls of one channel translate their body into it. */
export const CampaignDraft = DraftBasics.extend({
  /** Made in the wizard for several channels, whose order can still be changed. */
  isUnified: z.boolean().default(false),
  /** Recipients above the daily limit of the first sender are sent to on the following days. */
  splitOverDays: z.boolean().default(false),
  legs: z.tuple([DraftLeg], DraftLeg).refine((legs) => legs.length <= mostLegs, `At most ${mostLegs} messages`),
  abTest: AbTest.nullable().default(null),
})
export type CampaignDraft = z.infer<typeof CampaignDraft>
