import type { ProviderEvent, TemplateChange } from '../../provider.ts'
import { instantOf, rowOf, wordOf, type Row } from './json.ts'

/**
 * A template changed. Identified by its content instead of the webhook field: Meta's own sample of a quality update uses the
 * name of another field.
 */
export function readTemplateChange(value: Row, time: unknown): ProviderEvent[] {
  const templateId = wordOf(value['message_template_id']) ?? ''
  const name = wordOf(value['message_template_name']) ?? ''
  const language = wordOf(value['message_template_language']) ?? ''
  if (templateId === '' && name === '') return []
  return [
    {
      kind: 'template-change',
      templateId,
      name,
      language,
      ...readTemplateFields(value),
      at: instantOf(value['category_update_timestamp'] ?? time),
      raw: JSON.stringify(value),
    },
  ]
}

type TemplateFields = Partial<Pick<TemplateChange, 'status' | 'quality' | 'category' | 'reason' | 'detail'>>

function readTemplateFields(value: Row): TemplateFields {
  const quality = wordOf(value['new_quality_score'])
  if (quality !== undefined) return { quality: qualityOf(quality) }
  const category = wordOf(value['new_category'])
  const planned = wordOf(value['correct_category'])
  if (planned !== undefined && planned !== category)
    return { detail: `Meta will change its category to ${planned.toLowerCase()}` }
  if (category !== undefined) return { category }
  const status = wordOf(value['event'])
  if (status !== undefined) return { status, ...readReason(value) }
  return { detail: 'Its content was changed at Meta' }
}

/** Details of a pause or rejection, in addition to the short reason. */
function readReason(value: Row): TemplateFields {
  const rejection = rowOf(value['rejection_info'])
  const other = rowOf(value['other_info'])
  const given = wordOf(value['reason'])
  const reason = wordOf(other['title']) ?? (given === 'NONE' ? undefined : given)
  const disabledOn = wordOf(rowOf(value['disable_info'])['disable_date'])
  const details = [
    wordOf(other['description']),
    wordOf(rejection['reason']),
    wordOf(rejection['recommendation']),
    disabledOn === undefined ? undefined : `From ${disabledOn}`,
  ].filter((detail) => detail !== undefined)
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(details.length === 0 ? {} : { detail: details.join(' ') }),
  }
}

export function qualityOf(value: unknown): 'green' | 'yellow' | 'red' | 'unknown' {
  const word = wordOf(value)?.toLowerCase()
  return word === 'green' || word === 'yellow' || word === 'red' ? word : 'unknown'
}
