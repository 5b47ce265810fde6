import { truncate } from '@carillon/contract/text'
import type { FailureClass } from '@carillon/contract/campaign-records'
import { EgressError, type EgressAnswer } from '../../../egress/egress.ts'
import { Refusal } from '../../management.ts'
import type { RevokeOutcome, SendOutcome } from '../../provider.ts'
import { rowOf, stringOf } from '../../read-json.ts'
import { parseJson } from '../json.ts'

type Answer = Pick<EgressAnswer, 'status' | 'body' | 'headers'>

const throttleMs = 1_000
const busyMs = 2_000

/** Google's response to a message. `id`: the id under which it was sent. */
export function readSent(answer: Answer, id: string): SendOutcome {
  const { status } = answer
  // 409: a message of this id was accepted before.
  if ((status >= 200 && status < 300) || status === 409) return { kind: 'accepted', providerMessageIds: [id] }
  const { code, detail } = describe(answer)
  if (status === 429) {
    const afterMs = pauseOf(answer) ?? throttleMs
    return { kind: 'retry', afterMs, reason: 'throughput_limited', code, detail, throttled: true }
  }
  // It may have been accepted; a repeat has the same id.
  if (status >= 500) return { kind: 'unknown', code, detail }
  return { kind: 'rejected', ...meaningOf(status, detail), code, detail }
}

type Meaning = { reason: FailureClass; scope: 'message' | 'sender' }

/** A rejection by its status. Texts distinguish cases that share one; unknown texts have the status's own meaning. */
const meanings: Partial<Record<number, { text?: RegExp; meaning: Meaning }[]>> = {
  400: [
    // The next leg may suit the phone.
    { text: /device|capabilit|support|feature/i, meaning: { reason: 'operator_rejected', scope: 'message' } },
    { text: /file|media|thumbnail/i, meaning: { reason: 'media_failed', scope: 'message' } },
  ],
  403: [
    { text: /tester|not launched/i, meaning: { reason: 'sender_rejected', scope: 'message' } },
    { text: /allowed from|hours|time window/i, meaning: { reason: 'outside_window', scope: 'message' } },
    { text: /limit|frequency|reputation/i, meaning: { reason: 'user_marketing_cap', scope: 'message' } },
    { text: /unsubscribed|opted out/i, meaning: { reason: 'opted_out', scope: 'message' } },
    { meaning: { reason: 'sender_rejected', scope: 'sender' } },
  ],
  401: [{ meaning: { reason: 'channel_auth', scope: 'sender' } }],
  404: [{ meaning: { reason: 'number_unreachable', scope: 'message' } }],
}

function meaningOf(status: number, detail: string): Meaning {
  const found = meanings[status]?.find(({ text }) => text === undefined || text.test(detail))
  return found?.meaning ?? { reason: 'bad_request', scope: 'message' }
}

/** No response, or no token. A request that cannot have been sent is retried; the outcome of others is unknown. */
export function readFailure(error: unknown): SendOutcome {
  if (error instanceof Refusal) return readRefusal(error)
  if (!(error instanceof EgressError)) return { kind: 'unknown', code: 'FAILED', detail: truncate(String(error), 300) }
  const { code, message: detail, sent } = error
  if (code === 'EGRESS_REFUSED') return { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
  if (sent) return { kind: 'unknown', code, detail }
  return { kind: 'retry', afterMs: busyMs, reason: 'not_connected', code, detail, throttled: false }
}

/** Without a token nothing was sent. */
function readRefusal({ code, message: detail, kind }: Refusal): SendOutcome {
  return kind === 'passing'
    ? { kind: 'retry', afterMs: busyMs, reason: 'not_connected', code, detail, throttled: false }
    : { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
}

/** Google's response to a revocation. A 200 does not say whether the message was delivered before. */
export function readRevoked(answer: Answer): RevokeOutcome {
  const { status } = answer
  const { code, detail } = describe(answer)
  if (status >= 200 && status < 300) return { kind: 'requested' }
  if (status === 404) return { kind: 'not_found' }
  if (status === 429 || status >= 500) return { kind: 'retry', afterMs: pauseOf(answer) ?? busyMs, code, detail }
  return { kind: 'refused', code, detail }
}

/** Revoking again is harmless. */
export function readRevokeFailure(error: unknown): RevokeOutcome {
  const code = error instanceof EgressError || error instanceof Refusal ? error.code : 'FAILED'
  const detail = truncate(error instanceof Error ? error.message : String(error), 300)
  return error instanceof Refusal && error.kind === 'credentials'
    ? { kind: 'refused', code, detail }
    : { kind: 'retry', afterMs: busyMs, code, detail }
}

function describe({ status, body }: Answer): { code: string; detail: string } {
  const error = rowOf(rowOf(parseJson(body))['error'])
  return {
    code: stringOf(error['status']) ?? `http_${status}`,
    detail: truncate(stringOf(error['message']) ?? `Google responded with ${status}`, 300),
  }
}

function pauseOf({ headers }: Answer): number | undefined {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined
}
