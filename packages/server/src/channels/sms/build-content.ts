import {
  compileSmsTemplate,
  listVariableKinds,
  parseSmsTemplate,
  worstCase,
  type VariableKind,
} from '@carillon/contract/channels/sms/sms-variables'
import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import type { SmsTemplateInput, SmsVariable } from '@carillon/contract/channels/sms/sms-templates'
import type { SmsContent } from './template-content.ts'
import { badField } from '../../lib/problem.ts'

/** Operators refuse promotional traffic unless the header is six digits or the brand's letters. */
const promotionalHeader = /^(?:\d{6}|[A-Za-z]+)$/

/** Validates a template by the rules of the DLT registry and counts its parts; throws an error of the field. */
export function buildSmsContent(input: SmsTemplateInput, headers: readonly string[]): SmsContent {
  if (!headers.includes(input.header)) throw badField('header', `${input.header} is not a header of this SMS account`)
  if (input.category === 'promotional' && !promotionalHeader.test(input.header))
    throw badField('header', 'A promotional header has six digits, or letters only')

  if (!parseSmsTemplate(input.body).some((piece) => typeof piece === 'string' && piece.trim() !== ''))
    throw badField('body', 'Enter some fixed text: variables alone are not accepted')
  const variables = completeVariables(listVariableKinds(input.body), input.variables)
  const sampleText = compileSmsTemplate(input.body)(variables.map(({ sample }) => sample))
  const { encoding, parts } = countSmsParts(sampleText)
  return {
    header: input.header,
    body: input.body,
    variables,
    ...(input.entityId ? { entityId: input.entityId } : {}),
    ...(input.dltTemplateId ? { dltTemplateId: input.dltTemplateId } : {}),
    encoding,
    parts: Math.max(1, parts),
    worstParts: Math.max(1, parts, worstCase(input.body).parts),
  }
}

/** The body determines the number and kinds of variables; a description may be missing, but must not contradict it. */
function completeVariables(kinds: readonly VariableKind[], described: readonly SmsVariable[]): SmsVariable[] {
  if (described.length > kinds.length) {
    throw badField('variables', `The text has ${countVariables(kinds.length)}, but ${described.length} are described`)
  }
  const variables = kinds.map((kind, index): SmsVariable => {
    const given = described[index]
    if (given && given.kind !== kind)
      throw badField(
        `variables.${index}.kind`,
        `Variable ${index + 1} of the text is of the kind ${kind}, not ${given.kind}`,
      )
    return given ?? { name: `${kind}${index + 1}`, kind, sample: '' }
  })
  const names = new Set<string>()
  variables.forEach(({ name }, index) => {
    if (names.has(name)) throw badField(`variables.${index}.name`, `Two variables are named ${name}`)
    names.add(name)
  })
  return variables
}

function countVariables(count: number): string {
  return count === 0 ? 'no variables' : count === 1 ? 'one variable' : `${count} variables`
}
