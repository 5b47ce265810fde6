import { createSign } from 'node:crypto'
import { truncate } from '@carillon/contract/text'
import type { ProviderCallIo } from '../../provider.ts'
import { Refusal } from '../../management.ts'
import type { RcsPartner } from '../partner.ts'

type Io = Pick<ProviderCallIo, 'clock' | 'egress'>

type Account = RcsPartner['serviceAccount']

/** A token is renewed this long before it expires, so that no request is sent with one that ends on the way. */
const earlyMs = 60_000
const lifetimeSeconds = 3600
const timeoutMs = 15_000

type Held = { key: string; token: Promise<string>; expiresAt: number }

/** By service account and scope. One for the process: all bots of the partner send with the same token. */
const held = new Map<string, Held>()

/** The access token of the partner's service account. Throws a `Refusal` if Google refuses the account, an `EgressError` if it is unreachable. */
export async function getAccessToken(account: Account, scope: string, io: Io): Promise<string> {
  const now = io.clock.now().getTime()
  const place = placeOf(account, scope)
  const known = held.get(place)
  if (known && known.key === account.private_key && known.expiresAt - earlyMs > now) return known.token
  const entry: Held = {
    key: account.private_key,
    expiresAt: now + lifetimeSeconds * 1000,
    token: requestToken(account, scope, io).then(({ token, seconds }) => {
      entry.expiresAt = now + seconds * 1000
      return token
    }),
  }
  held.set(place, entry)
  entry.token.catch(() => forget(place, entry))
  return entry.token
}

/** The token was refused: the next call requests another one. A token requested in the meantime is kept. */
export async function dropAccessToken(account: Account, scope: string, token: string): Promise<void> {
  const place = placeOf(account, scope)
  const known = held.get(place)
  if (known && (await known.token.catch(() => token)) === token) forget(place, known)
}

function forget(place: string, entry: Held) {
  if (held.get(place) === entry) held.delete(place)
}

function placeOf({ client_email, token_uri }: Account, scope: string): string {
  return [client_email, token_uri, scope].join('\n')
}

async function requestToken(account: Account, scope: string, { clock, egress }: Io) {
  const assertion = signAssertion(account, scope, Math.floor(clock.now().getTime() / 1000))
  const answer = await egress.request({
    method: 'POST',
    url: account.token_uri,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    timeoutMs,
  })
  const body = parseBody(answer.body)
  const { access_token: token, expires_in: seconds } = body
  if (answer.status === 200 && typeof token === 'string') return { token, seconds: Number(seconds) || lifetimeSeconds }
  const said = [body['error_description'], body['error']].find((words) => typeof words === 'string')
  throw new Refusal(
    `Google does not accept the service account: ${truncate(String(said ?? `response with status ${answer.status}`), 200)}`,
    { code: String(answer.status), kind: answer.status >= 500 || answer.status === 429 ? 'passing' : 'credentials' },
  )
}

function signAssertion({ client_email, private_key, token_uri }: Account, scope: string, now: number): string {
  const claims = { iss: client_email, scope, aud: token_uri, iat: now, exp: now + lifetimeSeconds }
  const unsigned = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  try {
    return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(private_key, 'base64url')}`
  } catch {
    throw new Refusal('The private key of the service account cannot be read: upload the key file again', {
      code: 'private_key',
      kind: 'credentials',
    })
  }
}

function parseBody(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
