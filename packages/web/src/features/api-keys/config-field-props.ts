import type { Dispatch } from 'react'
import type { ConfigField } from './config-fields.ts'
import { listError } from './key-draft.ts'

export type ControlProps<Kind extends ConfigField['kind'] = ConfigField['kind']> = {
  field: Extract<ConfigField, { kind: Kind }>
  value: unknown
  errors: Record<string, string>
  onChange: Dispatch<unknown>
}

/** The label and messages of a field. */
export function fieldProps({ field, errors }: Pick<ControlProps, 'field' | 'errors'>, entries: readonly string[] = []) {
  return {
    label: field.label,
    ...(field.isRequired ? {} : { hint: 'optional' }),
    ...(field.help ? { help: field.help } : {}),
    error: listError(errors, field.path, entries),
  }
}

/** The texts of a list; a payload that was typed may have anything. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
