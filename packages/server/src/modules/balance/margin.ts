import { Readable } from 'node:stream'
import type { CustomerMargin, MarginTotals } from '@carillon/contract/margin'
import { spreadPaise } from '@carillon/contract/money'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { FileAnswer } from '../../http/handlers.ts'
import { byteOrderMark, csvLine, type Decimal } from '../../lib/csv-write.ts'
import { findMoneyAccount } from './money-account.ts'
import { readMargin, type MarginPart, type MarginRow } from './margin.queries.ts'
import { toRupees } from './rupees.ts'
import { readStatement } from './statement.queries.ts'

type Days = { from?: string | undefined; to?: string | undefined }

export async function listMargin(db: Db, { actor, query }: { actor: UserActor; query: Days & PageQuery }) {
  const { totals, customers } = await getMargin(db, actor, query)
  const { limit, page } = query
  return {
    totals,
    customers: customers.slice((page - 1) * limit, page * limit),
    total: customers.length,
    totalPages: paginate(query, customers.length).totalPages,
    currentPage: page,
  }
}

export async function downloadMarginCsv(
  db: Db,
  { actor, query }: { actor: UserActor; query: Days },
): Promise<FileAnswer> {
  const { totals, customers, name } = await getMargin(db, actor, query)
  const line = (name: string, { charged, cost, margin }: Omit<CustomerMargin, 'name' | 'userId'>) =>
    csvLine([name, csvAmount(charged), csvAmount(cost), csvAmount(margin)])
  const lines = [
    csvLine(['Customer', 'Charged (₹)', 'Cost (₹)', 'Margin (₹)']),
    ...customers.map((customer) => line(customer.name, customer)),
    line('Total', totals),
  ]
  return {
    fileName: `${['Margin', name, query.from, query.to].filter(Boolean).join(' ')}.csv`,
    contentType: 'text/csv; charset=utf-8',
    body: Readable.from([byteOrderMark + lines.join('')], { objectMode: false }),
  }
}

function csvAmount(value: number): Decimal {
  return { value, decimals: 2 }
}

type Margin = { totals: MarginTotals; customers: CustomerMargin[]; name: string }

/** Totals are computed from the statement's lines, so both agree to the paisa; customers add up to the totals. */
async function getMargin(db: Db, actor: UserActor, { from, to }: Days): Promise<Margin> {
  const money = await findMoneyAccount(db, { actor })
  const range = { money, timezone: money.account.timezone, from, to }
  const rows = await readMargin(db, range)
  const { opening, closing } = await readStatement(db, range, { limit: 1, offset: 0 })
  const total = (part: MarginPart) =>
    toRupees(rows.filter((row) => row.part === part).reduce((sum, { amount }) => sum + amount, 0))
  const [charged, cost] = [total('charged'), -total('cost') || 0]
  return {
    name: money.account.name,
    totals: {
      opening: toRupees(opening),
      received: total('received'),
      given: -total('given') || 0,
      charged,
      cost,
      margin: minus(charged, cost),
      ownUse: -total('ownUse') || 0,
      adjustments: total('adjustments'),
      closing: toRupees(closing),
    },
    customers: customersOf(rows),
  }
}

function customersOf(rows: readonly MarginRow[]): CustomerMargin[] {
  const charged = shares(rows.filter(({ part }) => part === 'charged'))
  const cost = shares(rows.filter(({ part }) => part === 'cost'))
  const names = new Map(rows.map(({ customerId, customerName }) => [customerId ?? '', customerName]))
  const ids = [...new Set([...charged.keys(), ...cost.keys()])]
  return ids
    .map((id) => {
      const [paid, owed] = [charged.get(id) ?? 0, -(cost.get(id) ?? 0) || 0]
      return {
        userId: id || undefined,
        name: names.get(id) ?? 'Former accounts',
        charged: paid,
        cost: owed,
        margin: minus(paid, owed),
      }
    })
    .toSorted((one, other) => other.charged - one.charged || one.name.localeCompare(other.name))
}

/** Each customer's amount in rupees, in whole paise that add up to the statement's lines. */
function shares(rows: readonly MarginRow[]): Map<string, number> {
  const amounts = spreadPaise(
    rows.map(({ exact }) => exact),
    rows.reduce((sum, { amount }) => sum + amount, 0),
  )
  return new Map(rows.map(({ customerId }, index) => [customerId ?? '', toRupees(amounts[index] ?? 0)]))
}

function minus(one: number, other: number): number {
  return Math.round((one - other) * 100) / 100
}
