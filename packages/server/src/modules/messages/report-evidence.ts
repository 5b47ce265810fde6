import type { FailureClass } from '@carillon/contract/campaign-records'
import type { DeliveryReport } from '../../channels/provider.ts'
import { rankOf } from './evidence.ts'

/** All that a batch of reports says of one message. */
export type ReportedMessage = {
  /** Every form in which its id may stand with us. */
  candidates: string[]
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
 * Gathers a batch into one entry for each message: repeats vanish, the highest word and the earliest times stay. Sorted by
 * id, so that two batches that share messages lock them in the same order and never wait for each other in a circle.
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

function begin({ status, reference }: DeliveryReport): ReportedMessage {
  const unknown = { sentAt: undefined, deliveredAt: undefined, readAt: undefined, failedAt: undefined }
  return { candidates: [], reference, status, ...unknown, reason: undefined, code: undefined, detail: undefined }
}

function add(message: ReportedMessage, report: DeliveryReport) {
  if (rankOf(report.status) > rankOf(message.status)) message.status = report.status
  if (report.status === 'failed') addFailure(message, report)
  else if (report.status === 'sent') message.sentAt = earlier(message.sentAt, report.at)
  else if (report.status === 'delivered') message.deliveredAt = earlier(message.deliveredAt, report.at)
  else message.readAt = earlier(message.readAt, report.at)
}

/** Of several failures the earliest counts, then the least code, so that their order cannot matter. */
function addFailure(message: ReportedMessage, { at, reason, code, detail }: DeliveryReport) {
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
