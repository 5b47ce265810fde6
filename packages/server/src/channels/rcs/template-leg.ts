import { RcsValues } from '@carillon/contract/channels/rcs/rcs-campaigns'
import { RcsCategory, RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { listRcsVariables } from '@carillon/contract/channels/rcs/rcs-variables'
import { valueOf } from '@carillon/contract/variable-values'
import { z } from 'zod'
import type { RcsVariableValues } from './compile-content.ts'

/** The frozen content of a leg: a template, and where its variables get their values. */
export const RcsLeg = z.object({
  template: z.object({
    name: z.string(),
    category: RcsCategory,
    content: RcsTemplateContent,
    /** The operator reviewed it, and knows it by its name. */
    isReviewed: z.boolean().default(false),
  }),
  values: RcsValues.prefault({}),
})
export type RcsLeg = z.infer<typeof RcsLeg>

/** Reads the values of one row; undefined if one is missing. */
export function compileValues({
  template,
  values,
}: RcsLeg): (cells: readonly string[]) => RcsVariableValues | undefined {
  const names = listRcsVariables(template.content)
  return (cells) => {
    const read = new Map<string, string>()
    for (const [index, name] of names.entries()) {
      const value = valueOf(values.variables[index], cells)
      if (value === '') return undefined
      read.set(name, value)
    }
    return read
  }
}

/** The values of one row; those that are missing as the template writes them. */
export function readValues({ template, values }: RcsLeg, cells: readonly string[]): RcsVariableValues {
  const names = listRcsVariables(template.content)
  return new Map(names.map((name, index) => [name, valueOf(values.variables[index], cells) || `{{${name}}}`]))
}
