import type { Graph } from './graph.ts'
import type { Category, QualityScore, Row, Template } from './objects.ts'
import { isRow, toText } from './reading.ts'
import { typeText } from './template-plan.ts'

/** Template ids are JSON numbers in webhooks and exceed 2^53. */
function post(graph: Graph, template: Template, { field, ...value }: Row & { field: string }) {
  const { id, name, language, wabaId } = template
  const whole = { ...value, message_template_id: id, message_template_name: name, message_template_language: language }
  const part = JSON.stringify(whole).replace(/"message_template_id":"(\d+)"/, '"message_template_id":$1')
  graph.outbox.post({ wabaId, field, part })
}

export type StatusUpdate = { event: string; reason?: string | null; about?: Row }

export function sendStatus(graph: Graph, template: Template, { event, reason = 'NONE', about = {} }: StatusUpdate) {
  post(graph, template, {
    field: 'message_template_status_update',
    event,
    reason,
    message_template_category: template.category,
    ...about,
  })
}

export function sendQuality(graph: Graph, template: Template, before: QualityScore) {
  post(graph, template, {
    field: 'message_template_quality_update',
    previous_quality_score: before,
    new_quality_score: template.quality.score,
  })
}

export function sendCategory(graph: Graph, template: Template, before: Category) {
  post(graph, template, {
    field: 'template_category_update',
    previous_category: before,
    new_category: template.category,
    category_update_timestamp: Math.floor(Date.now() / 1000),
  })
}

export function sendComponents(graph: Graph, template: Template) {
  const find = (type: string) => template.components.find((component) => typeText(component) === type)
  const buttons = find('BUTTONS')?.buttons
  post(graph, template, {
    field: 'message_template_components_update',
    message_template_title: find('HEADER')?.text,
    message_template_element: find('BODY')?.text,
    message_template_footer: find('FOOTER')?.text,
    message_template_buttons: (Array.isArray(buttons) ? buttons : []).filter(isRow).map((button) => ({
      message_template_button_type: toText(button.type),
      message_template_button_text: toText(button.text),
      message_template_button_url: button.url,
      message_template_button_phone_number: button.phone_number,
    })),
  })
}
