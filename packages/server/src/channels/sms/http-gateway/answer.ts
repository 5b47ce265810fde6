import { truncate } from '@carillon/contract/text'
import type { FailureClass } from '@carillon/contract/campaign-records'
import { EgressError, type EgressAnswer } from '../../../egress/egress.ts'
import type { SendOutcome } from '../../provider.ts'
import { findDltCode } from '../dlt-codes.ts'
import type { HttpGatewayConfig } from './config.ts'
import { findText, type Found } from './json-path.ts'

const defaultPauseMs = 1_000
const longestPauseMs = 3_600_000
const longestDetail = 300

/** Interprets the gateway's response to one message. */
export function readAnswer(answer: EgressAnswer, config: HttpGatewayConfig, reference: string): SendOutcome {
  const json = parseJson(answer.body)
  const ids = findId(answer, config, { json, reference })
  if (isUnreadable(answer, config, { json, ids })) return unreadable
  if (isAccepted(answer, config, { json, ids })) return { kind: 'accepted', providerMessageIds: ids }

  const code = findText(json, config.errorCodePath) ?? leadingCode(answer.body) ?? String(answer.status)
  const message = findText(json, config.errorTextPath) ?? answer.body.trim()
  const detail = truncate(message || `The gateway responded with ${answer.status}`, longestDetail)
  return readErrorMap({ answer, code, detail }, config) ?? readStatus(answer, code, detail)
}

type Read = { json: Found; ids: string[] }

const unreadable: SendOutcome = {
  kind: 'unknown',
  code: 'UNREADABLE',
  detail: 'The gateway returned success in an unexpected format',
}

/**
 * A success that is not in the format of this account's gateway, such as a proxy's page. The gateway may have accepted the
 * message, so it is not a rejection.
 */
function isUnreadable(answer: EgressAnswer, config: HttpGatewayConfig, { json, ids }: Read): boolean {
  if (!isSuccess(answer, config)) return false
  if (config.successRule === 'json-equals') return json.value === undefined
  return config.successRule === 'id' && ids.length === 0 && findText(json, config.errorCodePath) === undefined
}

function isSuccess({ status }: EgressAnswer, { successFrom, successTo }: HttpGatewayConfig): boolean {
  return status >= successFrom && status <= successTo
}

function isAccepted(answer: EgressAnswer, config: HttpGatewayConfig, { json, ids }: Read): boolean {
  if (!isSuccess(answer, config)) return false
  const rules: Record<HttpGatewayConfig['successRule'], () => boolean> = {
    status: () => true,
    id: () => ids.length > 0,
    contains: () => answer.body.includes(config.successValue),
    'starts-with': () => answer.body.trimStart().startsWith(config.successValue),
    'json-equals': () => findText(json, config.successPath) === config.successValue,
  }
  return rules[config.successRule]()
}

/** The code at the start of a plain text response, as in `1706|919812345670`. */
function leadingCode(body: string): string | undefined {
  return /^\s*(\d{1,6})(?=[|:,;\s]|$)/.exec(body)?.[1]
}

/** Accepted without a readable id is still accepted; only its reports cannot be matched. */
function findId(
  answer: EgressAnswer,
  { idFrom, idPath }: HttpGatewayConfig,
  { json, reference }: { json: Found; reference: string },
): string[] {
  const found: Record<HttpGatewayConfig['idFrom'], () => string | undefined> = {
    json: () => findText(json, idPath),
    pattern: () => findBetween(answer.body, idPath),
    header: () => answer.headers[idPath.toLowerCase()],
    own: () => reference,
  }
  const id = found[idFrom]()?.trim()
  return id ? [id] : []
}

/** The text matched by the star of `Success "*"`; `{any}` matches skipped text, as in `1701|{any}|*`. */
function findBetween(body: string, pattern: string): string | undefined {
  const pieces = pattern.split(/(\*|\{any\})/)
  let rest = body
  let found: string | undefined
  for (let index = 0; index < pieces.length; index += 2) {
    const literal = pieces[index] ?? ''
    const isLast = index === pieces.length - 1
    const at = literal === '' ? (isLast && index > 0 ? rest.length : 0) : rest.indexOf(literal)
    if (at === -1) return undefined
    if (pieces[index - 1] === '*') found = rest.slice(0, at)
    rest = rest.slice(at + literal.length)
  }
  return found
}

type Refusal = { answer: EgressAnswer; code: string; detail: string }

/** The account's own response table in order: by status, by code, or by text in the response. */
function readErrorMap({ answer, code, detail }: Refusal, config: HttpGatewayConfig): SendOutcome | undefined {
  const entry = config.errorMap.find(
    ({ match }) =>
      match === code || match === String(answer.status) || (/[^\d]/.test(match) && answer.body.includes(match)),
  )
  if (!entry) return undefined
  const { reason, action } = entry
  if (action === 'retry') return retryLater({ answer, code, detail }, reason)
  return { kind: 'rejected', reason, code, detail, scope: action === 'stop-account' ? 'sender' : 'message' }
}

function readStatus(answer: EgressAnswer, code: string, detail: string): SendOutcome {
  const { status } = answer
  if (status === 429) return retryLater({ answer, code, detail }, 'throughput_limited')
  // RFC 9110 15.6.4: a 503 with Retry-After has not processed the request.
  if (status === 503 && answer.headers['retry-after'] !== undefined)
    return retryLater({ answer, code, detail }, 'throughput_limited')
  // Other failures may have occurred after the gateway accepted the message.
  if (status >= 500 || status === 408) return { kind: 'unknown', code, detail }
  if (status === 401 || status === 403)
    return { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
  const dlt = findDltCode(code)
  if (dlt) return { kind: 'rejected', reason: dlt.reason, code, detail: dlt.detail, scope: 'message' }
  const reason = status < 400 ? 'operator_rejected' : 'bad_request'
  return { kind: 'rejected', reason, code, detail, scope: 'message' }
}

/** A gateway that throttles with Retry-After accepts no messages until then. */
function retryLater({ answer, code, detail }: Refusal, reason: FailureClass): SendOutcome {
  const pauseMs = readRetryAfter(answer)
  const throttled = reason === 'throughput_limited'
  const later = { kind: 'retry', afterMs: pauseMs ?? defaultPauseMs, reason, code, detail, throttled } as const
  return throttled && pauseMs !== undefined ? { ...later, pauseMs } : later
}

/** Seconds, or a date. */
function readRetryAfter({ headers }: EgressAnswer): number | undefined {
  const text = headers['retry-after']
  if (text === undefined) return undefined
  const ms = /^\d{1,6}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(longestPauseMs, Math.max(defaultPauseMs, ms))
}

/** No response. Only a request that cannot have been sent is a definite rejection. */
export function readFailure(error: unknown): SendOutcome {
  if (!(error instanceof EgressError))
    return { kind: 'unknown', code: 'FAILED', detail: truncate(String(error), longestDetail) }
  const { code, message: detail, sent } = error
  if (code === 'EGRESS_REFUSED') return { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
  if (sent) return { kind: 'unknown', code, detail }
  return { kind: 'retry', afterMs: 2_000, reason: 'not_connected', code, detail, throttled: false }
}

function parseJson(body: string): Found {
  try {
    return { value: JSON.parse(body) as unknown, around: [] }
  } catch {
    // The response may not be JSON; then no path matches.
    return { value: undefined, around: [] }
  }
}
