import { createHash } from 'node:crypto'
import { truncate } from '@carillon/contract/text'
import { Refusal } from '../../management.ts'
import type { ProviderCallIo } from '../../provider.ts'
import { rowOf, stringOf } from '../../read-json.ts'
import { parseJson } from '../json.ts'

/** Credentials of the platform: one pair sends, another manages templates. */
export type Credentials = { authUrl: string; clientId: string; clientSecret: string }

type Io = Pick<ProviderCallIo, 'clock' | 'egress'>
type Held = { token: Promise<string>; expiresAt: number }

const earlyMs = 60_000
const standardSeconds = 3600
const timeoutMs = 15_000

/** One for the process: all sessions and calls of an account use the same token. */
const held = new Map<string, Held>()

/** Throws a `Refusal` if the platform refuses the credentials. */
export async function getToken(credentials: Credentials, io: Io): Promise<string> {
  const now = io.clock.now().getTime()
  const place = placeOf(credentials)
  const known = held.get(place)
  if (known && known.expiresAt - earlyMs > now) return known.token
  const entry: Held = {
    expiresAt: now + standardSeconds * 1000,
    token: requestToken(credentials, io).then(({ token, seconds }) => {
      entry.expiresAt = now + seconds * 1000
      return token
    }),
  }
  held.set(place, entry)
  entry.token.catch(() => forget(place, entry))
  return entry.token
}

/** The token was refused: the next call requests another one. */
export async function dropToken(credentials: Credentials, token: string): Promise<void> {
  const place = placeOf(credentials)
  const known = held.get(place)
  if (known && (await known.token.catch(() => token)) === token) forget(place, known)
}

function forget(place: string, entry: Held) {
  if (held.get(place) === entry) held.delete(place)
}

function placeOf({ authUrl, clientId, clientSecret }: Credentials): string {
  return [authUrl, clientId, createHash('sha256').update(clientSecret).digest('hex')].join('\n')
}

async function requestToken({ authUrl, clientId, clientSecret }: Credentials, { egress }: Io) {
  const answer = await egress.request({
    method: 'POST',
    url: authUrl,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    timeoutMs,
  })
  const body = rowOf(parseJson(answer.body))
  const token = stringOf(body['access_token'])
  if (answer.status < 300 && token !== undefined)
    return { token, seconds: Number(body['expires_in']) || standardSeconds }
  const said = stringOf(body['error_description']) ?? stringOf(body['error']) ?? `response with status ${answer.status}`
  throw new Refusal(`The operator does not accept the credentials: ${truncate(said, 200)}`, {
    code: String(answer.status),
    kind: answer.status >= 500 || answer.status === 429 ? 'passing' : 'credentials',
  })
}
