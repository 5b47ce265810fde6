import type { Estimate, RecipientPreview } from '@carillon/contract/campaign-drafts'
import type {
  FailureClass,
  MessagePiece,
  PauseReason,
  SendWindow,
  VariableSource,
} from '@carillon/contract/campaign-records'
import type { MessageBody } from '@carillon/contract/conversation-records'
import type { MessageTraits } from '@carillon/contract/message-traits'
import type { z } from 'zod'
import type { AccountRules, LineRules } from './account-rules.ts'
import type { OutboundMessage } from './provider.ts'
import type { FreeReply, ReplyProblem, ReplyValues, WrittenReply } from './replies.ts'
import type { ReviewRules } from './review-rules.ts'

/** Channel-specific part of an outbound message; providers of the channel define its content. */
export type Rendered = Pick<OutboundMessage, 'parts'>

/** A queued single send. */
export type QueuedSingle = { header: string; text: string; details: Record<string, unknown> }

export type Check = Estimate['checks'][number]

/** A draft's leg with the rows that it refers to. */
export type LoadedLeg = { sender: LegSender; template: LegTemplate; values: unknown }

export type LegSender = {
  id: string
  name: string
  headers: readonly string[]
  isActive: boolean
  /** DLT's principal entity of the account. */
  entityId: string | null
  accountId: string | null
  /** Its provider sends only templates that it approved. */
  reviewsTemplates: boolean
  /** What the provider reports about it. */
  facts: unknown
}

export type LegTemplate = {
  id: string
  name: string
  language: string
  status: string
  category: string
  content: unknown
  senderId: string | null
  accountId: string | null
  /** The provider's id of a reviewed template. */
  externalId: string | null
  facts: unknown
}

/** What is known of a leg before any recipient is read. */
export type PreparedLeg = {
  /** Frozen with the campaign; read by `compileLeg` and `measureLeg`. */
  content: object
  /** The category in rate cards. */
  category: string
  /** Named in the message about a missing price: the channel, and its category where that sets the price. */
  priceName: string
  sources: readonly VariableSource[]
  /** Advertising, which needs the recipients' consent. */
  isPromotion: boolean
  /** Not sent to people who opted out of marketing only. */
  isMarketing: boolean
  /** Operators refuse it outside these hours. */
  operatorHours: SendWindow | undefined
}

/** What a value is used for. */
export type SourceUse = {
  /** Of the variable, for users. */
  name: string
  /** What precedes the value in a button's address. */
  urlPrefix?: string
}

/** One recipient's message, as counted for the review. */
export type Measured = {
  parts: number
  /** Characters, to find the longest message. */
  length: number
  isUnicode: boolean
  /** A value that operators may refuse. */
  problem: 'too_long' | 'unfit' | undefined
  /** The category of this message in rate cards, if messages of a leg may differ; never dearer than the leg's. */
  category?: string
}

/** Totals of a leg over the whole audience, for `checkMessages`. */
export type MessageCount = {
  people: number
  parts: number
  multipart: number
  unicode: number
  missing: number
  tooLong: number
  unfit: number
  /** Two-letter codes of the recipients' countries. */
  countries: readonly string[]
  /** Formats the cost of this many parts in rupees; undefined if countries have different prices. */
  formatCost(parts: number): string | undefined
}

/** One row of an audience, with the names of its columns. */
export type RowValues = { cells: readonly string[]; columns: readonly string[] }

/**
 * A message with its content in the channel's format: of an inbound message as its provider wrote it; of a single send as it was given
 * to `compileSingle`, where a template has its frozen leg under `leg`, and media our file under `fileId`.
 */
export type StoredMessage = { text: string; content: unknown }

/** `text` is the template's own text if a value is missing, since such a message is never sent. */
export type ReadMessage = { text: string; pieces: MessagePiece[] }

/** A failure reason as text, and what to do about it. */
export type FailureAdvice = { title: string; advice: string }

/** A later attempt at the same message, for recipients that the channel accepts again after a while. */
export type RepeatRule = { reason: string; delaySeconds: number }

/** A test message as input of a single send. */
export type TestMessage = {
  header: string
  text: string
  content?: { type: string; [field: string]: unknown }
  entityId?: string | undefined
  dltTemplateId?: string | undefined
}

