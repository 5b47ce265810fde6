import type { SupportStatus } from '@carillon/contract/support'
import { Problem } from '../../lib/problem.ts'

/** The side of a request: its opener, or support. */
export type Side = 'customer' | 'staff'

/** Status after a message from either side. Closed requests accept none. */
const afterMessage: Record<Side, Record<SupportStatus, SupportStatus | undefined>> = {
  customer: {
    open: 'open',
    in_progress: 'in_progress',
    waiting_on_customer: 'in_progress',
    resolved: 'reopened',
    closed: undefined,
    reopened: 'reopened',
  },
  staff: {
    open: 'waiting_on_customer',
    in_progress: 'waiting_on_customer',
    waiting_on_customer: 'waiting_on_customer',
    resolved: 'waiting_on_customer',
    closed: undefined,
    reopened: 'waiting_on_customer',
  },
}

/** Statuses each side may set. */
const bySide: Record<Side, Record<SupportStatus, readonly SupportStatus[]>> = {
  customer: {
    open: ['resolved', 'closed'],
    in_progress: ['resolved', 'closed'],
    waiting_on_customer: ['resolved', 'closed'],
    resolved: ['closed', 'reopened'],
    closed: ['reopened'],
    reopened: ['resolved', 'closed'],
  },
  staff: {
    open: ['in_progress', 'waiting_on_customer', 'resolved', 'closed'],
    in_progress: ['waiting_on_customer', 'resolved', 'closed'],
    waiting_on_customer: ['in_progress', 'resolved', 'closed'],
    resolved: ['reopened', 'closed'],
    closed: ['reopened'],
    reopened: ['in_progress', 'waiting_on_customer', 'resolved', 'closed'],
  },
}

const words: Record<SupportStatus, string> = {
  open: 'open',
  in_progress: 'in progress',
  waiting_on_customer: 'waiting for an answer',
  resolved: 'resolved',
  closed: 'closed',
  reopened: 'reopened',
}

export function statusAfterMessage(status: SupportStatus, side: Side): SupportStatus {
  const next = afterMessage[side][status]
  if (!next) throw new Problem('conflict', 'This request is closed: reopen it before writing')
  return next
}

export function assertMayBecome(status: SupportStatus, next: SupportStatus, side: Side): void {
  if (!bySide[side][status].includes(next))
    throw new Problem('conflict', `A request that is ${words[status]} cannot be set to ${words[next]} by you`)
}

/** The text of a status change in the thread. */
export function describeStatus(status: SupportStatus, name: string): string {
  return status === 'reopened' ? `${name} reopened the request` : `${name} marked the request as ${words[status]}`
}
