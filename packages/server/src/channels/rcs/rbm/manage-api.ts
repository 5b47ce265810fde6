import { truncate } from '@carillon/contract/text'
import { EgressError, type EgressAnswer, type EgressRequest } from '../../../egress/egress.ts'
import { Refusal } from '../../management.ts'
import type { ProviderCallIo } from '../../provider.ts'
import type { RcsPartner } from '../partner.ts'
import { dropAccessToken, getAccessToken } from './google-tokens.ts'

export type Row = Record<string, unknown>

export type ApiCall = { method?: EgressRequest['method']; path: string; query?: Record<string, string>; json?: object }

/** One call of a Google API with the partner's token: its response, or a Refusal with a message for the caller. */
export type GoogleApi = (call: ApiCall) => Promise<Row>

const timeoutMs = 20_000

type Target = { partner: RcsPartner; scope: string; url: string }

export function openGoogleApi({ partner: { serviceAccount }, scope, url }: Target, io: ProviderCallIo): GoogleApi {
  const ask = async (call: ApiCall, token: string) => io.egress.request(toRequest(url, call, token))
  return (call) =>
    withRefusals(async () => {
      const token = await getAccessToken(serviceAccount, scope, io)
      const answer = await ask(call, token)
      if (answer.status !== 401) return read(answer)
      // The token was revoked before its time: another one shows whether the account still works.
      await dropAccessToken(serviceAccount, scope, token)
      return read(await ask(call, await getAccessToken(serviceAccount, scope, io)))
    })
}

function toRequest(url: string, { method = 'GET', path, query = {}, json }: ApiCall, token: string): EgressRequest {
  const search = new URLSearchParams(query).toString()
  return {
    method,
    url: `${url}/v1/${path}${search === '' ? '' : `?${search}`}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(json ? { 'content-type': 'application/json; charset=utf-8' } : {}),
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
    timeoutMs,
  }
}

async function withRefusals(work: () => Promise<Row>): Promise<Row> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (error.code === 'EGRESS_REFUSED') throw new Refusal(error.message, { code: error.code, kind: 'input' })
    throw new Refusal(`Google could not be reached: ${error.message}`, { code: error.code, kind: 'passing' })
  }
}

function read({ status, body }: EgressAnswer): Row {
  const row = parseRow(body)
  if (status < 400 && row) return row
  const error: { message?: unknown; status?: unknown } = Object(row?.['error'])
  const said = typeof error.message === 'string' ? error.message : `Google responded with ${status}`
  throw new Refusal(`${openings[status] ?? ''}${truncate(said, 300)}`, { code: String(status), kind: kindOf(status) })
}

const openings: Record<number, string> = {
  401: 'Google does not accept the service account: ',
  403: 'The service account may not do this: ',
  429: 'Google’s limit is reached: ',
}

function kindOf(status: number): Refusal['kind'] {
  if (status === 401 || status === 403) return 'credentials'
  if (status === 429) return 'limit'
  if (status >= 500) return 'passing'
  return status === 400 || status === 404 ? 'input' : 'other'
}

function parseRow(text: string): Row | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isRow(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object inside a response; empty if it is none. */
export function rowIn(row: Row, name: string): Row {
  const value = row[name]
  return isRow(value) ? value : {}
}

export function rowsIn(row: Row, name: string): Row[] {
  const value = row[name]
  return Array.isArray(value) ? value.filter(isRow) : []
}

export function textIn(row: Row, name: string): string {
  const value = row[name]
  return typeof value === 'string' ? value : ''
}
