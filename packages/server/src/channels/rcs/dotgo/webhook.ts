import type { WebhookRequest, WebhookResult } from '../../provider.ts'
import { isSameBot, openEnvelope, readData, refuse } from '../envelope.ts'
import { isRow, stringOf, type Row } from '../../read-json.ts'
import { parseJson } from '../json.ts'
import { readEvent } from '../read-event.ts'
import type { DotgoConfig } from './config.ts'

/**
 * The platform's webhook: an event in Google's envelope, or by itself. It is not signed, so the secret in the URL is all that
 * identifies the caller.
 */
export function readWebhook({ method, rawBody }: WebhookRequest, { botId }: Pick<DotgoConfig, 'botId'>): WebhookResult {
  // Some operators ask for the URL before they register it.
  if (method === 'GET') return { kind: 'events', events: [], reply: taken }
  const body = parseJson(rawBody.toString('utf8'))
  const envelope = openEnvelope(body)
  if (envelope) {
    const event = readData(envelope)
    return accept(event, stringOf(envelope.attributes['business_id']) ?? botOf(event), botId)
  }
  if (!isRow(body) || !isEvent(body)) return refuse(400, 'The callback is not an event')
  return accept(body, botOf(body), botId)
}

const taken = { status: 200, contentType: 'text/plain', body: 'OK' }

function isEvent(body: Row): boolean {
  return ['eventType', 'senderPhoneNumber', 'newLaunchState'].some((name) => body[name] !== undefined)
}

function botOf(event: Row): string | undefined {
  return stringOf(event['agentId']) ?? stringOf(event['botId'])
}

/** Events of other bots with the same URL are ignored. */
function accept(event: Row, bot: string | undefined, ours: string): WebhookResult {
  const isOurs = bot === undefined || isSameBot(bot, ours)
  return { kind: 'events', events: isOurs ? readEvent(event) : [], reply: taken }
}
