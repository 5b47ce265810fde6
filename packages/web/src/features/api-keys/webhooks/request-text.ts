import type { WebhookDelivery, WebhookEndpoint } from '@carillon/contract/webhook-records'

type Sent = Pick<WebhookDelivery, 'webhookId' | 'attempts'>

/** The request line and the headers of the last attempt. Its signature is not stored. */
export function headersOf(
  { webhookId, attempts }: Sent,
  { url, signature }: Pick<WebhookEndpoint, 'url' | 'signature'>,
) {
  const last = attempts.at(-1)
  const { pathname, search, host } = new URL(url)
  return [
    `POST ${pathname}${search}`,
    `host: ${host}`,
    'content-type: application/json',
    'user-agent: Carillon-Webhooks/1.0',
    `webhook-id: ${webhookId}`,
    `webhook-timestamp: ${last ? Math.floor(Date.parse(last.at) / 1000) : '(the time of the attempt)'}`,
    `webhook-signature: ${signature},… (a new one for each attempt)`,
  ].join('\n')
}
