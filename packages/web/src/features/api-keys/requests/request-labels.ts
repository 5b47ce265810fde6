import type { ApiSendRequest, ApiSendStatus } from '@carillon/contract/request-log-records'
import { Ban, CircleAlert, CircleCheck, Clock, OctagonX, Radio } from 'lucide-react'
import type { CallData } from '../../../lib/call.ts'
import { formatDateTime } from '../../../lib/format.ts'
import type { Look } from '../look-pill.tsx'

export const requestLooks: Record<ApiSendStatus, Look> = {
  accepted: { label: 'Accepted', tone: 'info', icon: Clock },
  processing: { label: 'Processing', tone: 'live', icon: Radio },
  completed: { label: 'Completed', tone: 'good', icon: CircleCheck },
  partially_failed: { label: 'Partially failed', tone: 'care', icon: CircleAlert },
  failed: { label: 'Failed', tone: 'bad', icon: OctagonX },
  rejected: { label: 'Rejected', tone: 'bad', icon: Ban },
}

/** The call answers support requests as well. */
export function isApiSend<Row extends { kind: string }>(row: Row): row is Extract<Row, { kind: 'api_send' }> {
  return row.kind === 'api_send'
}

export type ApiSendDetails = Extract<CallData<'support.get'>, { kind: 'api_send' }>

/** Without what all paths have in common. */
export function callOf({ method, path }: Pick<ApiSendRequest, 'method' | 'path'>): string {
  return `${method} ${path.replace('/api/public/v1', '')}`
}

export function requestName(request: ApiSendRequest): string {
  return `${callOf(request)}, ${formatDateTime(request.createdAt)}`
}

const fallback = 'Correct the request, and send it again.'

const remedies: Record<string, string> = {
  bad_request: 'Correct the fields that the response names. A repeat without changes fails again.',
  forbidden: 'The role of the key’s owner cannot send. Use a key of another account.',
  module_forbidden: 'Ask the account above yours for the API module.',
  scope_missing: 'Add the scope that the response names to the key, or use another key.',
  live_key_required: 'Use a live key for this call.',
  key_restricted: 'Change the field that the response names, or the key config.',
  account_suspended: 'Contact your account manager.',
  not_found: 'Check the id, and that the key belongs to the right account and environment.',
  conflict:
    'The state of the record forbids the call, or the first call with this Idempotency-Key is still in progress.',
  insufficient_balance: 'Top up the balance, and send the request again.',
  limit_exceeded: 'Wait for the next period, or have the limit raised.',
  too_large: 'Send less in one request, such as a smaller batch.',
  idempotency_mismatch: 'Use a new Idempotency-Key for each message. A repeat has to have the very same body.',
  too_many_requests: 'Wait for the seconds in Retry-After. Send batches in place of single messages.',
  internal: 'Repeat the request once with the same Idempotency-Key. If it fails again, contact support.',
  unavailable: 'Repeat the request after Retry-After, with the same Idempotency-Key.',
  disk_full: 'Repeat the request later.',
}

/** What to do about an error. */
export function remedyOf(code: string): string {
  return remedies[code] ?? fallback
}
