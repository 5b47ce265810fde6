import type { Tally } from './analytics-counts.ts'
import { parseList } from './field-list.ts'
import type { Graph } from './graph.ts'
import { GraphError } from './graph-error.ts'
import type { Row, Waba } from './objects.ts'

export type Asking = { graph: Graph; waba: Waba; filters: Record<string, string> }

/** Analytics are fields of a WABA: `fields=analytics.start(…).end(…).granularity(DAY)`. */
export const analyticsFields: Record<string, (asking: Asking) => Row> = {
  analytics: messageAnalytics,
  conversation_analytics: conversationAnalytics,
  pricing_analytics: pricingAnalytics,
}

const yearSeconds = 366 * 86_400

const steps: Record<string, 'half-hour' | 'day' | 'month'> = {
  HALF_HOUR: 'half-hour',
  DAY: 'day',
  DAILY: 'day',
  MONTH: 'month',
  MONTHLY: 'month',
}

type Span = { start: number; end: number; step: 'half-hour' | 'day' | 'month'; granularity: string }

function readSpan(filters: Record<string, string>, allowed: readonly string[]): Span {
  const start = Number(filters.start)
  const end = Number(filters.end)
  if (!filters.start || !filters.end || !Number.isFinite(start) || !Number.isFinite(end))
    throw new GraphError(100, { message: '(#100) start and end must be given in seconds since 1970' })
  if (start >= end) throw new GraphError(100, { message: '(#100) start must be before end' })
  if (start < Date.now() / 1000 - yearSeconds)
    throw new GraphError(100, { message: '(#100) start lies more than a year back' })
  const granularity = filters.granularity ?? ''
  const step = steps[granularity]
  if (!step || !allowed.includes(granularity))
    throw new GraphError(100, { message: `(#100) granularity must be one of {${allowed.join(', ')}}` })
  return { start, end, step, granularity }
}

/** The start and end of the UTC interval that contains a time. */
function intervalOf(at: number, step: Span['step']): { start: number; end: number } {
  if (step === 'month') {
    const date = new Date(at * 1000)
    const first = (month: number) => Date.UTC(date.getUTCFullYear(), month, 1) / 1000
    return { start: first(date.getUTCMonth()), end: first(date.getUTCMonth() + 1) }
  }
  const seconds = step === 'day' ? 86_400 : 1800
  const start = Math.floor(at / seconds) * seconds
  return { start, end: start + seconds }
}

type Group = { start: number; end: number; tallies: Tally[]; by: Row }

type Grouping = { span: Span; dimensions: Record<string, (tally: Tally) => string>; wanted: (tally: Tally) => boolean }

