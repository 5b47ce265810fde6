import { truncate } from '@carillon/contract/text'
import { EgressError, type EgressAnswer } from '../../../egress/egress.ts'
import type { SendOutcome } from '../../provider.ts'
import { meaningOf } from './codes.ts'
import { findError } from './graph-error.ts'
import { rowOf, rowsOf, stringOf } from '../../read-json.ts'
import { parseExactly } from './json.ts'

/** Maximum pause of three days, after which hardly any message is still worth sending. */
const longestPauseMs = 3 * 86_400_000

/**
 * Interprets Meta's response to one message. `before`: how many consecutive messages to this person got the same code. The HTTP
 * status is ignored: Meta's documentation and responses disagree about it.
 */
export function readAnswer({ status, body }: Pick<EgressAnswer, 'status' | 'body'>, before: Before): SendOutcome {
  const answer = parse(body)
  const error = findError(answer)
  if (error) return refuse(error, before(error.code))
  const id = stringOf(rowsOf(rowOf(answer)['messages'])[0]?.['id'])
  // Messages held for template quality are accepted: they are sent later, or a failure is reported under this id.
  if (id !== undefined) return { kind: 'accepted', providerMessageIds: [id] }
  return {
    kind: 'unknown',
    code: `http_${status}`,
    detail: `Meta responded with ${status} without saying whether it accepted the message`,
  }
}

/** How many consecutive messages to this person got this code before. */
export type Before = (code: number) => number

type GraphRefusal = { code: number; detail: string; isTransient: boolean }

function refuse({ code: number, detail, isTransient }: GraphRefusal, before: number): SendOutcome {
  const meaning = meaningOf(number, isTransient)
  const code = String(number)
  const { reason } = meaning
  if ('scope' in meaning) return { kind: 'rejected', reason, code, detail, scope: meaning.scope }
  const { retryAfterMs, growth = 1, times = Number.POSITIVE_INFINITY, throttled = false } = meaning
  if (before >= times) return { kind: 'rejected', reason, code, detail, scope: 'message' }
  const afterMs = Math.min(retryAfterMs * growth ** before, Math.max(retryAfterMs, longestPauseMs))
  return { kind: 'retry', afterMs, reason, code, detail, throttled }
}

/** No response. Only a request that cannot have been sent is a definite rejection. */
export function readFailure(error: unknown): SendOutcome {
  if (!(error instanceof EgressError)) return { kind: 'unknown', code: 'FAILED', detail: truncate(String(error), 300) }
  const { code, message: detail, sent } = error
  if (code === 'EGRESS_REFUSED') return { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
  if (sent) return { kind: 'unknown', code, detail }
  return { kind: 'retry', afterMs: 2_000, reason: 'not_connected', code, detail, throttled: false }
}

function parse(body: string): unknown {
  try {
    return parseExactly(body)
  } catch {
    // A proxy's page or a truncated response: it says nothing about the message.
    return undefined
  }
}
