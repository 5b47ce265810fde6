import type { AccountAnalytics, Analytics } from '../../management.ts'
import type { Graph } from './graph.ts'
import { rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import { instantOf, numberOf } from './json.ts'

type Range = Parameters<Analytics['query']>[0]

/** Messages and costs by day: both are fields of the account, with filters in dot notation. */
export async function queryAnalytics(graph: Graph, wabaId: string, range: Range): Promise<AccountAnalytics> {
  const fields = ['currency', messageField(range), priceField(range)].join(',')
  const answer = await graph({ path: wabaId, query: { fields } })
  return {
    points: rowsOf(rowOf(answer['analytics'])['data_points']).map(readPoint).toSorted(byTime),
    prices: addUp(rowsOf(rowOf(answer['pricing_analytics'])['data']).flatMap((each) => rowsOf(each['data_points']))),
    currency: stringOf(answer['currency']) ?? '',
  }
}

function messageField(range: Range): string {
  return `analytics${between(range)}.granularity(DAY)${numbers(range)}`
}

function priceField(range: Range): string {
  return `pricing_analytics${between(range)}.granularity(DAILY)${numbers(range)}.metric_types(["COST","VOLUME"]).dimensions(["PRICING_CATEGORY","PRICING_TYPE"])`
}

/** Both days are included, by Meta's clock. */
function between({ from, to }: Range): string {
  const start = Date.parse(`${from}T00:00:00Z`) / 1000
  return `.start(${start}).end(${Date.parse(`${to}T00:00:00Z`) / 1000 + 86_400})`
}

function numbers({ lineNumber }: Range): string {
  return lineNumber === undefined ? '' : `.phone_numbers(["${lineNumber.replaceAll(/\D/g, '')}"])`
}

type Point = AccountAnalytics['points'][number]

function readPoint(row: Row): Point {
  return {
    at: instantOf(row['start']).toISOString(),
    sent: numberOf(row['sent']),
    delivered: numberOf(row['delivered']),
  }
}

function byTime(one: Point, other: Point): number {
  return one.at < other.at ? -1 : 1
}

function addUp(points: readonly Row[]): AccountAnalytics['prices'] {
  const sums = new Map<string, AccountAnalytics['prices'][number]>()
  for (const point of points) {
    const category = stringOf(point['pricing_category']) ?? 'OTHER'
    const type = stringOf(point['pricing_type']) ?? 'REGULAR'
    const sum = sums.get(`${category} ${type}`) ?? { category, type, volume: 0, cost: 0 }
    sum.volume += numberOf(point['volume'])
    sum.cost += numberOf(point['cost'])
    sums.set(`${category} ${type}`, sum)
  }
  return [...sums.values()]
}
