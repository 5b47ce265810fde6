import type { Call } from './graph.ts'
import type { Row, Template } from './objects.ts'
import { isRow, toText } from './reading.ts'
import { planOf } from './template-plan.ts'

export const templateFields = [
  'name',
  'parameter_format',
  'components',
  'language',
  'status',
  'category',
  'sub_category',
  'previous_category',
] as const

/** All fields of a template. */
export function presentTemplate(call: Call, template: Template): Row {
  return {
    id: template.id,
    name: template.name,
    parameter_format: template.parameterFormat,
    language: template.language,
    status: template.status,
    category: template.category,
    previous_category: template.previousCategory,
    correct_category: template.correctCategory,
    rejected_reason: template.rejectedReason,
    quality_score: template.quality,
    message_send_ttl_seconds: template.ttlSeconds,
    cta_url_link_tracking_opted_out: template.ctaUrlLinkTrackingOptedOut,
    components: template.components.map((component) => presentComponent(call, template, component)),
  }
}

function presentComponent(call: Call, template: Template, component: Row): Row {
  const isAuthentication = template.category === 'AUTHENTICATION'
  const { type, buttons, cards, example } = component
  if (isAuthentication && type === 'BODY')
    return { ...component, text: planOf(template).body.text, example: { body_text: [['123456']] } }
  if (isAuthentication && type === 'FOOTER') return { ...component, text: planOf(template).footer }
  if (isAuthentication && Array.isArray(buttons))
    return { ...component, buttons: buttons.filter(isRow).map(presentCode) }
  if (Array.isArray(cards))
    return {
      ...component,
      cards: cards.filter(isRow).map((card) => ({
        components: (Array.isArray(card.components) ? card.components : [])
          .filter(isRow)
          .map((each) => presentComponent(call, template, each)),
      })),
    }
  if (isRow(example) && Array.isArray(example.header_handle))
    return { ...component, example: { header_handle: example.header_handle.map((handle) => addressOf(call, handle)) } }
  return component
}

/** Code buttons are returned as URL buttons. */
function presentCode(button: Row): Row {
  const kind = toText(button.otp_type).toUpperCase()
  const text = toText(button.text) || 'Copy code'
  const url = `https://www.whatsapp.com/otp/code/?otp_type=${kind}&code_expiration_minutes=10&code=otp{{1}}`
  return { type: 'URL', text, url, example: [url.replace('{{1}}', '123456')] }
}

/** Handles are returned as the URL of the sample. */
function addressOf({ request }: Call, handle: unknown): unknown {
  if (typeof handle !== 'string' || /^https?:/.test(handle)) return handle
  return `${request.protocol}://${request.host}/api/graph/files/${encodeURIComponent(handle)}`
}
