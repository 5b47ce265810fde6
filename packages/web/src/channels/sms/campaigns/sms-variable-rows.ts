import { checkVariable, longestValue } from '@carillon/contract/channels/sms/sms-variables'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { kindLabels } from '../insert-variable.tsx'
import type { RowVariable } from '../../parts/variable-row.tsx'

/** The variables of a DLT template, whose values have maximum lengths. */
export function smsVariableRows({ variables }: Pick<SmsTemplate, 'variables'>): RowVariable[] {
  return variables.map(({ name, kind, sample }, index) => ({
    id: `sms-${index}`,
    name,
    focus: name,
    caption: `${kindLabels[kind]}, at most ${longestValue[kind]}`,
    sample,
    limit: longestValue[kind],
    check: (value) => checkVariable(kind, value),
  }))
}
