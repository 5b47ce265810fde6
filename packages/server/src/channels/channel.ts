import type { Estimate, RecipientPreview } from '@carillon/contract/campaign-drafts'
import type {
  FailureClass,
  MessagePiece,
  PauseReason,
  SendWindow,
  VariableSource,
} from '@carillon/contract/campaign-records'
import type { z } from 'zod'
import type { AccountRules, LineRules } from './account-rules.ts'
import type { OutboundMessage } from './provider.ts'
import type { ReviewRules } from './review-rules.ts'

/** Channel-specific part of an outbound message; providers of the channel define its content. */
export type Rendered = Pick<OutboundMessage, 'parts'>

/** A single send as it waits in its queue. */
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
  /** What the provider says about it. */
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
  facts: unknown
}

/** What a leg comes to before any recipient is looked at. */
export type PreparedLeg = {
  /** What the campaign freezes; `compileLeg` and `measureLeg` read it. */
  content: object
  /** As rate cards name it. */
  category: string
  /** What a price is missing for: the channel, and its category where that sets the price. */
  priceName: string
  sources: readonly VariableSource[]
  /** Advertising, which needs the recipients' consent. */
  isPromotion: boolean
  /** The hours outside which operators refuse it. */
  operatorHours: SendWindow | undefined
}

/** One recipient's message, as far as the review counts it. */
export type Measured = {
  parts: number
  /** Characters, to find the longest message. */
  length: number
  isUnicode: boolean
  /** A value that operators may refuse. */
  problem: 'too_long' | 'unfit' | undefined
}

/** What a leg's messages come to over the whole audience, for `checkMessages`. */
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
  /** The cost of so many parts in rupees, where every country has the same price. */
  formatCost(parts: number): string | undefined
}

/** One row of an audience, with the names of its columns. */
export type RowValues = { cells: readonly string[]; columns: readonly string[] }

/** `text`: the template as it is written where a value is missing, since such a message is never sent. */
export type ReadMessage = { text: string; pieces: MessagePiece[] }

/** A failure in words, and what to do about it. */
export type FailureAdvice = { title: string; advice: string }

/** A later try of the same message, for recipients that the channel accepts again after a while. */
export type RepeatRule = { reason: string; delaySeconds: number }

/** A test message as a single send takes it. */
export type TestMessage = {
  header: string
  text: string
  content?: { type: string; [field: string]: unknown }
  entityId?: string | undefined
  dltTemplateId?: string | undefined
}

/** The rules of one channel, without I/O: what its drafts, templates and messages mean. */
export type ServerChannel = {
  /** Its name on screens and in texts. */
  label: string
  /** Whether an organisation has it on before it chooses. */
  isOnByDefault: boolean
  accounts: AccountRules
  lines?: LineRules
  review?: ReviewRules
  /** What it is sent from, within a sentence. */
  senderName: string
  /** The same as the heading of a report. */
  senderHeading: string
  /** Whether the name that recipients see is part of the template; otherwise it is the sender's first. */
  isHeaderOfTemplate: boolean
  /** Asks for the sender where a draft has none. */
  chooseSender: string
  /** Where the variables of a draft's leg get their values; parsed when a draft is saved. */
  values: z.ZodType
  /** Whether its providers can be told how long to try; where they cannot, a later leg takes over after that time. */
  takesTtl: boolean
  /** Its providers limit how many people a sender may write to first in a day. */
  hasDailyLimit: boolean
  /** The files of ours that a leg's values show. */
  fileIds(values: unknown): string[]
  /** Throws when a row is not of this channel. */
  prepareLeg(leg: Omit<LoadedLeg, 'sender'> & { sender: Pick<LegSender, 'entityId'> | undefined }): PreparedLeg
  /** The message of one row, as a person reads it, from what a campaign's leg has frozen. */
  readLeg(content: unknown, row: RowValues): ReadMessage
  /** Default names of the variables in a template's body, in order of appearance. */
  listVariables(body: string): string[]
  /** The encoding only where a message is divided into parts. */
  countParts(text: string): { parts: number; encoding?: RecipientPreview['encoding'] }
  /** Counts the message of one row; nothing where a variable has no value. */
  measureLeg(content: object): (cells: readonly string[]) => Measured | undefined
  checkSender(leg: LoadedLeg): Check[]
  checkTemplate(leg: LoadedLeg, context: { countries: readonly string[] }): Check[]
  checkMessages(leg: LoadedLeg, count: MessageCount): Check[]
  repeats(leg: Pick<PreparedLeg, 'category'>): RepeatRule[]
  /** Why recipients wait for a repeat, as a clause; undefined where nothing is repeated. */
  waitingReason: string | undefined
  /** What a failure means on this channel, where that differs from what it means on others. */
  advice: Partial<Record<FailureClass, FailureAdvice>>
  /** Failures that another attempt cannot change, besides those of every channel. */
  permanentFailures: readonly FailureClass[]
  /** Why a campaign is paused, where the channel has more to say. */
  pauseTexts: Partial<Record<PauseReason, string>>
  /** The message of one row for a test, or why there is none. */
  writeTest(leg: LoadedLeg, cells: readonly string[]): TestMessage | { problem: string }
  /**
   * Reads what a campaign's leg has frozen, once; what comes back makes the message of one row, or nothing where a variable
   * has no value. Throws when the content is not of this channel.
   */
  compileLeg(content: unknown): (cells: readonly string[]) => Rendered | undefined
  compileSingle(single: QueuedSingle): Rendered
}

export const pass = (id: string, title: string, detail: string): Check => ({ id, level: 'pass', title, detail })
export const advice = (id: string, title: string, detail: string): Check => ({ id, level: 'advice', title, detail })
export const blocker = (id: string, title: string, detail: string): Check => ({ id, level: 'blocker', title, detail })

/** A number of rows as sentences begin with it. */
export function countRowsOf(count: number): string {
  return count === 1 ? 'One row' : `${formatCount(count)} rows`
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-IN')
}
