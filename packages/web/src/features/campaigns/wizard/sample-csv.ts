import { csvBlob } from '../../../lib/csv.ts'

/** A variable of the template as a column of the file. */
export type SampleColumn = { name: string; sample: string }

const samplePhones = ['+91 98450 11208', '+91 99004 12768']

/** A sample file: the number first, then a column for each variable, with the name that is matched automatically. */
export function sampleCsv(variables: readonly SampleColumn[]): Blob {
  const columns = variables.length > 0 ? uniqueByName(variables) : [{ name: 'name', sample: 'Priya' }]
  return csvBlob([
    ['Mobile', ...columns.map(({ name }) => name)],
    ...samplePhones.map((phone) => [phone.replaceAll(/[+ ]/g, ''), ...columns.map(({ sample }) => sample)]),
  ])
}

function uniqueByName(variables: readonly SampleColumn[]): SampleColumn[] {
  return [...new Map(variables.map((variable) => [variable.name.toLowerCase(), variable])).values()]
}
