import { GraphError } from './graph-error.ts'
import type { Meta } from './meta.ts'
import type { Category, Row, Template } from './objects.ts'
import { isRow, needList, needOneOf, readText } from './reading.ts'
import { typeText } from './template-plan.ts'
import { checkComponents } from './template-rules.ts'

export type Draft = Pick<Template, 'category' | 'parameterFormat' | 'components' | 'ttlSeconds'>

const lifetimes: Record<Category, [least: number, most: number, isThirtyDays: boolean]> = {
  AUTHENTICATION: [30, 900, true],
  UTILITY: [30, 43_200, true],
  MARKETING: [43_200, 2_592_000, false],
}

const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const

export function readCategory(value: unknown): Category {
  return needOneOf(typeof value === 'string' ? value.toUpperCase() : value, categories, 'category')
}

export function readDraft(meta: Meta, body: Row, before?: Template): Draft {
  const category = before && body.category === undefined ? before.category : readCategory(body.category)
  const parameterFormat = readFormat(body) ?? before?.parameterFormat ?? 'POSITIONAL'
  const given = body.components === undefined && before ? before.components : needComponents(body)
  const components = given.map(normalize)
  if (given !== before?.components)
    checkComponents({ meta, category, isNamed: parameterFormat === 'NAMED' }, components)
  return { category, parameterFormat, components, ttlSeconds: readLifetime(body, category) ?? before?.ttlSeconds }
}

function readFormat(body: Row): Template['parameterFormat'] | undefined {
  const format = readText(body, 'parameter_format')
  return format === undefined ? undefined : needOneOf(format.toUpperCase(), ['POSITIONAL', 'NAMED'], 'parameter_format')
}

/** In form bodies the list is JSON text. */
function needComponents(body: Row): Row[] {
  if (typeof body.components !== 'string') return needList(body, 'components')
  try {
    return needList({ components: JSON.parse(body.components) }, 'components')
  } catch {
    throw new GraphError(100, { message: '(#100) Param components must be a list' })
  }
}

/** Types are case-insensitive on input, upper case on output. */
function normalize(component: Row): Row {
  const upper = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value)
  const { format, buttons, cards } = component
  return {
    ...component,
    type: typeText(component),
    ...(format === undefined ? {} : { format: upper(format) }),
    ...(Array.isArray(buttons)
      ? { buttons: buttons.map((each: unknown) => (isRow(each) ? { ...each, type: upper(each.type) } : each)) }
      : {}),
    ...(Array.isArray(cards)
      ? {
          cards: cards.filter(isRow).map((card) => ({
            components: (Array.isArray(card.components) ? card.components : []).filter(isRow).map(normalize),
          })),
        }
      : {}),
  }
}

function readLifetime(body: Row, category: Category): number | undefined {
  if (body.message_send_ttl_seconds === undefined) return undefined
  const seconds = Number(body.message_send_ttl_seconds)
  const [least, most, isThirtyDays] = lifetimes[category]
  if ((seconds === -1 && isThirtyDays) || (Number.isSafeInteger(seconds) && seconds >= least && seconds <= most))
    return seconds
  throw new GraphError(100, {
    message: `(#100) message_send_ttl_seconds of a template of category ${category} must be ${least} to ${most}`,
  })
}
