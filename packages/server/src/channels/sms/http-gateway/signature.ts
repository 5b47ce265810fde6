import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookRequest, WebhookResult } from '../../provider.ts'
import type { HttpGatewayConfig } from './config.ts'

type Refused = Extract<WebhookResult, { kind: 'refused' }>

/** Why a callback is rejected; undefined if it is valid. Verifies the raw bytes before parsing. */
export function refuseForgery(request: WebhookRequest, config: HttpGatewayConfig): Refused | undefined {
  if (config.signature === 'none') return undefined
  if (!config.signatureSecret) return refused(503, 'The signing key of this account is not set')
  const { given, expected } = check(request, config)
  if (given === undefined) return refused(401, 'The callback is not signed')
  return isEqual(given, expected) ? undefined : refused(403, 'The signature is invalid')
}

function refused(status: Refused['status'], message: string): Refused {
  return { kind: 'refused', status, message }
}

function check(request: WebhookRequest, config: HttpGatewayConfig): { given: string | undefined; expected: string } {
  const { signatureUser, signatureSecret, signatureHeader, signatureAlgorithm, signatureEncoding } = config
  if (config.signature === 'basic') {
    const expected = `Basic ${Buffer.from(`${signatureUser}:${signatureSecret}`).toString('base64')}`
    return { given: request.headers['authorization'], expected }
  }
  if (config.signature === 'twilio') {
    return { given: request.headers['x-twilio-signature'], expected: twilioSignature(request, signatureSecret) }
  }
  const expected = createHmac(signatureAlgorithm, signatureSecret).update(request.rawBody).digest(signatureEncoding)
  const header = request.headers[signatureHeader.toLowerCase()]?.replace(/^(?:sha1|sha256|sha512|v\d+)=/i, '')
  return { given: signatureEncoding === 'hex' ? header?.toLowerCase() : header, expected }
}

/**
 * Covers the URL and, for a form, every field sorted by name. Other bodies are covered by their hash in the URL, so that hash
 * must match as well.
 */
function twilioSignature({ url, query, headers, rawBody }: WebhookRequest, secret: string): string {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  const hash = createHash('sha256').update(rawBody).digest('hex')
  const isCovered = isForm || rawBody.length === 0 || query['bodySHA256'] === hash
  const fields = isForm ? [...new URLSearchParams(rawBody.toString('utf8'))] : []
  const sorted = fields.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).flat()
  const words = isCovered ? url + sorted.join('') : `${url}${hash} is not what was signed`
  return createHmac('sha1', secret).update(words).digest('base64')
}

/** Compares digests of both, so that timing reveals neither content nor length. */
function isEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
