import type { Channel } from '@carillon/contract/channels'
import type { OptOutWish } from './opt-out-keywords.ts'

/** A message that came in and was not known before. */
export type StoredInbound = {
  id: string
  organizationId: string
  senderId: string
  channel: Channel
  /** Undefined if the channel does not reveal the number. */
  phone: number | undefined
  /** Who wrote, as the channel knows him: his number's digits, or an id of the business's own. */
  identity: string
  sentTo: string
  text: string
  at: Date
  wish: OptOutWish | undefined
  /** The campaign that was replied to. */
  campaignId: string | undefined
}
