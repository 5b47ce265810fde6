import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, Rupees } from './common.ts'

/**
 * What the variants of a test are compared by. All but the last are shares of the people who began with a variant; the best has the
 * largest. `cost_per_reply`: the best has the smallest.
 */
export const AbMetric = z.enum(['delivered', 'read', 'clicked', 'replied', 'cost_per_reply'])
export type AbMetric = z.infer<typeof AbMetric>

/**
 * `none`: no test, or not started. `awaiting_winner`: the time is over and a person must choose. `winner_sending`: the other recipients
 * get the winner, or have got it.
 */
export const AbPhase = z.enum(['none', 'testing', 'awaiting_winner', 'winner_sending'])
export type AbPhase = z.infer<typeof AbPhase>

/** Index of a variant: 0 is the first message of the campaign. */
export const VariantIndex = z.number().int().min(0).max(3)

/** One variant with the results of its people in the test. */
export const VariantResult = z.object({
  variant: VariantIndex,
  /** Position in lists of legs. */
  leg: z.number().int(),
  channel: Channel,
  senderName: z.string(),
  templateName: z.string(),
  /** Recipients who begin with it in the test. */
  people: z.number().int(),
  sent: z.number(),
  /** Includes read ones. */
  delivered: z.number(),
  read: z.number(),
  clicked: z.number(),
  replied: z.number(),
  /** Charges less refunds. */
  cost: Rupees,
  /** The metric: a share from 0 to 1, or rupees per reply; null without people or replies. */
  value: z.number().nullable(),
})
export type VariantResult = z.infer<typeof VariantResult>

/** The test of a campaign. Results are current until the winner is chosen, then those of that moment. */
export const AbReport = z.object({
  phase: AbPhase,
  metric: AbMetric,
  /** Whether a certain winner is sent without asking. */
  autoSend: z.boolean(),
  variants: z.array(VariantResult),
  /** Recipients who get the winner; 0 if all are in the test. */
  rest: z.number().int(),
  /** Recipients who get no message, for comparison. */
  heldOut: z.number().int(),
  /** The variant with the best value; null without any value. */
  leader: VariantIndex.nullable(),
  /** Whether the leader is better than every other variant with a confidence of 95 %. */
  isCertain: z.boolean(),
  /** When the winner is chosen; null before the start. */
  decidesAt: z.string().nullable(),
  /** When recipients without a message are no longer sent one; null before the start. */
  endsAt: z.string().nullable(),
  winner: VariantIndex.nullable(),
  decidedAt: z.string().nullable(),
  /** Who chose the winner; absent if the results did. */
  decidedBy: z.string().optional(),
})
export type AbReport = z.infer<typeof AbReport>

export const ChosenWinner = z.object({ variant: VariantIndex })
export const WinnerChosen = z.object({ _id: Id, winner: VariantIndex })
