import { truncate } from '@carillon/contract/text'
import { createHash } from 'node:crypto'
import { storableJson } from '../../../lib/storable.ts'
import type {
  DeliveryReport,
  InboundMessage,
  ProviderEvent,
  ReportMatch,
  WebhookRequest,
  WebhookResult,
} from '../../provider.ts'
import { findDltCode } from '../dlt-codes.ts'
import type { HttpGatewayConfig } from './config.ts'
import { findAll, findText, type Found } from './json-path.ts'
import { refuseForgery } from './signature.ts'
import { findStatus, type ReportedStatus } from './statuses.ts'

const longestRaw = 4_000

/** A gateway's callback: verified, parsed, and acknowledged in its format. */
export function readCallback(request: WebhookRequest, config: HttpGatewayConfig): WebhookResult {
  const forgery = refuseForgery(request, config)
  if (forgery) return forgery
  if (request.action !== 'report' && request.action !== 'inbound') {
    return { kind: 'refused', status: 400, message: 'Callbacks go to …/report or …/inbound' }
  }
  const isReport = request.action === 'report'
  const body = storableJson(
    readBody(request, isReport ? config.reportFormat : config.inboundFormat, config.reportField),
  )
  if (body === undefined) return { kind: 'refused', status: 400, message: 'The callback could not be read' }

  const raw = truncate(
    request.rawBody.length > 0 ? request.rawBody.toString('utf8') : new URLSearchParams(request.query).toString(),
    longestRaw,
  )
  const entries = isReport ? findAll(body, config.reportRoot) : [{ value: body, around: [] }]
  const read = isReport ? readReport : readInbound
  const events = entries.flatMap((entry): ProviderEvent[] => {
    const event = read(entry, config)
    return event ? [{ ...event, raw }] : []
  })
  return { kind: 'events', events, reply: { status: 200, contentType: config.replyType, body: config.replyBody } }
}

/** Forms and queries are read as an object of their fields; undefined if JSON is expected and the body is none. */
function readBody(
  { query, rawBody }: WebhookRequest,
  format: HttpGatewayConfig['reportFormat'],
  field: string,
): unknown {
  if (format === 'query') return query
  const text = rawBody.toString('utf8')
  if (format === 'json') return parseJson(text)
  // Gateways that post a form can usually add the same fields to the URL as well.
  const fields: Record<string, string> = { ...query, ...Object.fromEntries(new URLSearchParams(text)) }
  return format === 'form' ? fields : parseJson(fields[field] ?? '')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined for unknown statuses: they are acknowledged and ignored. */
function readReport(entry: Found, config: HttpGatewayConfig): DeliveryReport | undefined {
  const id = findText(entry, config.reportId)
  const reference = findText(entry, config.reportReference)
  const word = findText(entry, config.reportStatus)
  const known = word === undefined ? undefined : mapStatus(word, config)
  if ((!id && !reference) || word === undefined || !known) return undefined

  const error = findText(entry, config.reportError)
  const code = error && !/^0*$/.test(error) ? error : undefined
  const failure = known.status === 'failed' ? explain(code, known, config) : {}
  return {
    kind: 'delivery-report',
    providerMessageIds: id ? [id] : [],
    ...matchOf(id, findText(entry, config.reportNumber)),
    ...(reference ? { reference } : {}),
    status: known.status,
    ...failure,
    code: code ?? word,
    at: readTime(findText(entry, config.reportTime), config),
  }
}

/** Short numeric ids are reused one day; UUIDs and hashes are not. */
function matchOf(id: string | undefined, number: string | undefined): { match?: ReportMatch } {
  if (!id || !/^[0-9a-f]{1,20}$/i.test(id)) return {}
  return { match: { readings: ['same'], numbers: number === undefined ? [] : [number], isLocalTime: false } }
}

function mapStatus(word: string, { statusMap }: HttpGatewayConfig): ReportedStatus | undefined {
  const own = statusMap.find(({ value }) => value.toLowerCase() === word.trim().toLowerCase())
  if (!own) return findStatus(word)
  return own.status === 'ignore'
    ? undefined
    : { status: own.status, ...(own.status === 'failed' ? { reason: 'undelivered' as const } : {}) }
}

function explain(
  code: string | undefined,
  known: ReportedStatus,
  { errorMap }: HttpGatewayConfig,
): Pick<DeliveryReport, 'reason' | 'detail'> {
  const own = errorMap.find(({ match }) => match === code)
  const dlt = code === undefined ? undefined : findDltCode(code)
  const reason = own?.reason ?? dlt?.reason ?? known.reason
  return { ...(reason ? { reason } : {}), ...(!own && dlt ? { detail: dlt.detail } : {}) }
}

function readInbound(entry: Found, config: HttpGatewayConfig): InboundMessage | undefined {
  const from = findText(entry, config.inboundFrom)
  const to = findText(entry, config.inboundTo)
  const text = findText(entry, config.inboundText)
  if (!from || !to || text === undefined) return undefined
  const time = findText(entry, config.inboundTime)
  const at = readTime(time, config)
  const id = findText(entry, config.inboundId)
  return {
    kind: 'inbound-message',
    from,
    to,
    text,
    at,
    dedupeKey: id ?? hashOf([from, to, text, time ?? tenMinutesOf(at)]),
    ...(id === undefined && time === undefined ? { isNameless: true } : {}),
  }
}

/** Without id and time, a repeat can be distinguished from a new message only by the time since the first. */
function tenMinutesOf(at: Date): string {
  return String(Math.floor(at.getTime() / 600_000))
}

function hashOf(words: string[]): string {
  return createHash('sha256').update(words.join('\0')).digest('base64url')
}

/** Unix seconds or milliseconds, ISO 8601, `YYMMDDhhmm`, or a local time as `2026-01-05 10:00:00`. */
function readTime(text: string | undefined, { timezoneOffset }: HttpGatewayConfig): Date {
  const now = new Date()
  if (text === undefined) return now
  const at = new Date(timeOf(text.trim(), timezoneOffset))
  return Math.abs(at.getTime() - now.getTime()) < 366 * 86_400_000 ? at : now
}

function timeOf(text: string, offset: string): number {
  if (/^\d{13}$/.test(text)) return Number(text)
  if (/^1\d{9}$/.test(text)) return Number(text) * 1000
  const [year, month, day, hour, minute, second = '00'] = /^\d{10}(\d\d)?$/.test(text)
    ? (text.match(/\d\d/g) ?? [])
    : []
  if (year) return Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
  const isLocal = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)
  return Date.parse(isLocal ? `${text.replace(' ', 'T')}${offset}` : text)
}
