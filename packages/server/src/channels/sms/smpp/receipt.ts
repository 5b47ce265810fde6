import type { FailureClass } from '@carillon/contract/campaign-records'
import type { DeliveryReport } from '../../provider.ts'
import { findDltCode } from '../dlt-codes.ts'
import type { VendorError } from './codes.ts'
import type { Delivered } from '../../../lib/smpp/pdu.ts'
import { tag, tlvText } from '../../../lib/smpp/tlv.ts'

/** A receipt as parsed; how its ids are to be read is decided elsewhere. */
export type Receipt = Pick<DeliveryReport, 'status' | 'reason' | 'code' | 'detail' | 'at'> & {
  id: string
  text: string
  /** When the operator accepted the message. */
  submittedAt: Date | undefined
  /** A time without zone. */
  isLocalTime: boolean
}

type State = { status: DeliveryReport['status']; reason?: FailureClass; detail?: string }

const states: Record<string, State> = {
  SCHEDULED: { status: 'sent' },
  ENROUTE: { status: 'sent' },
  DELIVRD: { status: 'delivered' },
  EXPIRED: { status: 'failed', reason: 'expired', detail: 'The phone could not be reached in time' },
  DELETED: { status: 'failed', reason: 'operator_rejected', detail: 'The operator deleted the message' },
  UNDELIV: { status: 'failed', reason: 'undelivered', detail: 'The phone could not be reached' },
  ACCEPTD: { status: 'sent' },
  // The operator does not know the status: that is not a failure, so the message does not change.
  UNKNOWN: { status: 'sent' },
  REJECTD: { status: 'failed', reason: 'operator_rejected', detail: 'The operator rejected the message' },
  SKIPPED: { status: 'failed', reason: 'operator_rejected', detail: 'The operator skipped the message' },
}

/** Texts that operators use for the same states. */
const synonyms: Record<string, string> = {
  DELIVERED: 'DELIVRD',
  UNDELIVERABLE: 'UNDELIV',
  UNDELIVERED: 'UNDELIV',
  FAILED: 'UNDELIV',
  ACCEPTED: 'ACCEPTD',
  REJECTED: 'REJECTD',
  BUFFERED: 'ENROUTE',
}

/** message_state by number. */
const stateByNumber = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
  'SKIPPED',
]

const receiptBits = 0x3c
const receiptMark = 0x04

export function isReceipt({ esmClass, tlvs }: Delivered): boolean {
  return (esmClass & receiptBits) === receiptMark || tlvs.has(tag.receiptedMessageId)
}

export type ReceiptRules = { timezoneOffset: string; vendorErrors: readonly VendorError[]; now: Date }

/** Undefined if it has no message id or no state. Formats differ between operators, so parsing is lenient. */
export function parseReceipt(delivered: Delivered, rules: ReceiptRules): Receipt | undefined {
  const text = receiptText(delivered)
  const id = tlvText(delivered.tlvs.get(tag.receiptedMessageId)) || findField(text, 'id')
  const state = stateByNumber[delivered.tlvs.get(tag.messageState)?.[0] ?? -1] ?? stateInText(text)
  const known = state === undefined ? undefined : states[state]
  if (!id || !state || !known) return undefined

  const code = errorCode(delivered, text)
  const failure = known.status === 'failed' ? explain(code, known, rules.vendorErrors) : {}
  const doneAt = parseTime(findField(text, 'done date'), rules)
  return {
    id,
    text,
    status: known.status,
    code: code ? `${state} ${code}` : state,
    at: doneAt ?? rules.now,
    submittedAt: parseTime(findField(text, 'submit date'), rules),
    isLocalTime: doneAt !== undefined,
    ...failure,
  }
}

function receiptText({ shortMessage, tlvs }: Delivered): string {
  const octets = shortMessage.length > 0 ? shortMessage : (tlvs.get(tag.messagePayload) ?? shortMessage)
  return octets.toString('latin1').replaceAll('\0', '')
}

const fieldPatterns = {
  id: /(?:^|\s)id\s*:\s*([^\s]{1,64})/i,
  stat: /(?:^|\s)stat(?:us)?\s*:\s*([A-Za-z]+)/i,
  err: /(?:^|\s)err(?:or)?\s*:\s*([0-9A-Za-z]{1,16})/i,
  'submit date': /submit[\s_]*date\s*:\s*(\d{10,14})/i,
  'done date': /done[\s_]*date\s*:\s*(\d{10,14})/i,
} as const

function findField(text: string, field: keyof typeof fieldPatterns): string | undefined {
  return fieldPatterns[field].exec(text)?.[1]
}

function stateInText(text: string): string | undefined {
  const word = findField(text, 'stat')?.toUpperCase()
  return word === undefined ? undefined : (synonyms[word] ?? word)
}

/** From the text, else from the network error code: a type byte and a number. */
function errorCode({ tlvs }: Delivered, text: string): string | undefined {
  const written = findField(text, 'err')
  if (written && !/^0+$/.test(written)) return written
  const network = tlvs.get(tag.networkErrorCode)
  const number = network && network.length >= 3 ? network.readUInt16BE(1) : 0
  return number === 0 ? undefined : String(number)
}

function explain(
  code: string | undefined,
  state: State,
  vendorErrors: readonly VendorError[],
): Pick<Receipt, 'reason' | 'detail'> {
  const own = vendorErrors.find((entry) => code !== undefined && sameCode(entry.code, code))
  const dlt = code === undefined ? undefined : findDltCode(code)
  const reason = own?.reason ?? dlt?.reason ?? state.reason
  const detail = (own ? undefined : dlt?.detail) ?? state.detail
  return { ...(reason ? { reason } : {}), ...(detail ? { detail } : {}) }
}

function sameCode(one: string, other: string): boolean {
  const bare = (code: string) => code.toLowerCase().replace(/^0+(?=.)/, '')
  return bare(one) === bare(other)
}

/** Thousands of receipts arrive in one second, and most operators cut their times to the minute, so parsed times are cached. */
let lastRead = { text: '', timezoneOffset: '', at: Number.NaN }

function parseTime(text: string | undefined, { timezoneOffset, now }: ReceiptRules): Date | undefined {
  if (text === undefined) return undefined
  if (lastRead.text !== text || lastRead.timezoneOffset !== timezoneOffset)
    lastRead = { text, timezoneOffset, at: readTime(text, timezoneOffset) }
  const isSensible = Math.abs(lastRead.at - now.getTime()) < 366 * 86_400_000
  return isSensible ? new Date(lastRead.at) : undefined
}

/** YYMMDDhhmm, for some operators with seconds, for a few with a four-digit year; in the SMSC's local time. NaN if invalid. */
function readTime(text: string, timezoneOffset: string): number {
  const digits = text.length === 14 ? text.slice(2) : text
  const [year, month, day, hour, minute, second = '00'] = digits.match(/\d\d/g) ?? []
  return Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}${timezoneOffset}`)
}
