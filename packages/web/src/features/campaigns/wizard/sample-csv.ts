import { csvBlob } from '../../../lib/csv.ts'

/** A variable of the template, as a column of the file can fill it. */
export type SampleColumn = { name: string; sample: string }

const samplePhones = ['+91 98450 11208', '+91 99004 12768']

/** A file to fill in: the number first, then a column for each variable, by the name that the wizard looks for. */
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
