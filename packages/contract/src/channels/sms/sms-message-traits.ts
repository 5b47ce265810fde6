import type { MessageTraits } from '../../message-traits.ts'
import { traitsOfText } from '../../plain-traits.ts'
import { countSmsParts } from './sms-parts.ts'
import type { SmsTemplateInput } from './sms-templates.ts'
import { compileSmsTemplate, listVariableKinds } from './sms-variables.ts'

/** What an SMS template consists of: a text, billed in parts with the samples filled in. */
export function summarizeSms({ body, variables }: Pick<SmsTemplateInput, 'body' | 'variables'>): MessageTraits {
  const kinds = listVariableKinds(body)
  const names = kinds.map((kind, index) => nameOf(variables[index]?.name, `${kind}${index + 1}`, index))
  const fill = compileSmsTemplate(body)
  const { parts, encoding } = countSmsParts(fill(names.map((name, index) => variables[index]?.sample || name)))
  return {
    ...traitsOfText(fill(names.map((name) => `{{${name}}}`)), names),
    linkVariables: names.filter((_, index) => kinds[index] === 'url' || kinds[index] === 'urlott'),
    parts: Math.max(1, parts),
    isUnicode: encoding === 'ucs2',
  }
}

/** A generated name says nothing: the variable is numbered. */
function nameOf(name: string | undefined, generated: string, index: number): string {
  return name === undefined || name.replace(' ', '') === generated ? String(index + 1) : name
}
