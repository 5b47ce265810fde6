import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookRequest, WebhookResult } from '../../provider.ts'
import { isSameBot, openEnvelope, readData, refuse, type Envelope, type Refused } from '../envelope.ts'
import { rowOf, stringOf, type Row } from '../../read-json.ts'
import { parseJson } from '../json.ts'
import { readEvent } from '../read-event.ts'
import type { RbmConfig, SecretReply } from './config.ts'

type Settings = Pick<RbmConfig, 'agentId' | 'clientToken' | 'secretReply'>

/** Google's webhook: the validation of its URL, and events. Unknown events are stored and acknowledged. */
export function readWebhook({ headers, rawBody }: WebhookRequest, config: Settings): WebhookResult {
  if (config.clientToken === '') return refuse(503, 'The client token of this bot is not set')
  const body = rowOf(parseJson(rawBody.toString('utf8')))
  if (body['clientToken'] !== undefined) return validate(body, config)
  const envelope = openEnvelope(body)
  if (!envelope) return refuse(400, 'The callback is not an event')
  const refusal = refuseForgery(envelope, { given: headers['x-goog-signature'], clientToken: config.clientToken })
  if (refusal) return refusal
  const event = readData(envelope)
  // The partner's webhook may be set to this URL: it gets the events of all of its bots.
  const isOurs = isSameBot(botOf(envelope, event) ?? config.agentId, config.agentId)
  return { kind: 'events', events: isOurs ? readEvent(event) : [], reply: taken }
}

const taken = { status: 200, contentType: 'text/plain', body: 'OK' }

function botOf({ attributes }: Envelope, event: Row): string | undefined {
  return stringOf(event['agentId']) ?? stringOf(attributes['business_id'])
}

/** The signature covers the decoded data. */
function refuseForgery(
  { data }: Envelope,
  { given, clientToken }: { given: string | undefined; clientToken: string },
): Refused | undefined {
  if (given === undefined || given === '') return refuse(401, 'The callback is not signed')
  const expected = createHmac('sha512', clientToken).update(data).digest('base64')
  return isSame(given, expected) ? undefined : refuse(403, 'The signature is invalid')
}

const secretForms: Record<SecretReply, (secret: string) => [contentType: string, body: string]> = {
  value: (secret) => ['text/plain', secret],
  prefixed: (secret) => ['text/plain', `secret: ${secret}`],
  json: (secret) => ['application/json', JSON.stringify({ secret })],
}

/** Google validates the URL: the client token must be ours, and its secret is returned. */
function validate(body: Row, { clientToken, secretReply }: Settings): WebhookResult {
  const secret = stringOf(body['secret'])
  if (secret === undefined || !/^[\x21-\x7e]{1,500}$/.test(secret)) return refuse(400, 'The validation has no secret')
  if (!isSame(stringOf(body['clientToken']) ?? '', clientToken)) return refuse(403, 'The client token is wrong')
  const [contentType, text] = secretForms[secretReply](secret)
  return { kind: 'events', events: [], reply: { status: 200, contentType, body: text }, isHandshake: true }
}

/** Timing reveals the length of the expected value at most, which is no secret. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
