import type { DeliveryAttempt } from '@carillon/contract/webhook-records'
import { truncate } from '@carillon/contract/text'
import { EgressError, type EgressAnswer } from '../../../egress/egress.ts'
import { storableText } from '../../../lib/storable.ts'

/** What a response, or the lack of one, means. */
export type Verdict = {
  attempt: Pick<DeliveryAttempt, 'status' | 'response' | 'error'>
  isSuccess: boolean
  /** False if the endpoint is down or silent; other failures say that it is alive. */
  isAnswered: boolean
  /** 410: it wants no more events. */
  isGone: boolean
  /** It asks for fewer requests. */
  isThrottled: boolean
  /** The wait that it asks for. */
  retryAfterMs: number | undefined
}

/** Stored of a response, in bytes. */
const storedBytes = 4096
const longestRetryAfterMs = 24 * 3_600_000
const throttles = new Set([429, 502, 504])

/** Only 2xx succeed; a redirect is a failure and is not followed. */
export function judgeResponse(
  { status, headers, bytes }: Pick<EgressAnswer, 'status' | 'headers' | 'bytes'>,
  now: Date,
): Verdict {
  const isSuccess = status >= 200 && status < 300
  const retryAfterMs = isSuccess ? undefined : readRetryAfter(headers['retry-after'], now)
  return {
    attempt: { status, ...(bytes.length > 0 && { response: readText(bytes) }) },
    isSuccess,
    isAnswered: status < 500,
    isGone: status === 410,
    isThrottled: throttles.has(status) || retryAfterMs !== undefined,
    retryAfterMs,
  }
}

/** A request without a complete response. */
export function judgeError(error: unknown): Verdict {
  return {
    attempt: { error: explain(error) },
    isSuccess: false,
    isAnswered: false,
    isGone: false,
    isThrottled: false,
    retryAfterMs: undefined,
  }
}

function explain(error: unknown): string {
  if (!(error instanceof EgressError)) return 'The request failed'
  if (error.code.endsWith('_TIMEOUT') || /timeout/i.test(error.message)) return 'No complete response within 15 seconds'
  return truncate(storableText(error.message), 300)
}

/** A character that is cut in the middle is dropped. */
function readText(bytes: Buffer): string {
  const text = bytes.subarray(0, storedBytes).toString('utf8')
  return storableText(bytes.length > storedBytes ? text.replace(/\uFFFD$/, '') : text)
}

/** Seconds, or a date. */
function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(longestRetryAfterMs, Math.max(0, ms))
}
