import type { SendWindow } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import type { Check } from '../../../channels/channel.ts'

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
  senderId: string
  templateId: string
  /** Input of the channel's `compileLeg`. */
  content: object
  category: string
  /** Not sent to people who opted out of marketing only. */
  isMarketing: boolean
  country: string
  /** Range of recipients [lo, hi), if not all. */
  range?: { lo: number; hi: number }
  /** Validity period of each message; undefined: until the campaign ends. */
  ttlSeconds?: number | undefined
  /** Ledger units per part or message. */
  price: number
  billableOn: 'sent' | 'delivered'
  /** Maximum cost. */
  estimated: number
  /** Undefined for the first leg, where all recipients start. */
  entrance?: Entrance
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
  window: SendWindow | undefined
  expiresAt: string | undefined
  /** People who got another campaign's message on the same channel within this many hours are skipped. */
  skipRecentHours: number | null
  /** The sender's daily limit. */
  splitOverDays: boolean
}
