import { type SendWindow, VariableSource } from '@carillon/contract/campaign-records'
import { countPartsFast } from '@carillon/contract/channels/sms/sms-parts'
import {
  checkVariable,
  compileSmsTemplate,
  listVariableKinds,
  longestValue,
} from '@carillon/contract/channels/sms/sms-variables'
import { SmsCategory } from '@carillon/contract/channels/sms/sms-templates'
import { valueOf } from '@carillon/contract/variable-values'
import { z } from 'zod'
import type { LoadedLeg, Measured, PreparedLeg, ServerChannel, TestMessage } from '../channel.ts'
import { SmsContent } from './template-content.ts'

/** Indian operators refuse promotional and service-explicit texts outside these hours (their notices of October 2025). */
const promotionalHours: SendWindow = { start: '10:00', end: '21:00', timezone: 'Asia/Kolkata' }

const windowed: readonly SmsCategory[] = ['promotional', 'service_explicit']

/** Values of an SMS leg. */
export const SmsValues = z.object({ variables: z.array(VariableSource).max(60).default([]) }).prefault({})
export type SmsValues = z.infer<typeof SmsValues>

export function prepareSms(leg: Parameters<ServerChannel['prepareLeg']>[0]): PreparedLeg {
  const { category, content, sources } = readSmsLeg(leg)
  return {
    content: {
      header: content.header,
      body: content.body,
      variables: sources,
      names: content.variables.map(({ name }) => name),
      category,
      entityId: content.entityId ?? leg.sender?.entityId ?? null,
      dltTemplateId: content.dltTemplateId ?? null,
    },
    category,
    priceName: 'SMS',
    sources,
    isPromotion: category === 'promotional',
    // An opt-out from SMS is from all of them.
    isMarketing: true,
    operatorHours: windowed.includes(category) ? promotionalHours : undefined,
  }
}

export function readSmsLeg({ template, values }: Pick<LoadedLeg, 'template' | 'values'>) {
  return {
    content: SmsContent.parse(template.content),
    category: SmsCategory.parse(template.category),
    sources: SmsValues.parse(values).variables,
  }
}

export const mapSmsSources: ServerChannel['mapSources'] = ({ template, values }, change) => {
  const { variables } = SmsContent.parse(template.content)
  const nameOf = (index: number) => variables[index]?.name ?? `Variable ${index + 1}`
  return {
    variables: SmsValues.parse(values).variables.map((source, index) => change(source, { name: nameOf(index) })),
  } satisfies SmsValues
}

const Frozen = z.object({ body: z.string(), variables: z.array(VariableSource).default([]) })

export function measureSms(content: object): (cells: readonly string[]) => Measured | undefined {
  const { body, variables: sources } = Frozen.parse(content)
  const render = compileSmsTemplate(body)
  const kinds = listVariableKinds(body)
  return (cells) => {
    const values = kinds.map((_, index) => valueOf(sources[index], cells))
    if (values.includes('')) return undefined
    const text = render(values)
    const { parts, encoding } = countPartsFast(text)
    return { parts, length: text.length, isUnicode: encoding === 'ucs2', problem: problemOf(kinds, values) }
  }
}

function problemOf(kinds: ReturnType<typeof listVariableKinds>, values: readonly string[]): Measured['problem'] {
  if (kinds.some((kind, index) => (values[index] ?? '').length > longestValue[kind])) return 'too_long'
  return kinds.some((kind, index) => checkVariable(kind, values[index] ?? '') !== undefined) ? 'unfit' : undefined
}

export function writeSmsTest(leg: LoadedLeg, cells: readonly string[]): TestMessage | { problem: string } {
  const { content, sources } = readSmsLeg(leg)
  const values = content.variables.map((_, index) => valueOf(sources[index], cells))
  for (const [index, { name, kind }] of content.variables.entries()) {
    const value = values[index] ?? ''
    if (value === '') return { problem: `This row has no value for ${name}` }
    const complaint = checkVariable(kind, value)
    if (complaint) return { problem: `${name}: ${complaint}` }
  }
  return {
    header: content.header,
    text: compileSmsTemplate(content.body)(values),
    entityId: content.entityId ?? leg.sender.entityId ?? undefined,
    dltTemplateId: content.dltTemplateId,
  }
}
