import type { EgressRequest } from '../../../egress/egress.ts'
import type { WhatsappMessage } from '../message.ts'
import type { CloudApiConfig } from './config.ts'

/** A message in the API's format. Recipients without a phone number are addressed by their business-scoped id. */
export function buildRequest(
  { to, content, reference, inReplyTo }: WhatsappMessage,
  config: CloudApiConfig,
  lineId: string,
): EgressRequest {
  return {
    method: 'POST',
    url: graphAddress(config, `${encodeURIComponent(lineId)}/messages`),
    headers: { authorization: `Bearer ${config.accessToken}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...(/^\+?\d+$/.test(to) ? { to } : { recipient: to }),
      ...content,
      ...(inReplyTo === undefined ? {} : { context: { message_id: inReplyTo } }),
      biz_opaque_callback_data: reference,
    }),
    timeoutMs: config.timeoutSeconds * 1000,
    maximumBytes: 256 * 1024,
  }
}

export function graphAddress(
  { graphUrl, graphVersion }: Pick<CloudApiConfig, 'graphUrl' | 'graphVersion'>,
  path: string,
) {
  return `${graphUrl.replace(/\/+$/, '')}/${graphVersion}/${path}`
}