/** The rules of one channel, without I/O. */
export type ServerChannel = {
  /** Its name on screens and in texts. */
  label: string
  /** Whether the channel is on for organisations that have not configured it. */
  isOnByDefault: boolean
  accounts: AccountRules
  lines?: LineRules
  review?: ReviewRules
  /** The noun for its sender within a sentence. */
  senderName: string
  /** The same as the heading of a report. */
  senderHeading: string
  /** Whether the name that recipients see is part of the template; otherwise it is the sender's first header. */
  isHeaderOfTemplate: boolean
  /** The error text if a draft has no sender. */
  chooseSender: string
  /** Where the variables of a draft's leg get their values; parsed when a draft is saved. */
  values: z.ZodType
  /** Whether its providers accept a validity period; if not, a later leg takes over after that time. */
  acceptsTtl: boolean
  /** Its providers may know which numbers can receive its messages. */
  checksReach: boolean
  /** Its providers limit how many people a sender may message first per day. */
  hasDailyLimit: boolean
  /** Ids of our files that a leg's values refer to. */
  fileIds(values: unknown): string[]
  /** The values of a leg with each source replaced. */
  mapSources(
    leg: Pick<LoadedLeg, 'template' | 'values'>,
    change: (source: VariableSource, use: SourceUse) => VariableSource,
  ): unknown
  /** Throws when a row is not of this channel. */
  prepareLeg(
    leg: Omit<LoadedLeg, 'sender'> & { sender: Pick<LegSender, 'entityId' | 'reviewsTemplates'> | undefined },
  ): PreparedLeg
  /** What a template consists of, to compare it with templates of other channels; absent if it cannot be in a family. */
  summarize?(template: Pick<LegTemplate, 'content' | 'category'>): MessageTraits
  /** The message of one row as text, from the frozen content of a campaign's leg. */
  readLeg(content: unknown, row: RowValues): ReadMessage
  /** What a message shows. Content that is not understood is shown as its text, because people may send anything. */
  readBody(message: StoredMessage): MessageBody
  /** What the message of one row shows, from the frozen content of a campaign's leg. */
  readLegBody(content: unknown, row: RowValues): MessageBody
  /** The text of frozen content that has no `body`, with its variables; absent if all content of the channel has one. */
  textOfLeg?(content: unknown): string
  /** Default names of the variables in a template's body, in order of appearance. */
  listVariables(body: string): string[]
  /** The encoding is set only if messages are divided into parts. */
  countParts(text: string): { parts: number; encoding?: RecipientPreview['encoding'] }
  /** Measures the message of one row; undefined if a variable has no value. */
  measureLeg(content: object): (cells: readonly string[]) => Measured | undefined
  checkSender(leg: LoadedLeg): Check[]
  checkTemplate(leg: LoadedLeg, context: { countries: readonly string[] }): Check[]
  checkMessages(leg: LoadedLeg, count: MessageCount): Check[]
  repeats(leg: Pick<PreparedLeg, 'category'>): RepeatRule[]
  /** Why recipients wait for a repeat, as a clause; undefined where nothing is repeated. */
  waitingReason: string | undefined
  /** Advice for failures that differs from the general advice. */
  advice: Partial<Record<FailureClass, FailureAdvice>>
  /** Failures that another attempt cannot change, in addition to those of every channel. */
  permanentFailures: readonly FailureClass[]
  /** Texts for pause reasons that are specific to the channel. */
  pauseTexts: Partial<Record<PauseReason, string>>
  /** The test message of one row, or why there is none. */
  writeTest(leg: LoadedLeg, cells: readonly string[]): TestMessage | { problem: string }
  /**
   * Reads the frozen content of a campaign's leg once. The returned function renders the message of one row; undefined if a
   * variable has no value. Throws if the content is of another channel.
   */
  compileLeg(content: unknown): (cells: readonly string[]) => Rendered | undefined
  compileSingle(single: QueuedSingle): Rendered
  /** A member's reply in the channel's format, or why it cannot be sent. */
  composeReply(
    reply: FreeReply,
    context: { /** Of this installation, for channels that send addresses of files. */ publicUrl: string },
  ): WrittenReply | ReplyProblem
  /** The values of a template's leg from values by name. */
  replyValues(template: Pick<LegTemplate, 'content' | 'facts'>, values: Readonly<Record<string, string>>): ReplyValues
  /** The categories of texts without a template that a sender can choose; absent if texts have none. */
  textCategories?: Readonly<Record<string, { isMarketing: boolean }>>
  /** The category of messages that cost nothing unless a rate card has a price for it. */
  freeCategory?: string
  /** The country of a person without a visible number. */
  countryOf?(identity: string): string | undefined
}

export const pass = (id: string, title: string, detail: string): Check => ({ id, level: 'pass', title, detail })
export const advice = (id: string, title: string, detail: string): Check => ({ id, level: 'advice', title, detail })
export const blocker = (id: string, title: string, detail: string): Check => ({ id, level: 'blocker', title, detail })

/** A number of rows at the beginning of a sentence. */
export function countRowsOf(count: number): string {
  return count === 1 ? 'One row' : `${formatCount(count)} rows`
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-IN')
}
