import type { VariableSource } from '@carillon/contract/campaign-records'

/** A variable of the chosen template, and where it gets its value. */
export type FillVariable = {
  /** As people know it: 'name', '{{1}}'. */
  label: string
  /** The heading that the wizard looks for in a file. */
  column: string
  sample: string
  source: VariableSource | undefined
}

/** What the audience step needs to know of the template: nothing before one is chosen. */
export type AudienceFill = {
  variables: readonly FillVariable[]
  /** Several at once, by their place. */
  onSources: (changes: readonly { index: number; source: VariableSource }[]) => void
}

/** The place of the variable that a column fills; the first where it fills several. */
export function variableOf({ variables }: Pick<AudienceFill, 'variables'>, column: number): number {
  return variables.findIndex(({ source }) => source?.column === column)
}

/** The sources after a column is used for another variable, or for none; the variable it filled before has no column. */
export function columnUsedFor(
  fill: Pick<AudienceFill, 'variables'>,
  { column, index }: { column: number; index: number | undefined },
): { index: number; source: VariableSource }[] {
  const before = variableOf(fill, column)
  if (before === index) return []
  return [
    ...(before >= 0 ? [{ index: before, source: without(fill.variables[before]?.source) }] : []),
    ...(index === undefined ? [] : [{ index, source: { fallback: '', ...fill.variables[index]?.source, column } }]),
  ]
}

function without(source: VariableSource | undefined): VariableSource {
  const { column: _, ...rest } = source ?? { fallback: '' }
  return rest
}
