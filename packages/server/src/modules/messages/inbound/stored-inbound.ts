import type { Channel } from '@carillon/contract/channels'
import type { OptOutRequest } from './opt-out-keywords.ts'

/** A new inbound message. */
export type StoredInbound = {
  id: string
  organizationId: string
  senderId: string
  channel: Channel
  /** Undefined if the channel does not reveal the number. */
  phone: number | undefined
  /** The author as the channel identifies them: the digits of their number, or a business-scoped id. */
  identity: string
  sentTo: string
  text: string
  at: Date
  request: OptOutRequest | undefined
  /** The campaign that was replied to. */
  campaignId: string | undefined
}
