import type { Channel } from '@carillon/contract/channels'
import type { MessageBody } from '@carillon/contract/conversation-records'
import type { OptOutRequest } from './opt-out-keywords.ts'

/** A new inbound message. */
export type StoredInbound = {
  id: string
  /** The conversation of the author with this sender. */
  conversationId: string
  organizationId: string
  senderId: string
  channel: Channel
  /** Undefined if the channel does not reveal the number. */
  phone: number | undefined
  /** The author as the channel identifies them: the digits of their number, or a business-scoped id. */
  identity: string
  /** Another id of the author, by which they may be known. */
  alias: string | undefined
  sentTo: string
  text: string
  /** Of its content, in the channel's format: `text`, or such as `image` or `reaction`. */
  type: string
  /** What it shows. */
  body: MessageBody
  /** A tap that did something on the phone, or a change of an earlier message: the person wrote nothing. */
  isAction: boolean
  at: Date
  request: OptOutRequest | undefined
  /** The campaign that was replied to. */
  campaignId: string | undefined
}
