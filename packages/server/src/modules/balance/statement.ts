import { Readable } from 'node:stream'
import { statementKindNames, type StatementEntry, type StatementKind } from '@carillon/contract/billing'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { FileAnswer } from '../../http/handlers.ts'
import { byteOrderMark, csvLine, type Decimal } from '../../lib/csv-write.ts'
import { createLocalTime } from '../../lib/local-time.ts'
import { formatMonth } from './invoice-pdf.ts'
import { listTaxes, type InvoiceTax } from './invoices.ts'
import { findLetterhead, type PaperDeps } from './letterhead.ts'
import { findMoneyAccount } from './money-account.ts'
import { formatRupees, toRupees } from './rupees.ts'
import {
  describeRow,
  readStatement,
  type StatementPage,
  type StatementRange,
  type StatementRow,
} from './statement.queries.ts'
import { writeStatementPdf, type Totals } from './statement-pdf.ts'

type Query = {
  userId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  kind?: StatementKind | undefined
}

export async function listStatement(db: Db, { actor, query }: { actor: UserActor; query: Query & PageQuery }) {
  const { limit, page } = query
  const range = await rangeOf(db, actor, query)
  const statement = await readStatement(db, range, { limit, offset: (page - 1) * limit })
  const taxes = await taxesOf(db, range)
  return {
    entries: statement.rows.map(presentRow),
    total: statement.total,
    totalPages: paginate(query, statement.total).totalPages,
    currentPage: page,
    opening: toRupees(statement.opening),
    closing: toRupees(statement.closing),
    moneyIn: toRupees(statement.moneyIn),
    moneyOut: toRupees(statement.moneyOut),
    ...presentHeld(totalsOf(statement)),
    taxes: taxes.map(({ number, month, tax }) => ({ number, month, tax: toRupees(tax) })),
  }
}

function presentHeld({ held, available }: Totals): { held?: number; available?: number } {
  if (held === undefined || available === undefined) return {}
  return { held: toRupees(held), available: toRupees(available) }
}

/** The held amount is known only for the current balance. */
function totalsOf({ opening, closing, moneyIn, moneyOut, held, isCurrent }: StatementPage): Totals {
  const totals = { opening, closing, moneyIn, moneyOut }
  return isCurrent ? { ...totals, held, available: closing - held } : totals
}

/** Maximum lines of a download; longer statements must be split. */
const mostLines = 20_000

export async function downloadStatementCsv(
  db: Db,
  { actor, query }: { actor: UserActor; query: Query },
): Promise<FileAnswer> {
  const { statement, taxes, range } = await readAll(db, actor, query)
  const localTime = createLocalTime(range.timezone)
  const { opening, closing, moneyIn, moneyOut, held, available } = totalsOf(statement)
  // Lines of one kind do not add up to balances: they have a sum instead.
  const total = (name: string, units: number | undefined) =>
    units === undefined || query.kind ? [] : [csvLine(['', '', name, null, csvAmount(units)])]
  const lines = [
    csvLine([`Date (${range.timezone})`, 'Type', 'Description', 'Amount (₹)', 'Balance (₹)']),
    ...total('Opening balance', opening),
    ...statement.rows
      .toReversed()
      .map((row) =>
        csvLine([
          localTime(row.at),
          statementKindNames[row.kind],
          describeRow(row),
          csvAmount(row.amount),
          csvAmount(row.balance),
        ]),
      ),
    ...total('Closing balance', closing),
    ...total('Reserved for campaigns', held),
    ...total('Available', available),
    ...(query.kind ? [csvLine(['', '', 'Total', csvAmount(moneyIn - moneyOut), null])] : []),
    ...taxes.map((tax) => csvLine(['', '', describeTax(tax), csvAmount(tax.tax), null])),
  ]
  return {
    fileName: `${fileNameOf(range)}.csv`,
    contentType: 'text/csv; charset=utf-8',
    body: Readable.from([byteOrderMark + lines.join('')], { objectMode: false }),
  }
}

function csvAmount(units: number): Decimal {
  return { value: toRupees(units), decimals: 2 }
}

export async function downloadStatementPdf(
  db: Db,
  deps: PaperDeps,
  { actor, query }: { actor: UserActor; query: Query },
): Promise<FileAnswer> {
  const { statement, taxes, range } = await readAll(db, actor, query)
  const localTime = createLocalTime(range.timezone)
  return {
    fileName: `${fileNameOf(range)}.pdf`,
    contentType: 'application/pdf',
    body: writeStatementPdf({
      letterhead: await findLetterhead(db, deps, range.money.account.organization_id),
      name: range.money.account.name,
      period: `${range.from ?? 'the beginning'} to ${range.to ?? 'today'}`,
      timezone: range.timezone,
      kind: query.kind && statementKindNames[query.kind],
      totals: totalsOf(statement),
      taxes: taxes.map((tax) => `${describeTax(tax)}: Rs. ${formatRupees(tax.tax)}`),
      lines: statement.rows.toReversed().map((row) => ({
        at: localTime(row.at),
        kind: statementKindNames[row.kind],
        description: describeRow(row),
        amount: row.amount,
        balance: row.balance,
      })),
    }),
  }
}

async function readAll(
  db: Db,
  actor: UserActor,
  query: Query,
): Promise<{ statement: StatementPage; taxes: InvoiceTax[]; range: StatementRange }> {
  const range = await rangeOf(db, actor, query)
  return {
    range,
    statement: await readStatement(db, range, { limit: mostLines, offset: 0 }),
    taxes: await taxesOf(db, range),
  }
}

/** Only for an organisation's own, unfiltered statement: invoices are issued to organisations. */
async function taxesOf(db: Db, { money, from, to, kind }: StatementRange): Promise<InvoiceTax[]> {
  const { account, organizationId } = money
  if (account.id !== organizationId || kind !== undefined) return []
  return listTaxes(db, { organizationId, from, to })
}

function describeTax({ number, month }: InvoiceTax): string {
  return `Tax on invoice ${number} for ${formatMonth(month)}, not taken from the balance`
}

async function rangeOf(db: Db, actor: UserActor, { userId, ...range }: Query): Promise<StatementRange> {
  const money = await findMoneyAccount(db, { actor, userId })
  // In the account's time zone, so that all readers see the same lines.
  return { ...range, money, timezone: money.account.timezone }
}

function fileNameOf({ money, from, to }: StatementRange): string {
  return ['Statement', money.account.name, from, to].filter(Boolean).join(' ')
}

function presentRow(row: StatementRow): StatementEntry {
  return {
    _id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    description: describeRow(row),
    // A campaign of an organisation below is named, but not linked.
    campaignId: row.organizationName ? undefined : (row.campaignId ?? undefined),
    amount: toRupees(row.amount),
    balance: toRupees(row.balance),
  }
}
