import type { MessageStatus } from '@carillon/contract/campaign-records'

/**
 * What is known of one message. Its status follows from the set of evidence alone, so that late, repeated and reordered
 * reports cannot matter. The statement that applies reports (events.queries.ts) does the same in SQL.
 */
export type Evidence = { status: MessageStatus; at: number; reason?: string; code?: string }

/** The order of rank, the same as the database's enum: evidence moves a message only to the right. */
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

/** Ended: only a contradicting report can still change it. */
export function isFinal(status: MessageStatus): boolean {
  return status === 'delivered' || status === 'read' || status === 'failed'
}

/** Of equal rank the earlier counts, then the lesser code. The rule is arbitrary, but the order of arrival must not matter. */
function isStronger(evidence: Evidence, than: Evidence): boolean {
  const difference = rankOf(evidence.status) - rankOf(than.status)
  if (difference !== 0) return difference > 0
  if (evidence.at !== than.at) return evidence.at < than.at
  return (evidence.code ?? '') < (than.code ?? '')
}

export function merge(current: Evidence, next: Evidence): Evidence {
  return isStronger(next, current) ? next : current
}

/** What a message in this status costs; the database's `charge_of` says the same. */
export function chargeOf(status: MessageStatus, price: number, billableOn: 'sent' | 'delivered'): number {
  if (status === 'sent' || status === 'delivered' || status === 'read') return price
  return status === 'failed' && billableOn === 'sent' ? price : 0
}

/** A message of several parts is as far as its slowest part; one lost part loses it. */
export function statusOfParts(parts: readonly MessageStatus[]): MessageStatus {
  if (parts.includes('failed')) return 'failed'
  return parts.reduce((least, status) => (rankOf(status) < rankOf(least) ? status : least), 'read' as MessageStatus)
}
