import type { ExpectedSplit } from '@carillon/contract/campaign-drafts'
import type { SkipRecent } from '@carillon/contract/campaign-records'
import type { AbTest } from '@carillon/contract/draft-legs'
import type { Channel } from '@carillon/contract/channels'
import type { Check } from '../../../channels/channel.ts'
import type { Bitmap } from '../../../lib/bitmap.ts'
import type { Groups } from '../ab-tests/draw-groups.ts'
import type { Skipped } from './assign-recipients.ts'
import type { Hours } from '../checks/send-window.ts'

/** Results of earlier legs that lead to this leg. */
export type Entrance = {
  /** Failure classes, and `not_delivered_in_time`. */
  reasons: string[]
  afterSeconds: number | null
  unless: 'delivered' | 'read'
  /** Delay after that result; none if absent. */
  delaySeconds?: number
}

/** The frozen content and terms of one leg: later changes of template, account or rate card have no effect. */
export type PlannedLeg = {
  channel: Channel
  /** Position of its leg in the draft. */
  draftLeg: number
  /** Index of a variant of a test. */
  variant?: number | undefined
  /** For the recipients who get the variant if it is the winner of the test. */
  isRest?: boolean
  /** Recipients who begin with it. */
  starters: number
  senderId: string
  templateId: string
  /** Input of the channel's `compileLeg`. */
  content: object
  category: string
  /** Counts towards the cap on marketing campaigns per person. */
  isPromotion: boolean
  /** Not sent to people who opted out of marketing only. */
  isMarketing: boolean
  country: string
  /** Range of recipients [lo, hi), if not all. */
  range?: { lo: number; hi: number }
  /** Hours in which it sends. */
  window?: Hours | undefined
  /** Validity period of each message; undefined: until the campaign ends. */
  ttlSeconds?: number | undefined
  /** Its provider can revoke messages, and its reports of expiry and delivery may take this long. */
  revokeGraceSeconds?: number | undefined
  /** Ledger units per part or message. */
  price: number
  billableOn: 'sent' | 'delivered'
  /** Maximum cost. */
  estimated: number
  /** Undefined for the first leg, where all recipients start. */
  entrance?: Entrance
  /** Its recipients, if not all of the range. */
  members?: Bitmap | undefined
}

/** The totals of a campaign, counted over every row. */
export type CampaignPlan = {
  people: number
  parts: number
  /** The amount to hold: the maximum that all legs together can cost. */
  cost: number
  checks: Check[]
  /** In the order in which they are walked. */
  legs: PlannedLeg[]
  /** The hours of the first leg, by which its start is planned. */
  window: Hours | undefined
  expiresAt: string | undefined
  /** People who recently got another campaign's message are skipped. */
  skipRecent: SkipRecent | null
  /** People who reached the organisation's cap get it nevertheless. */
  ignoresCap: boolean
  /** The sender's daily limit. */
  splitOverDays: boolean
  /** Messages skipped at the start; `leg` is an index of `legs`. */
  skipped: Skipped[]
  split: ExpectedSplit
  /** Undefined without a test. */
  test: PlannedTest | undefined
}

/** A test with the sizes of its groups. */
export type PlannedTest = Pick<AbTest, 'metric' | 'durationMinutes' | 'autoSend'> & Pick<Groups, 'rest' | 'heldOut'>