/** Sums by interval and by the requested dimensions. */
function groupTallies({ graph, waba }: Asking, { span, dimensions, wanted }: Grouping): Group[] {
  const groups = new Map<string, Group>()
  for (const tally of graph.analytics.tallies()) {
    if (tally.wabaId !== waba.id || tally.startsAt + 1800 <= span.start || tally.startsAt >= span.end || !wanted(tally))
      continue
    const interval = intervalOf(tally.startsAt, span.step)
    const by = Object.fromEntries(Object.entries(dimensions).map(([name, read]) => [name, read(tally)]))
    const key = JSON.stringify([interval.start, by])
    const group = groups.get(key) ?? { ...interval, tallies: [], by }
    group.tallies.push(tally)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((one, other) => one.start - other.start)
}

function sum(tallies: Tally[], name: 'sent' | 'delivered' | 'conversations' | 'cost'): number {
  const total = tallies.reduce((whole, tally) => whole + tally[name], 0)
  return Math.round(total * 10_000) / 10_000
}

function phoneOf(graph: Graph): (tally: Tally) => string {
  return ({ phoneNumberId }) => graph.meta.numbers.get(phoneNumberId)?.digits ?? ''
}

/** An empty filter matches everything. */
function among(filter: string | undefined, value: string): boolean {
  const words = parseList(filter)
  return words.length === 0 || words.includes(value)
}

function messageAnalytics(asking: Asking): Row {
  const { graph, filters } = asking
  const span = readSpan(filters, ['HALF_HOUR', 'DAY', 'MONTH'])
  const phone = phoneOf(graph)
  const wanted = (tally: Tally) =>
    among(filters.phone_numbers, phone(tally)) &&
    among(filters.country_codes, tally.country) &&
    among(filters.product_types, String(tally.productType))
  const groups = groupTallies(asking, { span, dimensions: {}, wanted })
  const named = (read: (tally: Tally) => string) => [...new Set(groups.flatMap(({ tallies }) => tallies.map(read)))]
  return {
    phone_numbers: named(phone),
    country_codes: named(({ country }) => country),
    granularity: span.granularity,
    data_points: groups.map(({ start, end, tallies }) => ({
      start,
      end,
      sent: sum(tallies, 'sent'),
      delivered: sum(tallies, 'delivered'),
    })),
  }
}

const conversationTypes: Record<string, string> = {
  regular: 'REGULAR',
  free_customer_service: 'FREE_TIER',
  free_entry_point: 'FREE_ENTRY',
}

function conversationAnalytics(asking: Asking): Row {
  const { graph, filters } = asking
  const span = readSpan(filters, ['HALF_HOUR', 'DAILY', 'MONTHLY'])
  const all: Record<string, [name: string, read: (tally: Tally) => string]> = {
    CONVERSATION_CATEGORY: ['conversation_category', ({ category }) => category.toUpperCase()],
    CONVERSATION_DIRECTION: ['conversation_direction', directionOf],
    CONVERSATION_TYPE: ['conversation_type', ({ pricingType }) => conversationTypes[pricingType] ?? 'REGULAR'],
    COUNTRY: ['country', ({ country }) => country],
    PHONE: ['phone_number', phoneOf(graph)],
  }
  const wanted = (tally: Tally) =>
    among(filters.conversation_categories, tally.category.toUpperCase()) &&
    among(filters.conversation_types, conversationTypes[tally.pricingType] ?? 'REGULAR') &&
    among(filters.conversation_directions, directionOf(tally)) &&
    among(filters.phone_numbers, phoneOf(graph)(tally)) &&
    among(filters.country_codes, tally.country)
  const groups = groupTallies(asking, { span, dimensions: dimensionsOf(all, filters.dimensions), wanted })
  const metrics = metricsOf(filters.metric_types, ['CONVERSATION', 'COST'])
  const points = groups
    .filter(({ tallies }) => sum(tallies, 'conversations') > 0)
    .map(({ start, end, tallies, by }) => ({
      start,
      end,
      ...by,
      ...(metrics.has('CONVERSATION') ? { conversation: sum(tallies, 'conversations') } : {}),
      ...(metrics.has('COST') ? { cost: sum(tallies, 'cost') } : {}),
    }))
  return { data: [{ data_points: points }] }
}

function directionOf({ productType }: Tally): string {
  return productType === 100 ? 'USER_INITIATED' : 'BUSINESS_INITIATED'
}

function pricingAnalytics(asking: Asking): Row {
  const { graph, filters } = asking
  const span = readSpan(filters, ['HALF_HOUR', 'DAILY', 'MONTHLY'])
  const all: Record<string, [name: string, read: (tally: Tally) => string]> = {
    COUNTRY: ['country', ({ country }) => country],
    PHONE: ['phone_number', phoneOf(graph)],
    PRICING_CATEGORY: ['pricing_category', ({ category }) => category.toUpperCase()],
    PRICING_TYPE: ['pricing_type', ({ pricingType }) => pricingType.toUpperCase()],
    TIER: ['tier', () => '0:750000'],
  }
  const wanted = (tally: Tally) =>
    tally.productType !== 100 &&
    among(filters.pricing_categories, tally.category.toUpperCase()) &&
    among(filters.pricing_types, tally.pricingType.toUpperCase()) &&
    among(filters.phone_numbers, phoneOf(graph)(tally)) &&
    among(filters.country_codes, tally.country)
  const groups = groupTallies(asking, { span, dimensions: dimensionsOf(all, filters.dimensions), wanted })
  const metrics = metricsOf(filters.metric_types, ['VOLUME', 'COST'])
  const points = groups
    .filter(({ tallies }) => sum(tallies, 'delivered') > 0)
    .map(({ start, end, tallies, by }) => ({
      start,
      end,
      ...by,
      ...(metrics.has('VOLUME') ? { volume: sum(tallies, 'delivered') } : {}),
      ...(metrics.has('COST') ? { cost: sum(tallies, 'cost') } : {}),
    }))
  return { data: [{ data_points: points }] }
}

type Dimensions = Record<string, [name: string, read: (tally: Tally) => string]>

function dimensionsOf(all: Dimensions, asked: string | undefined): Grouping['dimensions'] {
  const pairs = parseList(asked).map((each) => {
    const found = all[each]
    if (!found)
      throw new GraphError(100, { message: `(#100) dimensions must be among {${Object.keys(all).join(', ')}}` })
    return found
  })
  return Object.fromEntries(pairs)
}

function metricsOf(asked: string | undefined, all: string[]): Set<string> {
  const words = parseList(asked)
  const unknown = words.find((each) => !all.includes(each))
  if (unknown !== undefined)
    throw new GraphError(100, { message: `(#100) metric_types must be among {${all.join(', ')}}` })
  return new Set(words.length === 0 ? all : words)
}
