import type { MessageStatus } from '@carillon/contract/campaign-records'

/**
 * Everything reported about one message. Its status follows from the set alone, so late, repeated and reordered reports have no
 * effect on it. The statement that applies reports (reports.queries.ts) does the same in SQL.
 */
export type Evidence = { status: MessageStatus; at: number; reason?: string; code?: string }

/** In order of rank, the same as the database's enum: a report can only raise a message's rank. */
export const statusesByRank: readonly MessageStatus[] = [
  'queued',
  'skipped',
  'cancelled',
  'unknown',
  'unconfirmed',
  'sent',
  'failed',
  'delivered',
  'read',
]

const ranks = new Map(statusesByRank.map((status, rank) => [status, rank]))

export function rankOf(status: MessageStatus): number {
  return ranks.get(status) ?? -1
}

/** Final: only a contradicting report can still change it. */
export function isFinal(status: MessageStatus): boolean {
  return status === 'delivered' || status === 'read' || status === 'failed'
}

/**
 * Of equal rank the earlier counts, then the smaller code. An arbitrary rule, which makes the result independent of the order
 * of arrival.
 */
function isStronger(evidence: Evidence, than: Evidence): boolean {
  const difference = rankOf(evidence.status) - rankOf(than.status)
  if (difference !== 0) return difference > 0
  if (evidence.at !== than.at) return evidence.at < than.at
  return (evidence.code ?? '') < (than.code ?? '')
}

export function merge(current: Evidence, next: Evidence): Evidence {
  return isStronger(next, current) ? next : current
}

/** What a message with this status costs; the same as the database's `charge_of`. */
export function chargeOf(status: MessageStatus, price: number, billableOn: 'sent' | 'delivered'): number {
  if (status === 'sent' || status === 'delivered' || status === 'read') return price
  return status === 'failed' && billableOn === 'sent' ? price : 0
}

/** A message of several parts has the status of its slowest part; one failed part fails it. */
export function statusOfParts(parts: readonly MessageStatus[]): MessageStatus {
  if (parts.includes('failed')) return 'failed'
  return parts.reduce((least, status) => (rankOf(status) < rankOf(least) ? status : least), 'read' as MessageStatus)
}
