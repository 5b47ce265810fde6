import type { FailureClass } from '@carillon/contract/campaign-records'
import { showStatus } from '../../../lib/smpp/statuses.ts'
import type { SendOutcome } from '../../provider.ts'
import { findDltCode } from '../dlt-codes.ts'

type Refusal = Exclude<SendOutcome, { kind: 'accepted' | 'unknown' }>
type Meaning = { detail: string; reason: FailureClass } & (
  | { retryAfterMs: number; throttled?: true }
  | { scope: 'message' | 'sender' }
)

const message = { scope: 'message' } as const
const sender = { scope: 'sender' } as const
const badRequest = (detail: string): Meaning => ({ detail, reason: 'bad_request', ...message })

/** The account's own table of codes; takes precedence over everything below. */
export type VendorError = { code: string; reason: FailureClass; action: 'reject' | 'retry' }

/** The session is not bound; nothing was accepted. */
export const notBound = 0x04

/** The meaning of each command_status of a submit. Other codes are specific to the operator. */
const meanings: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [0x01, badRequest('The message has an invalid length')],
  [0x02, badRequest('The command has an invalid length')],
  [0x03, badRequest('The operator does not support the command')],
  [notBound, { detail: 'The bind was lost', reason: 'not_connected', retryAfterMs: 1_000 }],
  [0x05, { detail: 'Already bound', reason: 'not_connected', retryAfterMs: 1_000 }],
  [0x06, badRequest('The priority is invalid')],
  [0x07, badRequest('The request for a receipt is invalid')],
  [0x08, { detail: 'The operator had an internal error', reason: 'operator_rejected', retryAfterMs: 5_000 }],
  [0x0a, { detail: 'The operator does not accept this header', reason: 'sender_rejected', ...message }],
  [0x0b, { detail: 'The operator does not accept this number', reason: 'invalid_number', ...message }],
  [0x0c, badRequest('The message id is invalid')],
  [0x0d, { detail: 'The bind failed', reason: 'channel_auth', ...sender }],
  [0x0e, { detail: 'The password is wrong', reason: 'channel_auth', ...sender }],
  [0x0f, { detail: 'The system id is wrong', reason: 'channel_auth', ...sender }],
  [
    0x14,
    { detail: 'The operator’s queue is full', reason: 'throughput_limited', retryAfterMs: 5_000, throttled: true },
  ],
  [0x15, { detail: 'The service type is invalid', reason: 'channel_auth', ...sender }],
  [0x33, badRequest('The number of destinations is invalid')],
  [0x34, badRequest('The distribution list is invalid')],
  [0x40, badRequest('The destination flag is invalid')],
  [0x42, badRequest('Submit with replace is not possible')],
  [0x43, badRequest('The message class is invalid')],
  [0x44, badRequest('The operator cannot submit to a list')],
  [0x45, { detail: 'The operator could not accept the message', reason: 'operator_rejected', retryAfterMs: 30_000 }],
  [0x48, { detail: 'The type of the header (TON) is invalid', reason: 'sender_rejected', ...message }],
  [0x49, { detail: 'The plan of the header (NPI) is invalid', reason: 'sender_rejected', ...message }],
  [0x50, badRequest('The type of the number (TON) is invalid')],
  [0x51, badRequest('The plan of the number (NPI) is invalid')],
  [0x53, { detail: 'The system type is invalid', reason: 'channel_auth', ...sender }],
  [0x54, badRequest('The replace flag is invalid')],
  [0x55, badRequest('The number of messages is invalid')],
  [
    0x58,
    {
      detail: 'The operator requires a lower rate',
      reason: 'throughput_limited',
      retryAfterMs: 1_000,
      throttled: true,
    },
  ],
  [0x61, badRequest('The scheduled time is invalid')],
  [0x62, badRequest('The validity is invalid')],
  [0x63, badRequest('The default message id is invalid')],
  [0x64, { detail: 'The operator cannot accept the message now', reason: 'operator_rejected', retryAfterMs: 30_000 }],
  [0x65, { detail: 'The operator permanently rejected the message', reason: 'operator_rejected', ...message }],
  [0x66, { detail: 'The operator rejected the message', reason: 'operator_rejected', ...message }],
  [0xc0, badRequest('An optional parameter is malformed')],
  [0xc1, badRequest('An optional parameter is not allowed')],
  [0xc2, badRequest('An optional parameter has an invalid length')],
  [
    0xc3,
    { detail: 'An optional parameter is missing: the DLT entity or template id', reason: 'dlt_template', ...message },
  ],
  [
    0xc4,
    {
      detail: 'An optional parameter has an invalid value: the DLT entity or template id',
      reason: 'dlt_template',
      ...message,
    },
  ],
  [0xfe, { detail: 'The delivery failed', reason: 'undelivered', ...message }],
  [0xff, { detail: 'The operator had an unknown error', reason: 'unknown', retryAfterMs: 30_000 }],
  [0x100, { detail: 'The service type is not authorised', reason: 'channel_auth', ...sender }],
  [0x101, { detail: 'The account is not permitted to do this', reason: 'channel_auth', ...sender }],
  [0x102, { detail: 'The service is denied', reason: 'channel_auth', ...sender }],
  [0x103, badRequest('The source network is invalid')],
  [0x104, badRequest('The character set is not supported')],
  [0x111, { detail: 'The operator does not accept this header', reason: 'sender_rejected', ...message }],
  [0x112, { detail: 'The operator does not accept this number', reason: 'invalid_number', ...message }],
])

/** The outcome of a submit whose response has a status other than 0. */
export function readRefusal(status: number, vendorErrors: readonly VendorError[]): Refusal {
  const code = showStatus(status)
  const own = vendorErrors.find((entry) => Number(entry.code) === status)
  const meaning = meanings.get(status) ?? { ...(findDltCode(String(status)) ?? unnamed), ...message }
  if (own) {
    const detail = meanings.has(status) ? meaning.detail : `The operator responded with ${code}`
    return own.action === 'retry'
      ? {
          kind: 'retry',
          afterMs: 10_000,
          reason: own.reason,
          code,
          detail,
          throttled: own.reason === 'throughput_limited',
        }
      : { kind: 'rejected', reason: own.reason, code, detail, scope: 'message' }
  }
  if ('scope' in meaning)
    return { kind: 'rejected', reason: meaning.reason, code, detail: meaning.detail, scope: meaning.scope }
  return {
    kind: 'retry',
    afterMs: meaning.retryAfterMs,
    reason: meaning.reason,
    code,
    detail: meaning.detail,
    throttled: meaning.throttled ?? false,
  }
}

const unnamed = {
  detail: 'The operator rejected the message with a code of its own',
  reason: 'operator_rejected',
} as const

/** Why a bind was refused, for the user who can fix it; after `final` ones an early retry is pointless. */
export function readBindRefusal(status: number): { message: string; code: string; final: boolean } {
  const known = bindRefusals.get(status)
  return {
    message: known ?? 'The operator refused the connection',
    code: showStatus(status),
    final: known !== undefined,
  }
}

const bindRefusals: ReadonlyMap<number, string> = new Map([
  [0x0d, 'The operator refused the connection: check the account, the bind mode and the address you connect from'],
  [0x0e, 'The operator rejected the password'],
  [0x0f, 'The system id is unknown to the operator'],
  [0x15, 'The service type is unknown to the operator'],
  [0x53, 'The system type is unknown to the operator'],
])
