import { storableJson } from '../../../lib/storable.ts'
import { EgressError, type Egress, type EgressAnswer, type EgressRequest } from '../../../egress/egress.ts'
import { Refusal } from '../../management.ts'
import type { CloudApiConfig } from './config.ts'
import { findError, type GraphError } from './graph-error.ts'
import { isRow, type Row } from '../../read-json.ts'
import { parseExactly } from './json.ts'
import { graphAddress } from './request.ts'

/** Base URL of the Graph API, and the caller's credentials. */
export type GraphAccess = Pick<CloudApiConfig, 'graphUrl' | 'graphVersion' | 'accessToken' | 'timeoutSeconds'>

export type GraphCall = {
  method?: EgressRequest['method']
  /** The path after the version. */
  path: string
  query?: Record<string, string | undefined>
  json?: object
  bytes?: { contentType: string; body: Buffer }
  headers?: Record<string, string>
  /** Replaces the account's token; empty if the call authenticates by itself. */
  token?: string
}

/** One management call: its response, or a Refusal with a message for the caller. */
export type Graph = (call: GraphCall) => Promise<Row>

export function openGraph(access: GraphAccess, egress: Egress): Graph {
  return async (call) => {
    const answer = await sendRequest(egress, toRequest(access, call))
    const body = parse(answer.body)
    const error = findError(body)
    if (error) throw toRefusal(error)
    if (isRow(body) && answer.status < 400) return body
    throw unreadable(answer.status)
  }
}

function toRequest(access: GraphAccess, call: GraphCall): EgressRequest {
  const { method = 'GET', path, query = {}, headers, token = access.accessToken } = call
  const { contentType, body } = contentOf(call)
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = new URLSearchParams(given).toString()
  return {
    method,
    url: graphAddress(access, search === '' ? path : `${path}?${search}`),
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    // An upload takes longer.
    timeoutMs: access.timeoutSeconds * 1000 * (call.bytes ? 4 : 1),
  }
}

function contentOf({ json, bytes }: GraphCall): { contentType?: string; body?: string | Buffer } {
  if (json === undefined) return bytes ?? {}
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(json) }
}

/** The parsed response of a request, or an error with a message. */
export async function sendRequest(egress: Egress, request: EgressRequest): Promise<EgressAnswer> {
  try {
    return await egress.request(request)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (error.code === 'EGRESS_REFUSED') throw new Refusal(error.message, { code: error.code, kind: 'input' })
    if (error.code === 'ANSWER_TOO_LARGE')
      throw new Refusal('Meta’s response is too large', { code: error.code, kind: 'other' })
    throw new Refusal(`Meta could not be reached: ${error.message}`, { code: error.code, kind: 'passing' })
  }
}

function parse(body: string): unknown {
  try {
    return storableJson(parseExactly(body))
  } catch {
    // A proxy's page; only the status is meaningful.
    return undefined
  }
}

function unreadable(status: number): Refusal {
  return new Refusal(`Meta responded with ${status} with an unreadable body; try again in a minute`, {
    code: `http_${status}`,
    kind: status === 404 ? 'input' : 'passing',
  })
}

/** Meta's text for users if there is one; else our own followed by Meta's. */
export function toRefusal(error: GraphError): Refusal {
  const { code, detail, userMessage } = error
  const kind = kindOf(error)
  const message = userMessage ?? (kind === 'other' || kind === 'input' ? detail : `${openings[kind]}: ${detail}`)
  return new Refusal(message, { code: String(code), kind })
}

const openings: Record<'credentials' | 'limit' | 'passing', string> = {
  credentials: 'Meta rejected the token for this call',
  limit: 'Meta rate-limited this call; try again later',
  passing: 'Meta has a temporary error',
}

const credentialCodes: ReadonlySet<number> = new Set([0, 3, 10, 102, 104, 190, 131005])
const limitCodes: ReadonlySet<number> = new Set([4, 17, 32, 613, 80007, 80008, 130429, 131056, 133008, 133009, 133016])
const passingCodes: ReadonlySet<number> = new Set([2, 131000, 131016, 131057, 133000, 133004, 133015, 134101, 2494100])
const inputCodes: ReadonlySet<number> = new Set([1, 33, 100, 803, 2200, 131008, 131009, 131052, 131053, 133005, 135000])
/** More templates than the account may have. */
const tooManyTemplates = 2388019

function kindOf({ code, subcode, isTransient }: GraphError): Refusal['kind'] {
  if (subcode === tooManyTemplates) return 'limit'
  if (credentialCodes.has(code) || (code >= 200 && code <= 299)) return 'credentials'
  if (limitCodes.has(code)) return 'limit'
  if (passingCodes.has(code) || isTransient) return 'passing'
  return inputCodes.has(code) ? 'input' : 'other'
}
