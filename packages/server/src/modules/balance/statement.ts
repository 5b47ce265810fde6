import { Readable } from 'node:stream'
import type { StatementEntry, StatementKind } from '@carillon/contract/billing'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import type { Db } from '../../db/pool.ts'
import type { Actor, FileAnswer } from '../../http/handlers.ts'
import { byteOrderMark, csvLine } from '../../lib/csv-write.ts'
import { findLetterhead, type PaperDeps } from './letterhead.ts'
import { findMoneyAccount } from './money-account.ts'
import { toRupees } from './rupees.ts'
import {
  describeRow,
  readStatement,
  type StatementPage,
  type StatementRange,
  type StatementRow,
} from './statement.queries.ts'
import { writeStatementPdf } from './statement-pdf.ts'

type Query = {
  userId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  kind?: StatementKind | undefined
}

export async function listStatement(db: Db, { actor, query }: { actor: Actor; query: Query & PageQuery }) {
  const { limit, page } = query
  const statement = await readStatement(db, await rangeOf(db, actor, query), { limit, offset: (page - 1) * limit })
  return {
    entries: statement.rows.map(presentRow),
    total: statement.total,
    totalPages: paginate(query, statement.total).totalPages,
    currentPage: page,
    opening: toRupees(statement.opening),
    closing: toRupees(statement.closing),
    moneyIn: toRupees(statement.moneyIn),
    moneyOut: toRupees(statement.moneyOut),
  }
}

/** A download holds as many lines as a spreadsheet or a reader bears; a longer statement is taken in parts. */
const mostLines = 20_000

export async function downloadStatementCsv(
  db: Db,
  { actor, query }: { actor: Actor; query: Query },
): Promise<FileAnswer> {
  const { statement, range } = await readAll(db, actor, query)
  const lines = [
    csvLine(['Date', 'Type', 'Description', 'Amount (₹)', 'Balance (₹)']),
    csvLine(['', '', 'Opening balance', null, toRupees(statement.opening)]),
    ...statement.rows
      .toReversed()
      .map((row) =>
        csvLine([
          localTime(row.at, range.timezone),
          kindNames[row.kind],
          describeRow(row),
          toRupees(row.amount),
          toRupees(row.balance),
        ]),
      ),
    csvLine(['', '', 'Closing balance', null, toRupees(statement.closing)]),
  ]
  return {
    fileName: `${fileNameOf(range)}.csv`,
    contentType: 'text/csv; charset=utf-8',
    body: Readable.from([byteOrderMark + lines.join('')], { objectMode: false }),
  }
}

export async function downloadStatementPdf(
  db: Db,
  deps: PaperDeps,
  { actor, query }: { actor: Actor; query: Query },
): Promise<FileAnswer> {
  const { statement, range } = await readAll(db, actor, query)
  return {
    fileName: `${fileNameOf(range)}.pdf`,
    contentType: 'application/pdf',
    body: writeStatementPdf({
      letterhead: await findLetterhead(db, deps, range.money.account.organization_id),
      name: range.money.account.name,
      period: `${range.from ?? 'the beginning'} to ${range.to ?? 'today'}`,
      statement,
      lines: statement.rows.toReversed().map((row) => ({
        at: localTime(row.at, range.timezone),
        kind: kindNames[row.kind],
        description: describeRow(row),
        amount: row.amount,
        balance: row.balance,
      })),
    }),
  }
}

async function readAll(
  db: Db,
  actor: Actor,
  query: Query,
): Promise<{ statement: StatementPage; range: StatementRange }> {
  const range = await rangeOf(db, actor, query)
  return { range, statement: await readStatement(db, range, { limit: mostLines, offset: 0 }) }
}

async function rangeOf(db: Db, actor: Actor, { userId, ...range }: Query): Promise<StatementRange> {
  return { ...range, money: await findMoneyAccount(db, { actor, userId }), timezone: actor.timezone }
}

function fileNameOf({ money, from, to }: StatementRange): string {
  return ['Statement', money.account.name, from, to].filter(Boolean).join(' ')
}

export const kindNames: Record<StatementKind, string> = {
  topup: 'Top-up',
  transfer_in: 'Received',
  transfer_out: 'Given',
  usage: 'Usage',
  refund: 'Refund',
  margin: 'Margin',
  adjustment: 'Adjustment',
}

function localTime(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)
}

function presentRow(row: StatementRow): StatementEntry {
  return {
    _id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    description: describeRow(row),
    // A campaign of an organisation below is named, and looked at there.
    campaignId: row.organizationName ? undefined : (row.campaignId ?? undefined),
    amount: toRupees(row.amount),
    balance: toRupees(row.balance),
  }
}
