import type { SendWindow } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import type { Check } from '../../../channels/channel.ts'

/** Which ends of the legs before lead to a leg. */
export type Entrance = {
  /** Failure classes, and `not_delivered_in_time`. */
  reasons: string[]
  afterSeconds: number | null
  unless: 'delivered' | 'read'
  /** How long after that end; at once where it is absent. */
  delaySeconds?: number
}

/** What one leg of a campaign will send, frozen: whatever becomes of template, account and rate card. */
export type PlannedLeg = {
  channel: Channel
  senderId: string
  templateId: string
  /** As the channel's `compileLeg` reads it. */
  content: object
  category: string
  country: string
  /** Range of recipients [lo, hi), if not all. */
  range?: { lo: number; hi: number }
  /** How long the provider is to try each message; undefined: until the campaign ends. */
  ttlSeconds?: number | undefined
  /** Ledger units for a part or message. */
  price: number
  billableOn: 'sent' | 'delivered'
  /** What it costs at most. */
  estimated: number
  /** Undefined for the first leg, where all recipients start. */
  entrance?: Entrance
}

/** What a campaign comes to, counted over every real row. */
export type CampaignPlan = {
  people: number
  parts: number
  /** What is set aside: the most that all legs together can cost. */
  cost: number
  checks: Check[]
  /** In the order in which they are walked. */
  legs: PlannedLeg[]
  window: SendWindow | undefined
  expiresAt: string | undefined
  /** Hours within which another campaign's message on the same channel leaves a person out. */
  skipRecentHours: number | null
  /** No more people a day than the sender's limit allows. */
  splitOverDays: boolean
}
