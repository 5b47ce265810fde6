import type { Channel } from '@carillon/contract/channels'
import type { FailureClass } from '@carillon/contract/campaign-records'
import type { z } from 'zod'
import type { Egress } from '../egress/egress.ts'
import type { Clock } from '../lib/clock.ts'
import type { Management, SignUp, SignUpApp } from './management.ts'

/**
 * One message as the engine knows it. What else a provider needs of it (a text, a template with its values) is the channel's
 * own, made by its `compileLeg` and `compileSingle`, and passes through the engine unread.
 */
export type OutboundMessage = {
  /** Ours, the same for every attempt at this message; the client reference where the provider takes one. */
  reference: string
  /** E.164 with its plus sign. */
  to: string
  /** What it counts for at the rate and in the price: the parts of a text, 1 where messages are counted whole. */
  parts: number
  /** Not worth delivering after this instant. */
  expiresAt: Date
  /** How long the provider is to try, from when it takes the message; undefined: as its account is set, or until `expiresAt`. */
  ttlSeconds?: number | undefined
}

/**
 * What became of handing a message over. The union is closed because the retry policy reads it.
 * A lost answer is `unknown`, never a refusal: the provider may have taken the message.
 */
export type SendOutcome =
  | { kind: 'accepted'; /** One id for each part that the provider reports on. */ providerMessageIds: string[] }
  | {
      kind: 'rejected'
      reason: FailureClass
      code: string
      detail: string
      /** What must stop: nothing else, or the whole lane. */ scope: 'message' | 'sender'
    }
  | {
      kind: 'retry'
      afterMs: number
      reason: FailureClass
      code: string
      detail: string
      /** The operator asks us to slow down. */ throttled: boolean
      /** How long the provider wants no messages at all; absent where it does not say. */ pauseMs?: number
    }
  | { kind: 'unknown'; code: string; detail: string }

/** How a delivery report writes a message id, compared with the answer to the submit. */
export type IdReading = 'same' | 'decimal' | 'hexadecimal'

/** Distinguishes messages with reused ids: the provider numbers them, and restarts at 1 after a restart or each day. */
export type ReportMatch = {
  /** One for each of `providerMessageIds`, the narrowest first. */
  readings: IdReading[]
  /** The recipient's number as the provider writes it; several if it may be in several fields. */
  numbers: string[]
  /** When the provider took the message, by its own clock. */
  submittedAt?: Date
  /** Its times have no zone: they were read with the account's setting. */
  isLocalTime: boolean
}

/** The provider's word on a message's fate. */
export type DeliveryReport = {
  kind: 'delivery-report'
  /** As the submit answered it. Several where the report may write it in another base: only one of them is right. */
  providerMessageIds: string[]
  /** Absent where an id names one message for ever. */
  match?: ReportMatch
  /** Our own reference, where the provider echoes it. */
  reference?: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  reason?: FailureClass
  code?: string
  detail?: string
  at: Date
}

/** A message a person wrote to us. */
export type InboundMessage = {
  kind: 'inbound-message'
  /** Digits or E.164, as the provider writes it. */
  from: string
  to: string
  text: string
  /** What else it holds, where it is no plain text: media, a place, a tapped button. As the channel writes it. */
  content?: { type: string; [field: string]: unknown }
  /** Our message that it answers, by the provider's id. */
  inReplyTo?: string
  /** Who wrote where the provider gives no number, and under which name. */
  identity?: { id: string; name?: string; username?: string }
  /** The provider's id, or a hash of the words when it gives none: the same words delivered twice are stored once. */
  dedupeKey: string
  /** It has neither an id nor a time: what looks like a repeat may be a second thought. */
  isNameless?: boolean
  at: Date
}

/** What became of a template that was given to the provider. */
export type TemplateChange = {
  kind: 'template-change'
  /** The provider's id; name and language where it names no id. */
  templateId: string
  name: string
  language: string
  /** Only what changed. */
  status?: string
  quality?: 'green' | 'yellow' | 'red' | 'unknown'
  category?: string
  /** The provider's own word for why, and what it says about it. */
  reason?: string
  detail?: string
  at: Date
}

