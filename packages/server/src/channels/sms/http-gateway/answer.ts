import { EgressError, type EgressAnswer } from '../../../egress/egress.ts'
import type { SendOutcome } from '../../provider.ts'
import { findDltCode } from '../dlt-codes.ts'
import type { HttpGatewayConfig } from './config.ts'
import { findText, type Found } from './json-path.ts'

const defaultPauseMs = 1_000
const longestPauseMs = 3_600_000
const longestDetail = 300

/** What the gateway's answer to one message means. */
export function readAnswer(answer: EgressAnswer, config: HttpGatewayConfig, reference: string): SendOutcome {
  const json = parseJson(answer.body)
  if (isTaken(answer, config, json))
    return { kind: 'accepted', providerMessageIds: findId(answer, config, { json, reference }) }

  const code = findText(json, config.errorCodePath) ?? String(answer.status)
  const detail = (
    findText(json, config.errorTextPath) ??
    (answer.body.trim() || `The gateway answered ${answer.status}`)
  ).slice(0, longestDetail)
  return readErrorMap({ answer, code, detail }, config) ?? readStatus(answer, code, detail)
}

function isTaken({ status, body }: EgressAnswer, config: HttpGatewayConfig, json: Found): boolean {
  if (status < config.successFrom || status > config.successTo) return false
  if (config.successRule === 'status') return true
  if (config.successRule === 'contains') return body.includes(config.successValue)
  return findText(json, config.successPath) === config.successValue
}

/** Taken without a readable id is still taken; only its reports will not find it. */
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

/** `Success "*"`: what stands where the star is. */
function findBetween(body: string, pattern: string): string | undefined {
  const [before = '', after = ''] = pattern.split('*')
  const start = body.indexOf(before)
  if (start === -1) return undefined
  const rest = body.slice(start + before.length)
  const end = after === '' ? rest.length : rest.indexOf(after)
  return end === -1 ? undefined : rest.slice(0, end)
}

type Refusal = { answer: EgressAnswer; code: string; detail: string }

/** The account's own table, first entry first: by status, by code, or by words of the answer. */
function readErrorMap({ answer, code, detail }: Refusal, config: HttpGatewayConfig): SendOutcome | undefined {
  const entry = config.errorMap.find(
    ({ match }) =>
      match === code || match === String(answer.status) || (/[^\d]/.test(match) && answer.body.includes(match)),
  )
  if (!entry) return undefined
  const { reason, action } = entry
  if (action === 'retry')
    return { kind: 'retry', afterMs: pauseMs(answer), reason, code, detail, throttled: reason === 'throughput_limited' }
  return { kind: 'rejected', reason, code, detail, scope: action === 'stop-account' ? 'sender' : 'message' }
}

function readStatus(answer: EgressAnswer, code: string, detail: string): SendOutcome {
  const { status } = answer
  if (status === 429)
    return { kind: 'retry', afterMs: pauseMs(answer), reason: 'throughput_limited', code, detail, throttled: true }
  // The gateway may have taken the message before it stumbled.
  if (status >= 500 || status === 408) return { kind: 'unknown', code, detail }
  if (status === 401 || status === 403)
    return { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
  const dlt = findDltCode(code)
  if (dlt) return { kind: 'rejected', reason: dlt.reason, code, detail: dlt.detail, scope: 'message' }
  const reason = status < 400 ? 'operator_rejected' : 'bad_request'
  return { kind: 'rejected', reason, code, detail, scope: 'message' }
}

/** Retry-After is a number of seconds or a date. */
function pauseMs({ headers }: EgressAnswer): number {
  const text = headers['retry-after']
  if (text === undefined) return defaultPauseMs
  const ms = /^\d{1,6}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? defaultPauseMs : Math.min(longestPauseMs, Math.max(defaultPauseMs, ms))
}

/** No answer at all. Only a request that cannot have left is a definite no. */
export function readFailure(error: unknown): SendOutcome {
  if (!(error instanceof EgressError))
    return { kind: 'unknown', code: 'FAILED', detail: String(error).slice(0, longestDetail) }
  const { code, message: detail, sent } = error
  if (code === 'EGRESS_REFUSED') return { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
  if (sent) return { kind: 'unknown', code, detail }
  return { kind: 'retry', afterMs: 2_000, reason: 'not_connected', code, detail, throttled: false }
}

function parseJson(body: string): Found {
  try {
    return { value: JSON.parse(body) as unknown, around: [] }
  } catch {
    // Not every gateway answers in JSON; then no path leads anywhere.
    return { value: undefined, around: [] }
  }
}
