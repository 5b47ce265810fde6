import type { FailureClass } from '@carillon/contract/campaign-records'
import type { DeliveryReport, ReportMatch } from '../../../channels/provider.ts'
import { rankOf } from './evidence.ts'
import { numbersOf, type PhoneDigits } from '../reads/phone-digits.ts'

/** Everything a batch of reports contains about one message. */
export type ReportedMessage = {
  /** All forms in which its id may be stored. */
  candidates: string[]
  match: ReportMatch | undefined
  /** The phone numbers in the reports. */
  numbers: readonly PhoneDigits[]
  reference: string | undefined
  status: DeliveryReport['status']
  sentAt: Date | undefined
  deliveredAt: Date | undefined
  readAt: Date | undefined
  failedAt: Date | undefined
  reason: FailureClass | undefined
  code: string | undefined
  detail: string | undefined
}

/**
 * Combines a batch into one entry per message: repeats are dropped, the highest status and the earliest times are kept. Sorted
 * by id, so that two batches with common messages lock them in the same order and never deadlock.
 */
export function gatherReports(reports: readonly DeliveryReport[]): ReportedMessage[] {
  const byCandidate = new Map<string, ReportedMessage>()
  const gathered: ReportedMessage[] = []
  for (const report of reports) {
    let message = findKnown(byCandidate, report)
    if (!message) {
      message = begin(report)
      gathered.push(message)
    }
    add(message, report)
    for (const candidate of report.providerMessageIds) {
      if (byCandidate.get(candidate) === message) continue
      if (!message.candidates.includes(candidate)) message.candidates.push(candidate)
      byCandidate.set(candidate, message)
    }
    if (report.reference) byCandidate.set(`reference ${report.reference}`, message)
  }
  return gathered.sort((one, other) => compare(firstCandidate(one), firstCandidate(other)))
}

function firstCandidate({ candidates, reference }: ReportedMessage): string {
  return candidates[0] ?? reference ?? ''
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function findKnown(
  byCandidate: ReadonlyMap<string, ReportedMessage>,
  { providerMessageIds, reference }: DeliveryReport,
): ReportedMessage | undefined {
  for (const candidate of providerMessageIds) {
    const known = byCandidate.get(candidate)
    if (known) return known
  }
  return providerMessageIds.length === 0 && reference ? byCandidate.get(`reference ${reference}`) : undefined
}

function begin({ status, reference, match }: DeliveryReport): ReportedMessage {
  return {
    candidates: [],
    match,
    numbers: numbersOf(match),
    reference,
    status,
    sentAt: undefined,
    deliveredAt: undefined,
    readAt: undefined,
    failedAt: undefined,
    reason: undefined,
    code: undefined,
    detail: undefined,
  }
}

/**
 * Combines reports with reusable ids. Two final statuses that differ in kind or time stay separate: they may concern two
 * messages with the same id.
 */
export function gatherCounted(reports: readonly DeliveryReport[]): ReportedMessage[] {
  const byKey = new Map<string, ReportedMessage>()
  for (const report of reports) {
    const end = report.status === 'sent' ? '' : `${report.status} ${report.at.getTime()}`
    const key = `${report.providerMessageIds[0]} ${matchKey(report.match)} ${report.reference ?? ''} ${end}`
    const message = byKey.get(key)
    if (message) add(message, report)
    else byKey.set(key, reportedOf(report))
  }
  return [...byKey.values()]
}

/** The content of one report. */
export function reportedOf(report: DeliveryReport): ReportedMessage {
  const message = { ...begin(report), candidates: report.providerMessageIds }
  add(message, report)
  return message
}

/** Distinguishes reports with one id that concern several messages. */
export function matchKey(match: ReportMatch | undefined): string {
  return match ? `${match.numbers.join(' ')} ${match.submittedAt?.getTime() ?? ''}` : ''
}

/** The combined content of two reports on the same message. */
export function joinReported(one: ReportedMessage, other: ReportedMessage): ReportedMessage {
  const joined = { ...one, status: rankOf(other.status) > rankOf(one.status) ? other.status : one.status }
  joined.sentAt = earliest(one.sentAt, other.sentAt)
  joined.deliveredAt = earliest(one.deliveredAt, other.deliveredAt)
  joined.readAt = earliest(one.readAt, other.readAt)
  if (other.failedAt) addFailure(joined, { ...other, at: other.failedAt })
  return joined
}

/** With its times shifted by this much. */
export function shiftReported(report: ReportedMessage, byMs: number): ReportedMessage {
  const shift = (at: Date | undefined) => at && new Date(at.getTime() + byMs)
  const { sentAt, deliveredAt, readAt, failedAt } = report
  return {
    ...report,
    sentAt: shift(sentAt),
    deliveredAt: shift(deliveredAt),
    readAt: shift(readAt),
    failedAt: shift(failedAt),
  }
}

function add(message: ReportedMessage, report: DeliveryReport) {
  if (rankOf(report.status) > rankOf(message.status)) message.status = report.status
  if (report.status === 'failed') addFailure(message, report)
  else if (report.status === 'sent') message.sentAt = earlier(message.sentAt, report.at)
  else if (report.status === 'delivered') message.deliveredAt = earlier(message.deliveredAt, report.at)
  else message.readAt = earlier(message.readAt, report.at)
}

/** Of several failures the earliest counts, then the smallest code, so that their order does not matter. */
function addFailure(
  message: ReportedMessage,
  {
    at,
    reason,
    code,
    detail,
  }: Pick<DeliveryReport, 'at'> & Partial<Pick<ReportedMessage, 'reason' | 'code' | 'detail'>>,
) {
  const known = message.failedAt
  const isEarlier = !known || at < known || (at.getTime() === known.getTime() && (code ?? '') < (message.code ?? ''))
  if (!isEarlier) return
  message.failedAt = at
  message.reason = reason ?? 'unknown'
  message.code = code
  message.detail = detail
}

function earlier(known: Date | undefined, next: Date): Date {
  return known && known <= next ? known : next
}

function earliest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other ? earlier(one, other) : (one ?? other)
}
