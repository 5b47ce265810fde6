import type { ProviderEvent, WebhookRequest, WebhookResult } from '../../provider.ts'
import { storableJson } from '../../../lib/storable.ts'
import type { CloudApiConfig } from './config.ts'
import { rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import { parseExactly } from './json.ts'
import { refuse, refuseForgery, shakeHands } from './signature.ts'
import { readAccountChange, readFault } from './webhook-account.ts'
import { readInbound } from './webhook-inbound.ts'
import { readPreferences } from './webhook-preferences.ts'
import { readStatus } from './webhook-status.ts'
import { readTemplateChange } from './webhook-template.ts'

/** Meta's webhook and its verification request. Unknown content is acknowledged and ignored. */
export function readWebhook(request: WebhookRequest, config: CloudApiConfig): WebhookResult {
  if (request.method === 'GET') return shakeHands(request, config)
  const refusal = refuseForgery(request, config)
  if (refusal) return refusal
  let body: unknown
  try {
    body = parseExactly(request.rawBody.toString('utf8'))
  } catch {
    return refuse(400, 'The callback is not valid JSON')
  }
  return { kind: 'events', events: readEnvelope(rowOf(storableJson(body)), config), reply }
}

const reply = { status: 200, contentType: 'text/plain', body: 'OK' }

/** One app may serve several accounts: events of other accounts are ignored, even if correctly signed. */
function readEnvelope(body: Row, { wabaId }: CloudApiConfig): ProviderEvent[] {
  if (body['object'] !== 'whatsapp_business_account') return []
  return rowsOf(body['entry'])
    .filter((entry) => stringOf(entry['id']) === wabaId)
    .flatMap((entry) =>
      rowsOf(entry['changes']).flatMap((change) =>
        readChange(stringOf(change['field']) ?? '', rowOf(change['value']), entry['time']),
      ),
    )
}

type Read = (value: Row, time: unknown) => ProviderEvent[]

const fields: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['messages', readMessages],
  ['message_template_status_update', readTemplateChange],
  ['message_template_quality_update', readTemplateChange],
  ['message_template_components_update', readTemplateChange],
  ['template_category_update', readTemplateChange],
  ['phone_number_quality_update', readAccountChange('phone_number_quality_update')],
  ['phone_number_name_update', readAccountChange('phone_number_name_update')],
  ['business_capability_update', readAccountChange('business_capability_update')],
  ['account_update', readAccountChange('account_update')],
  ['account_review_update', readAccountChange('account_review_update')],
  ['account_alerts', readAccountChange('account_alerts')],
  ['user_preferences', readPreferences],
])

function readChange(field: string, value: Row, time: unknown): ProviderEvent[] {
  return fields.get(field)?.(value, time) ?? []
}

function readMessages(value: Row, time: unknown): ProviderEvent[] {
  return [
    ...rowsOf(value['statuses']).flatMap((status) => readStatus(status, value)),
    ...rowsOf(value['messages']).flatMap((message) => readInbound(message, value)),
    ...readFault(value, time),
  ]
}
