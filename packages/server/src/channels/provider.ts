import type { Channel } from '@carillon/contract/channels'
import type { FailureClass } from '@carillon/contract/campaign-records'
import type { z } from 'zod'
import type { Egress } from '../egress/egress.ts'
import type { Clock } from '../lib/clock.ts'
import type { ManagedFile, Management, Partner, SignUp, SignUpApp } from './management.ts'

/**
 * The fields of a message that the engine needs. Other fields (a text, a template with its values) are defined by the channel,
 * set by `compileLeg` and `compileSingle`, and passed on unchanged.
 */
export type OutboundMessage = {
  /** Our id of the message, the same for every attempt; sent as client reference if the provider accepts one. */
  reference: string
  /** E.164 with plus sign, or the id by which the channel knows a person without a visible number. */
  to: string
  /** Units for rate and price: the parts of a text, or 1 on channels that count whole messages. */
  parts: number
  /** The message must not be delivered after this instant. */
  expiresAt: Date
  /** Validity period from acceptance by the provider, never beyond `expiresAt`; undefined: the account’s setting, or until then. */
  ttlSeconds?: number | undefined
}

/**
 * The outcome of handing over a message. A closed union, because the retry policy handles each case. A lost response is
 * `unknown`, never `rejected`: the provider may have accepted the message.
 */
export type SendOutcome =
  | { kind: 'accepted'; /** One id for each part that the provider reports on. */ providerMessageIds: string[] }
  | {
      kind: 'rejected'
      reason: FailureClass
      code: string
      detail: string
      /** What cannot be sent: this message only, or anything of the sender. */ scope: 'message' | 'sender'
    }
  | {
      kind: 'retry'
      afterMs: number
      reason: FailureClass
      code: string
      detail: string
      /** The operator asks us to slow down. */ throttled: boolean
      /** How long the provider accepts no messages; absent if it does not say. */ pauseMs?: number
    }
  | { kind: 'unknown'; code: string; detail: string }

/** How a delivery report writes a message id, compared with the response to the submit. */
export type IdReading = 'same' | 'decimal' | 'hexadecimal'

/** Distinguishes messages with reused ids: the provider numbers them, and restarts at 1 after a restart or each day. */
export type ReportMatch = {
  /** One for each of `providerMessageIds`, the most specific first. */
  readings: IdReading[]
  /** The recipient's number as the provider writes it; several if it may be in several fields. */
  numbers: string[]
  /** When the provider accepted the message, by its own clock. */
  submittedAt?: Date
  /** Its times have no zone and were parsed with the account's time zone setting. */
  isLocalTime: boolean
}

/** The provider's statement about a message. */
export type DeliveryReport = {
  kind: 'delivery-report'
  /** As in the response to the submit. Several if the report may use another base: only one of them is right. */
  providerMessageIds: string[]
  /** Absent if ids are never reused. */
  match?: ReportMatch
  /** Our reference, if the provider returns it. */
  reference?: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  reason?: FailureClass
  code?: string
  detail?: string
  at: Date
}

/** A message from a person. */
export type InboundMessage = {
  kind: 'inbound-message'
  /** Digits or E.164, as the provider writes it. */
  from: string
  to: string
  text: string
  /** Content other than plain text: media, a location, a tapped button. In the channel's format. */
  content?: { type: string; [field: string]: unknown }
  /** A tap that did something on the phone, such as opening a URL, or a change of an earlier message: the person wrote nothing. */
  isAction?: boolean
  /** Provider id of our message that it replies to. */
  inReplyTo?: string
  /** The author, if the provider gives no number, and their name. */
  identity?: { id: string; /** Another id of the same person. */ alias?: string; name?: string; username?: string }
  /** The provider's id, or a hash of the text if there is none: a repeated delivery is stored once. */
  dedupeKey: string
  /** It has neither an id nor a time, so a repeat may be a new message with the same text. */
  isNameless?: boolean
  at: Date
}

/** A reviewed template has changed at the provider. */
export type TemplateChange = {
  kind: 'template-change'
  /** The provider's id; if empty, name and language identify the template. */
  templateId: string
  name: string
  language: string
  /** Only the changed fields. */
  status?: string
  quality?: 'green' | 'yellow' | 'red' | 'unknown'
  category?: string
  /** The provider's reason code and explanation. */
  reason?: string
  detail?: string
  at: Date
}

/** The quality, limit, name or restriction of a line or account has changed, so it must be read again. */
export type AccountChange = { kind: 'account-change'; detail: string; at: Date }

/** A person stopped or resumed marketing messages of this business in the provider's own app. */
export type PreferenceChange = { kind: 'preference-change'; from: string; wantsNone: boolean; at: Date }

/** An event without a consequence, or of a type that is newer than this program: stored for the record. */
export type Notice = { kind: 'notice'; at: Date }

export type ProviderEvent = (
  | DeliveryReport
  | InboundMessage
  | TemplateChange
  | AccountChange
  | PreferenceChange
  | Notice
) & {
  /** The raw payload. */
  raw: string
  /** Provider id of the line concerned; absent if the account has one line, or if all are concerned. */
  lineId?: string
}

/** The result of a connection attempt with an account's settings; with the provider's own message if it was refused. */
export type Probe = { isConnected: true } | { isConnected: false; code: string; message: string }

