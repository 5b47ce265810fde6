import type { VariableSource } from '@carillon/contract/campaign-records'
import type { DraftLeg } from '@carillon/contract/draft-legs'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { matchColumns } from '../../parts/match-columns.ts'

/** One source for each variable of the template, in order. */
type SmsValues = { variables: readonly VariableSource[] }

export const emptyValues: SmsValues = { variables: [] }

/** The values of a leg. Saved ones were validated by the server; a leg that is new to this channel has none. */
export function variablesOf({ values }: Pick<DraftLeg, 'values'>): readonly VariableSource[] {
  return isValues(values) ? values.variables : []
}

function isValues(values: unknown): values is SmsValues {
  return typeof values === 'object' && values !== null && 'variables' in values && Array.isArray(values.variables)
}

/** One source for each variable: the previous choice, else the column with the variable's name. */
export function matchVariables(
  template: Pick<SmsTemplate, 'variables'>,
  columns: readonly string[],
  known: readonly VariableSource[] = [],
): VariableSource[] {
  return matchColumns(
    template.variables.map(({ name }) => name),
    columns,
    known,
  )
}
