import type { Channel } from '@carillon/contract/channels'
import type { Problem } from '../../../lib/problem.ts'

export type SingleSend = {
  /** By default a new one. */
  id?: string
  organizationId: string
  /** The sending account and its scope. */
  accountId: string
  path: string
  senderId: string
  kind: 'test' | 'api' | 'reply'
  /** The campaign for which it is a test. */
  campaignId?: string
  channel: Channel
  /** E.164, with or without its plus sign; absent if the channel does not reveal it. */
  phoneNumber?: string
  /** The person as the channel identifies them; default: the digits of the number. */
  identity?: string
  header: string
  text: string
  /** Content of a message that is more than text, in its channel's format. */
  content?: { type: string; [field: string]: unknown }
  category: string
  /** Not sent to people who opted out of marketing only; absent: follows from the category. */
  isMarketing?: boolean
  country?: string
  entityId?: string | undefined
  dltTemplateId?: string | undefined
  /** The caller's own reference. */
  reference?: string
  /** The caller's own fields. */
  metadata?: Readonly<Record<string, string>>
  /** When it is sent, if not at once. */
  sendAt?: Date
  /** When the message expires; the default is a day. On channels with a service window, at its end if that is sooner. */
  expiresAt?: Date
  /** It is sent before the other messages of the queue. */
  isUrgent?: boolean
  /** It is sent again if the provider's response is lost, and so may arrive twice. */
  repeatsIfUnanswered?: boolean
  /** What is stored and shown of a message that contains a secret. */
  stored?: { text: string; content?: SingleSend['content'] }
  reply?: SingleReply
  /** Messages to the same person that follow if the one before does not arrive, in their order. */
  legs?: readonly SingleLeg[]
}

export type SingleLeg = { send: SingleSend; entrance: LegEntrance }

/** How the message before has to end. */
export type LegEntrance = {
  /** Failure classes, and `not_delivered_in_time`. */
  reasons: readonly string[]
  /** After this time without the status `unless`; null if only failures count. */
  afterSeconds: number | null
  unless: 'delivered' | 'read'
  /** How long reports of the provider before may take after a message has expired. */
  graceSeconds: number
}

/** What a reply of a member has besides its message. */
export type SingleReply = {
  authorId: string
  /** The account that acts as the author. */
  impersonatedBy: string | undefined
  /** Of two messages of a conversation with the same one, the second is refused. */
  clientId: string | undefined
  /** The provider's id of the message that it answers. */
  inReplyTo: string | undefined
  /** The opt-out after which the person wrote again; a later one prevents the message. */
  optedOutAt: string | undefined
}

export type AcceptedSingle = {
  messageId: string
  parts: number
  /** Ledger units. */
  cost: number
  /** What each further message would cost. */
  legs: { parts: number; /** Ledger units. */ cost: number }[]
}

export type SingleAnswer = { accepted: AcceptedSingle } | { refused: Problem }
