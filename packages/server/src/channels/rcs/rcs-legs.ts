import type { SendWindow, VariableSource } from '@carillon/contract/campaign-records'
import { RcsValues } from '@carillon/contract/channels/rcs/rcs-campaigns'
import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import { utf8Length } from '@carillon/contract/channels/rcs/rcs-price-class'
import { RcsCategory, RcsTemplateContent, RcsTemplateStatus } from '@carillon/contract/channels/rcs/rcs-templates'
import { listRcsVariables, listVariablesOf, rcsVariable } from '@carillon/contract/channels/rcs/rcs-variables'
import type { LoadedLeg, Measured, PreparedLeg, ServerChannel, TestMessage } from '../channel.ts'
import { compileRcsContent } from './compile-content.ts'
import { classOf, exceedsLimits, lengthOf } from './content-limits.ts'
import type { RcsContentJson, RcsMessage } from './message.ts'
import { compileValues, RcsLeg } from './template-leg.ts'
import { messageText } from './text-of.ts'

/** Indian operators refuse promotional messages outside these hours. */
const promotionalHours: SendWindow = { start: '10:00', end: '21:00', timezone: 'Asia/Kolkata' }

export function readRcsLeg({ template, values }: Pick<LoadedLeg, 'template' | 'values'>) {
  return {
    content: RcsTemplateContent.parse(template.content),
    category: RcsCategory.parse(template.category),
    // A status that is newer than this program is not an approval.
    status: RcsTemplateStatus.catch('DISABLED').parse(template.status),
    values: RcsValues.parse(values),
  }
}

export function prepareRcs(leg: Parameters<ServerChannel['prepareLeg']>[0]): PreparedLeg {
  const { content, category, values } = readRcsLeg(leg)
  const { name } = leg.template
  const priceClass = dearestClass(content, values.variables)
  const isReviewed = leg.sender?.reviewsTemplates ?? false
  return {
    content: { template: { name, category, content, isReviewed }, values } satisfies RcsLeg,
    category: priceClass,
    priceName: priceClass === 'basic' ? 'a basic RCS message' : 'a single RCS message',
    sources: values.variables,
    isPromotion: category === 'PROMOTION',
    isMarketing: category === 'PROMOTION',
    operatorHours: category === 'PROMOTION' ? promotionalHours : undefined,
  }
}

export const mapRcsSources: ServerChannel['mapSources'] = ({ template, values }, change) => {
  const names = listRcsVariables(RcsTemplateContent.parse(template.content))
  return {
    variables: RcsValues.parse(values).variables.map((source, index) => change(source, { name: names[index] ?? '' })),
  } satisfies RcsValues
}

/** UTF-8 bytes of the longest character. */
const mostBytes = 4

/** The dearest class that any row can have: `basic` only for a text that stays short whatever its values are. */
function dearestClass(content: RcsTemplateContent, sources: readonly VariableSource[]): 'basic' | 'single' {
  const { type, textMessageContent, suggestions } = content
  if (type !== 'text_message' || suggestions.length > 0) return 'single'
  const sourceByName = new Map(listRcsVariables(content).map((name, index) => [name, sources[index]]))
  const fixed = utf8Length(textMessageContent.replaceAll(rcsVariable, ''))
  const filled = listVariablesOf(textMessageContent).reduce(
    (sum, name) => sum + longestValue(sourceByName.get(name)),
    fixed,
  )
  return filled <= rcsLimits.basicTextBytes ? 'basic' : 'single'
}

/** UTF-8 bytes of the longest value that a variable can have. */
function longestValue(source: VariableSource | undefined): number {
  if (source === undefined) return 0
  const { column, fallback, trimTo } = source
  if (column === undefined) return utf8Length(fallback)
  return trimTo === undefined ? Number.POSITIVE_INFINITY : trimTo * mostBytes
}

export type RenderedRcs = Pick<RcsMessage, 'parts' | 'content' | 'traffic' | 'priceClass' | 'template'>

/** Renders the message of one row; undefined if a variable has no value. */
export function compileRcs(frozen: unknown): (cells: readonly string[]) => RenderedRcs | undefined {
  const leg = RcsLeg.parse(frozen)
  const { name, category, isReviewed } = leg.template
  const [readValues, fill] = [compileValues(leg), compileRcsContent(leg.template.content)]
  return (cells) => {
    const values = readValues(cells)
    if (!values) return undefined
    const content = fill(values)
    return {
      parts: 1,
      content,
      traffic: category,
      priceClass: classOf(content),
      ...(isReviewed ? { template: { name, params: Object.fromEntries(values) } } : {}),
    }
  }
}

export function measureRcs(frozen: object): (cells: readonly string[]) => Measured | undefined {
  const render = compileRcs(frozen)
  return (cells) => {
    const message = render(cells)
    return message && measure(message.content)
  }
}

function measure(content: RcsContentJson): Measured {
  return {
    parts: 1,
    length: lengthOf(content),
    isUnicode: false,
    problem: exceedsLimits(content) ? 'too_long' : undefined,
    category: classOf(content),
  }
}

export function writeRcsTest(loaded: LoadedLeg, cells: readonly string[]): TestMessage | { problem: string } {
  const message = compileRcs(prepareRcs(loaded).content)(cells)
  if (!message) return { problem: 'This row has no value for one of the variables' }
  if (exceedsLimits(message.content)) return { problem: 'The message of this row is longer than RCS allows' }
  const { content, traffic, template } = message
  return {
    header: loaded.sender.headers[0] ?? loaded.sender.name,
    text: messageText(content),
    content: { type: 'rcs', message: content, traffic, template },
  }
}
