import type { Invoice } from '@carillon/contract/billing'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import type { Readable } from 'node:stream'
import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, within } from '../../db/reach.ts'
import type { Invoices } from '../../db/schema.ts'
import type { Actor, FileAnswer } from '../../http/handlers.ts'
import { notFound } from '../../lib/problem.ts'
import { getAccount } from '../accounts/index.ts'
import { InvoiceLine, InvoiceParty } from './invoice-lines.ts'
import { findLetterhead, type Letterhead, type PaperDeps } from './letterhead.ts'
import { createPdf, money, writeHeading, writeTable } from './pdf-page.ts'
import { toRupees } from './rupees.ts'

type InvoiceRow = Selectable<Invoices>
type Query = PageQuery & { userId?: string | undefined; box: 'received' | 'issued' }

/** What an organisation was billed; or what one's own billed, all of it or to one account below. */
export async function listInvoices(db: Db, { actor, query }: { actor: Actor; query: Query }) {
  const account = query.userId ? await getAccount(db, { id: query.userId, reach: actor.reach }) : undefined
  const organizationId = account?.organization_id ?? actor.organizationId
  let list = db
    .selectFrom('invoices')
    .selectAll()
    .select(sql<number>`count(*) over ()`.as('count'))
  if (query.box === 'received' || account) list = list.where('organization_id', '=', organizationId)
  if (query.box === 'issued') list = list.where('issuer_id', '=', actor.organizationId)
  const rows = await list
    .orderBy('month', 'desc')
    .orderBy('number', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  const total = rows[0]?.count ?? 0
  return {
    invoices: rows.map(presentInvoice),
    total,
    totalPages: paginate(query, total).totalPages,
    currentPage: query.page,
  }
}

function presentInvoice(row: InvoiceRow): Invoice {
  const billed = InvoiceParty.parse(row.billed)
  return {
    _id: row.id,
    number: row.number,
    month: row.month,
    userId: row.organization_id,
    billedTo: billed.legalName || billed.name,
    subtotal: toRupees(row.subtotal),
    tax: toRupees(row.tax),
    total: toRupees(row.total),
    issuedAt: row.issued_at.toISOString(),
  }
}

export async function downloadInvoice(
  db: Db,
  deps: PaperDeps,
  { actor, id }: { actor: Actor; id: string },
): Promise<FileAnswer> {
  const row = await db
    .selectFrom('invoices')
    .leftJoin('accounts as billed', 'billed.id', 'invoices.organization_id')
    .selectAll('invoices')
    .where('invoices.id', '=', id)
    .where(({ or }) =>
      or([ofOrganization(actor.reach, 'invoices.organization_id'), within(actor.reach, 'billed.path')]),
    )
    .executeTakeFirst()
  if (!row) throw notFound('Invoice')
  return {
    fileName: `Invoice ${row.number.replaceAll('/', '-')}.pdf`,
    contentType: 'application/pdf',
    body: writeInvoice(row, await findLetterhead(db, deps, row.organization_id)),
  }
}

function writeInvoice(row: InvoiceRow, letterhead: Letterhead | undefined): Readable {
  const lines = z.array(InvoiceLine).parse(row.lines)
  const pdf = createPdf(`Invoice ${row.number}`, letterhead)
  writeHeading(pdf, `Invoice ${row.number}`, [
    `Month ${row.month.slice(0, 7)}, issued on ${row.issued_at.toISOString().slice(0, 10)}`,
  ])
  writeHeading(pdf, 'From', partyLines(InvoiceParty.parse(row.issuer)))
  writeHeading(pdf, 'Billed to', partyLines(InvoiceParty.parse(row.billed)))
  const items = lines.filter(({ kind }) => kind === 'item')
  const taxes = lines.filter(({ kind }) => kind === 'tax')
  writeTable(
    pdf,
    [
      { title: 'Description', width: 264 },
      { title: 'Units', width: 70, align: 'right' },
      { title: 'Rate (Rs.)', width: 75, align: 'right' },
      { title: 'Amount (Rs.)', width: 90, align: 'right' },
    ],
    [
      ...items.map(({ description, units, rate, amount }) => [
        description,
        units ? units.toLocaleString('en-IN') : '',
        rate ? money(rate) : '',
        money(amount),
      ]),
      ['Subtotal', '', '', money(row.subtotal)],
      ...taxes.map(({ description, amount }) => [description, '', '', money(amount)]),
      ['Total', '', '', money(row.total)],
      ['Paid from the balance while the messages were sent', '', '', ''],
    ],
  )
  pdf.end()
  return pdf
}

function partyLines({ name, legalName, address, gstin, stateCode }: InvoiceParty): string[] {
  return [
    legalName || name,
    ...address.split('\n'),
    gstin && `GSTIN ${gstin}`,
    stateCode && `State code ${stateCode}`,
  ].filter((line) => line !== '')
}