/** The quality, limit, name or restriction of a line or account has changed, so it must be read again. */
export type AccountChange = { kind: 'account-change'; /** In words. */ detail: string; at: Date }

/** A person asked this business for no more advertising, or for it again, in the provider's own app. */
export type PreferenceChange = { kind: 'preference-change'; from: string; wantsNone: boolean; at: Date }

export type ProviderEvent = (DeliveryReport | InboundMessage | TemplateChange | AccountChange | PreferenceChange) & {
  /** The provider's raw words. */
  raw: string
  /** Which of the account's lines it is about, by the provider's id; absent where an account has one, or for all of them. */
  lineId?: string
}

/** What came of an attempt to connect with an account's settings, in the provider's words where it refused. */
export type Probe = { isConnected: true } | { isConnected: false; code: string; message: string }

/** What the engine lends a session. */
export type ProviderIo = {
  clock: Clock
  /** The only way out. */
  egress: Egress
  /** Resolves once the events are stored; the provider is answered only then. Rejects: ask for a repeat. */
  onEvents(events: ProviderEvent[]): Promise<void>
  /** Something changed that a person watching the connection wants to see. */
  onState(state: SessionState): void
  /** Where the provider posts its callbacks for this account. */
  callbackUrl: string
  /** The line that this session sends from, by the provider's id, where an account has several. */
  lineId?: string
}

export type SessionState = {
  /** At least one connection can carry messages. */
  ready: boolean
  binds: { name: string; status: 'connecting' | 'bound' | 'closed' | 'refused'; since: Date; inFlight: number }[]
  lastError: { message: string; code: string; at: Date } | undefined
}

export type OnOutcome = (index: number, outcome: SendOutcome) => void

export type Session<Message extends OutboundMessage = OutboundMessage> = {
  /**
   * Reports one outcome for each message, by its index in the batch, as it becomes known: a slow answer delays no other.
   * Never throws: whatever goes wrong is an outcome.
   */
  send(batch: readonly Message[], onOutcome: OnOutcome): void
  state(): SessionState
  /** How many messages it can usefully have in flight at once. */
  window: number
  /** Takes nothing new, waits for answers in flight for at most `graceMs`, then leaves. */
  close(graceMs: number): Promise<void>
}

export type WebhookRequest = {
  method: string
  /** The part of the path behind the account's callback address: 'report' or 'inbound'. */
  action: string
  /** The address as the provider called it, for signatures over it. */
  url: string
  headers: Record<string, string | undefined>
  query: Record<string, string>
  rawBody: Buffer
}

/** What a callback says, and how the provider wants to be answered after the events are stored. */
export type WebhookResult =
  | { kind: 'events'; events: ProviderEvent[]; reply: { status: number; contentType: string; body: string } }
  | { kind: 'refused'; status: 400 | 401 | 403 | 503; message: string }

export type ProviderPreset<Config> = { name: string; label: string; config: Partial<Config> }

/** Who carries messages of a channel: knows the wire and nothing else. */
export type Provider<Config, Message extends OutboundMessage = OutboundMessage> = {
  channel: Channel
  name: string
  label: string
  description: string
  /**
   * Its settings; also draws the set-up form. A field marked `secret: true` in its metadata is encrypted and never comes
   * back; one marked `destination: true` says where the secrets go, so that they are asked for again when it changes.
   */
  config: z.ZodType<Config>
  presets: ProviderPreset<Config>[]
  /** Whether a repeat under the same reference is harmless at the provider: then a lost answer may be tried again. */
  idempotent(config: Config): boolean
  connect(config: Config, io: ProviderIo): Session<Message>
  /** Tries the settings out, within seconds and without a message to anybody. */
  probe?(config: Config, io: Pick<ProviderIo, 'egress' | 'clock'>): Promise<Probe>
  /** What its account holds besides messages, where it holds such things. */
  manage?(config: Config, io: Pick<ProviderIo, 'egress' | 'clock'>): Management
  /** Where customers may choose in its own windows what to connect. */
  signUp?(app: SignUpApp, io: Pick<ProviderIo, 'egress' | 'clock'>): SignUp
  /** Bytes in, events out; touches nothing. */
  webhook?(request: WebhookRequest, config: Config): WebhookResult
}
