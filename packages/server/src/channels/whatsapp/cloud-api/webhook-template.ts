import type { ProviderEvent, TemplateChange } from '../../provider.ts'
import { rowOf, stringOf, type Row } from '../../read-json.ts'
import { instantOf } from './json.ts'

/**
 * A template changed. Identified by its content instead of the webhook field: Meta's own sample of a quality update uses the
 * name of another field.
 */
export function readTemplateChange(value: Row, time: unknown): ProviderEvent[] {
  const templateId = stringOf(value['message_template_id']) ?? ''
  const name = stringOf(value['message_template_name']) ?? ''
  const language = stringOf(value['message_template_language']) ?? ''
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
  const quality = stringOf(value['new_quality_score'])
  if (quality !== undefined) return { quality: qualityOf(quality) }
  const category = stringOf(value['new_category'])
  const planned = stringOf(value['correct_category'])
  if (planned !== undefined && planned !== category)
    return { detail: `Meta will change its category to ${planned.toLowerCase()}` }
  if (category !== undefined) return { category }
  const status = stringOf(value['event'])
  if (status !== undefined) return { status, ...readReason(value) }
  return { detail: 'Its content was changed at Meta' }
}

/** Details of a pause or rejection, in addition to the short reason. */
function readReason(value: Row): TemplateFields {
  const rejection = rowOf(value['rejection_info'])
  const other = rowOf(value['other_info'])
  const given = stringOf(value['reason'])
  const reason = stringOf(other['title']) ?? (given === 'NONE' ? undefined : given)
  const disabledOn = stringOf(rowOf(value['disable_info'])['disable_date'])
  const details = [
    stringOf(other['description']),
    stringOf(rejection['reason']),
    stringOf(rejection['recommendation']),
    disabledOn === undefined ? undefined : `From ${disabledOn}`,
  ].filter((detail) => detail !== undefined)
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(details.length === 0 ? {} : { detail: details.join(' ') }),
  }
}

export function qualityOf(value: unknown): 'green' | 'yellow' | 'red' | 'unknown' {
  const word = stringOf(value)?.toLowerCase()
  return word === 'green' || word === 'yellow' || word === 'red' ? word : 'unknown'
}
