import type { WebhookEvent } from './calls.gen.ts'

/** The headers of a request: of `fetch`, of Node, or a plain object. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

/** Why a webhook was refused. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const toleranceSeconds = 5 * 60

/**
 * Verifies a webhook by Standard Webhooks 1.0.0 and returns its event. `key` is the secret of the endpoint, `whsec_…`, or its public
 * key, `whpk_…`. `rawBody` is the body as it arrived: JSON that was parsed and written again differs.
 */
export async function verifyWebhook(
  key: string,
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
): Promise<WebhookEvent> {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new TypeError('rawBody must be the text or the bytes of the request, before JSON is parsed')
  const verify = await readKey(key)
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature').split(' ')
  assertRecent(timestamp)

  const content = concat(
    encoder.encode(`${id}.${timestamp}.`),
    typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody,
  )
  if (!(await matchesAny(verify, signatures, content)))
    throw new WebhookVerificationError('No signature of the webhook matches this key')
  return parseEvent(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody))
}

const encoder = new TextEncoder()

type Bytes = Uint8Array<ArrayBuffer>
/** Checks a signature in constant time. */
type Verify = { version: 'v1' | 'v1a'; matches(signature: Bytes, content: Bytes): Promise<boolean> }

const publicKeyBytes = 32

async function readKey(key: string): Promise<Verify> {
  const [, prefix, text = ''] = /^(whsec_|whpk_)(.+)$/.exec(key) ?? []
  const bytes = fromBase64(text)
  if (!prefix || !bytes || (prefix === 'whpk_' && bytes.length !== publicKeyBytes))
    throw new TypeError('The key of a webhook endpoint begins with whsec_ or whpk_')
  const { subtle } = crypto
  if (prefix === 'whsec_') {
    const secret = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    return { version: 'v1', matches: (signature, content) => subtle.verify('HMAC', secret, signature, content) }
  }
  const publicKey = await subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
  return { version: 'v1a', matches: (signature, content) => subtle.verify('Ed25519', publicKey, signature, content) }
}

/** During a rotation there is a signature for each secret. */
async function matchesAny({ version, matches }: Verify, signatures: string[], content: Bytes): Promise<boolean> {
  for (const signature of signatures) {
    const [found, text = ''] = signature.split(',')
    const bytes = found === version ? fromBase64(text) : undefined
    if (bytes && (await matches(bytes, content))) return true
  }
  return false
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name)
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing`)
  return value
}

function findHeader(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : value?.[0]
}

function assertRecent(timestamp: string) {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The header webhook-timestamp is not a time')
  const seconds = Date.now() / 1000 - Number(timestamp)
  if (seconds > toleranceSeconds) throw new WebhookVerificationError('The webhook is more than five minutes old')
  if (seconds < -toleranceSeconds)
    throw new WebhookVerificationError('The webhook is more than five minutes ahead: check the clock')
}

function parseEvent(text: string): WebhookEvent {
  try {
    // It was signed by the server, whose events have this type.
    return JSON.parse(text) as WebhookEvent
  } catch {
    throw new WebhookVerificationError('The body of the webhook is not JSON')
  }
}

function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function concat(first: Uint8Array, second: Uint8Array): Bytes {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
