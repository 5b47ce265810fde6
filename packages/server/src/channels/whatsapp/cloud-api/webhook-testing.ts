import { createHmac } from 'node:crypto'
import type { ProviderEvent, WebhookRequest, WebhookResult } from '../../provider.ts'
import { CloudApiConfig } from './config.ts'
import { readWebhook } from './webhook.ts'

export const wabaId = '260000000000001'
export const lineId = '270000000000001'
export const metadata = { display_phone_number: '+91 80 4718 1000', phone_number_id: lineId }
export const config = CloudApiConfig.parse({
  wabaId,
  appId: '240000000000001',
  accessToken: 'token',
  appSecret: 'app-secret',
  verifyToken: 'verify-token',
})

export function sign(body: string | Buffer, secret = 'app-secret'): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

export function request(more: Partial<WebhookRequest>): WebhookRequest {
  const url = 'https://carillon.example/hooks/k/events'
  return { method: 'POST', action: 'events', url, headers: {}, query: {}, rawBody: Buffer.alloc(0), ...more }
}

/** Signed as Meta does. */
export function post(body: string): WebhookResult {
  const rawBody = Buffer.from(body)
  return readWebhook(request({ rawBody, headers: { 'x-hub-signature-256': sign(rawBody) } }), config)
}

export function envelope(field: string, value: object, id: unknown = wabaId): string {
  const changes = [{ field, value }]
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id, time: 1_750_000_000, changes }] })
}

export function eventsOf(body: string): ProviderEvent[] {
  const result = post(body)
  if (result.kind !== 'events') throw new Error(result.message)
  if (result.reply.status !== 200) throw new Error(`It was answered with ${result.reply.status}`)
  return result.events
}

/** Changes of the field with messages and statuses. */
export function messages(value: object): ProviderEvent[] {
  return eventsOf(envelope('messages', { messaging_product: 'whatsapp', metadata, ...value }))
}
