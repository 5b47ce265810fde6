import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookRequest, WebhookResult } from '../../provider.ts'
import type { CloudApiConfig } from './config.ts'

export type Refused = Extract<WebhookResult, { kind: 'refused' }>

/** Why a webhook is rejected; undefined if it is valid. Verifies the raw bytes before parsing. */
export function refuseForgery(
  { headers, rawBody }: WebhookRequest,
  { appSecret }: CloudApiConfig,
): Refused | undefined {
  if (appSecret === '') return refuse(503, 'The app secret of this account is not set')
  const given = headers['x-hub-signature-256']
  if (given === undefined || given === '') return refuse(401, 'The callback is not signed')
  const expected = `sha256=${createHmac('sha256', appSecret).update(rawBody).digest('hex')}`
  return isSame(given, expected) ? undefined : refuse(403, 'The signature is invalid')
}

/** Meta verifies the callback URL: the request must contain the verify token, and the challenge is returned. */
export function shakeHands({ query }: WebhookRequest, { verifyToken }: CloudApiConfig): WebhookResult {
  const challenge = query['hub.challenge']
  if (verifyToken === '') return refuse(503, 'The verify token of this account is not set')
  if (query['hub.mode'] !== 'subscribe' || challenge === undefined || !/^[\w.~-]{1,200}$/.test(challenge))
    return refuse(400, 'This is not a handshake request')
  if (!isSame(query['hub.verify_token'] ?? '', verifyToken)) return refuse(403, 'The verify token is wrong')
  return { kind: 'events', events: [], reply: { status: 200, contentType: 'text/plain', body: challenge } }
}

export function refuse(status: Refused['status'], message: string): Refused {
  return { kind: 'refused', status, message }
}

/** Compares digests of both, so that timing reveals neither content nor length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
