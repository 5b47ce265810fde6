import type { FailureClass } from '@carillon/contract/campaign-records'
import type { DeliveryReport } from '../../provider.ts'

export type ReportedStatus = { status: DeliveryReport['status']; reason?: FailureClass }

/** Common status names of gateways, in lower case. Others need an entry in the account. */
const words: Record<string, ReportedStatus> = {
  sent: { status: 'sent' },
  submitted: { status: 'sent' },
  accepted: { status: 'sent' },
  acceptd: { status: 'sent' },
  enroute: { status: 'sent' },
  queued: { status: 'sent' },
  sending: { status: 'sent' },
  buffered: { status: 'sent' },
  esme_rok: { status: 'sent' },
  unknown: { status: 'sent' },
  delivered: { status: 'delivered' },
  delivrd: { status: 'delivered' },
  success: { status: 'delivered' },
  read: { status: 'read' },
  seen: { status: 'read' },
  failed: { status: 'failed', reason: 'undelivered' },
  undelivered: { status: 'failed', reason: 'undelivered' },
  undeliv: { status: 'failed', reason: 'undelivered' },
  undeliverable: { status: 'failed', reason: 'undelivered' },
  expired: { status: 'failed', reason: 'expired' },
  rejected: { status: 'failed', reason: 'operator_rejected' },
  rejectd: { status: 'failed', reason: 'operator_rejected' },
  deleted: { status: 'failed', reason: 'operator_rejected' },
  canceled: { status: 'failed', reason: 'operator_rejected' },
}

export function findStatus(word: string): ReportedStatus | undefined {
  const key = word.trim().toLowerCase()
  return Object.hasOwn(words, key) ? words[key] : undefined
}