/** What the engine provides to a session. */
export type ProviderIo = {
  clock: Clock
  /** The only way to make outgoing connections. */
  egress: Egress
  /** Settings of the whole installation that a provider needs, decrypted; undefined if there are none. Cached for seconds. */
  readInstallationSettings(key: string): Promise<unknown>
  /** Resolves once the events are stored; only then is the provider's request acknowledged. A rejection asks for a repeat. */
  onEvents(events: ProviderEvent[]): Promise<void>
  /** The connection state, shown to users, has changed. */
  onState(state: SessionState): void
  /** The account's callback URL. */
  callbackUrl: string
  /** Provider id of the line that this session sends from, if the account has several. */
  lineId?: string
  /** A file of the organisation, for content that refers to it. Throws if it is gone. */
  readFile?(fileId: string): Promise<ManagedFile>
}

/** What the engine provides to calls besides sending. */
export type ProviderCallIo = Pick<ProviderIo, 'clock' | 'egress' | 'readInstallationSettings'>

export type SessionState = {
  /** At least one connection can carry messages. */
  ready: boolean
  binds: { name: string; status: 'connecting' | 'bound' | 'closed' | 'refused'; since: Date; inFlight: number }[]
  lastError: { message: string; code: string; at: Date } | undefined
}

export type OnOutcome = (index: number, outcome: SendOutcome) => void

/** A message to revoke. */
export type RevokeRequest = {
  reference: string
  providerMessageId: string
  /** E.164 with plus sign. */
  to: string
}

/**
 * The outcome of asking the provider to revoke a message, so that it is not delivered any more. Asking again is harmless; a lost
 * response is `retry`.
 */
export type RevokeOutcome =
  /** The provider accepted the request. It does not say whether the message was delivered before. */
  | { kind: 'requested' }
  /** There is nothing to revoke: the message was delivered already, or was never accepted. */
  | { kind: 'not_found' }
  | { kind: 'retry'; afterMs: number; code: string; detail: string }
  | { kind: 'refused'; code: string; detail: string }

export type OnRevoked = (index: number, outcome: RevokeOutcome) => void

export type SendOptions = { /** Sent before other messages that wait in the session. */ isUrgent?: boolean }

export type Session<Message extends OutboundMessage = OutboundMessage> = {
  /**
   * Reports one outcome for each message, by its index in the batch, as soon as it is known, so a slow response delays no
   * other. Never throws: errors are outcomes.
   */
  send(batch: readonly Message[], onOutcome: OnOutcome, options?: SendOptions): void
  /** Asks the provider to revoke messages; reports outcomes as `send` does. Absent if the provider cannot. */
  revoke?(batch: readonly RevokeRequest[], onRevoked: OnRevoked): void
  state(): SessionState
  /**
   * Maximum useful number of messages handed over and not answered: those in flight, and those that a session keeps ready behind
   * them. They are in doubt after a crash.
   */
  window: number
  /** Accepts nothing new, waits for responses in flight for at most `graceMs`, then disconnects. */
  close(graceMs: number): Promise<void>
}

export type WebhookRequest = {
  method: string
  /** The part of the path after the account's callback URL: 'report' or 'inbound'. */
  action: string
  /** The URL as the provider called it, for signatures that cover it. */
  url: string
  headers: Record<string, string | undefined>
  query: Record<string, string>
  rawBody: Buffer
}

/** The events of a callback, and the response to send once they are stored. */
export type WebhookResult =
  | {
      kind: 'events'
      events: ProviderEvent[]
      reply: { status: number; contentType: string; body: string }
      /** The provider verified the callback URL. */ isHandshake?: boolean
    }
  | { kind: 'refused'; status: 400 | 401 | 403 | 503; message: string }

export type ProviderPreset<Config> = { name: string; label: string; config: Partial<Config> }

/** Carries messages of a channel. Knows the protocol and nothing else. */
export type Provider<Config, Message extends OutboundMessage = OutboundMessage> = {
  channel: Channel
  name: string
  label: string
  description: string
  /**
   * Schema of its settings, from which the form is built. A field marked `secret: true` is encrypted and never returned; one
   * marked `destination: true` determines where the secrets are sent, so they must be entered again when it changes.
   */
  config: z.ZodType<Config>
  presets: ProviderPreset<Config>[]
  /** The provider's id of the account, if its settings contain it; messages and templates name the account by it. */
  externalIdOf?(config: Config): string
  /** Only templates that it approved can be sent; absent: templates are not reviewed, or the account's lines decide. */
  reviewsTemplates?: boolean
  /** Its messages have no validity period, although others of the channel have: a later leg takes over after that time. */
  ignoresTtl?: boolean
  /** Whether the provider recognises a repeat by its reference: then a message whose response was lost may be sent again. */
  idempotent(config: Config): boolean
  /**
   * The provider's id of a message, if it follows from our reference: then reports are matched with messages whose response was
   * lost, and these can be revoked.
   */
  messageIdOf?(reference: string): string
  /** Messages can be revoked until they are delivered (`Session.revoke`). */
  revokes?: {
    /** How long reports of expiry and delivery may take: the engine waits as long before it revokes, and after the response. */
    graceSeconds: number
  }
  connect(config: Config, io: ProviderIo): Session<Message>
  /** Tests the settings within seconds, without sending a message. */
  probe?(config: Config, io: ProviderCallIo): Promise<Probe>
  /** Calls besides sending, if the provider has any. */
  manage?(config: Config, io: ProviderCallIo): Management
  /** The installation's own account, with the settings as stored or entered. Throws a `Refusal` if they are missing or unfit. */
  partner?(settings: unknown, io: ProviderCallIo): Partner
  /** The provider's own sign-up window, if it has one. */
  signUp?(app: SignUpApp, io: ProviderCallIo): SignUp
  /** Parses a callback: bytes in, events out, without side effects. */
  webhook?(request: WebhookRequest, config: Config): WebhookResult
}
