import type { VariableSource } from '@carillon/contract/campaign-records'

/** A variable of the chosen template, and where it gets its value. */
export type FillVariable = {
  /** Its label: 'name', '{{1}}'. */
  label: string
  /** The column name that is matched automatically. */
  column: string
  sample: string
  source: VariableSource | undefined
}

/** What the audience step needs to know of the template; nothing before one is chosen. */
export type AudienceFill = {
  variables: readonly FillVariable[]
  /** Sets several sources by index. */
  onSources: (changes: readonly { index: number; source: VariableSource }[]) => void
}

/** Index of the variable that a column fills; the first if it fills several. */
export function variableOf({ variables }: Pick<AudienceFill, 'variables'>, column: number): number {
  return variables.findIndex(({ source }) => source?.column === column)
}

/** The sources after a column is assigned to another variable or to none; the variable it filled before loses its column. */
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
