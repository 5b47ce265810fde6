import { error, type RcsFinding } from './rcs-findings.ts'
import { listVariablesOf } from './rcs-variables.ts'

export function checkVariables(field: string, text: string): RcsFinding[] {
  const names = listVariablesOf(text)
  const unfit = names.find((name) => !/^[a-z]\w{0,39}$/i.test(name))
  if (unfit !== undefined)
    return [error(field, `{{${unfit}}} is not a variable: use letters, digits and _, beginning with a letter`)]
  return /\{\{|\}\}/.test(text.replaceAll(/\{\{\s*[^{}]*?\s*\}\}/g, ''))
    ? [error(field, 'A variable is not closed: write {{name}}')]
    : []
}
