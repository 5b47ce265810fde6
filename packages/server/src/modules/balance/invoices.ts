import type { Invoice } from '@carillon/contract/billing'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, within } from '../../db/scope.ts'
import type { Invoices } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import type { FileAnswer } from '../../http/handlers.ts'
import { notFound } from '../../lib/problem.ts'
import { getAccount } from '../accounts/index.ts'
import { InvoiceLine, InvoiceParty } from './invoice-lines.ts'
import { writeInvoicePdf } from './invoice-pdf.ts'
import { findLetterhead, type PaperDeps } from './letterhead.ts'
import { toRupees } from './rupees.ts'

type InvoiceRow = Selectable<Invoices>
type Query = PageQuery & { userId?: string | undefined; box: 'received' | 'issued' }

/** Invoices to the caller's organisation; or those it issued, all or to one account below. */
export async function listInvoices(db: Db, { actor, query }: { actor: UserActor; query: Query }) {
  const account = query.userId ? await getAccount(db, { id: query.userId, scope: actor.scope }) : undefined
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
    issuedOn: row.issued_on,
  }
}

export async function downloadInvoice(
  db: Db,
  deps: PaperDeps,
  { actor, id }: { actor: UserActor; id: string },
): Promise<FileAnswer> {
  const row = await db
    .selectFrom('invoices')
    .leftJoin('accounts as billed', 'billed.id', 'invoices.organization_id')
    .selectAll('invoices')
    .where('invoices.id', '=', id)
    .where(({ or }) =>
      or([ofOrganization(actor.scope, 'invoices.organization_id'), within(actor.scope, 'billed.path')]),
    )
    .executeTakeFirst()
  if (!row) throw notFound('Invoice')
  return {
    fileName: `Invoice ${row.number.replaceAll('/', '-')}.pdf`,
    contentType: 'application/pdf',
    body: writeInvoicePdf({
      letterhead: await findLetterhead(db, deps, row.organization_id),
      number: row.number,
      month: row.month,
      issuedOn: row.issued_on,
      issuer: InvoiceParty.parse(row.issuer),
      billed: InvoiceParty.parse(row.billed),
      lines: z.array(InvoiceLine).parse(row.lines),
      subtotal: row.subtotal,
      tax: row.tax,
      total: row.total,
    }),
  }
}

export type InvoiceTax = { number: string; month: string; tax: number }

/** Tax of an organisation's invoices dated in the period, in ledger units. */
export async function listTaxes(
  db: Db,
  { organizationId, from, to }: { organizationId: string; from?: string | undefined; to?: string | undefined },
): Promise<InvoiceTax[]> {
  return db
    .selectFrom('invoices')
    .select(['number', 'month', 'tax'])
    .where('organization_id', '=', organizationId)
    .where('tax', '>', 0)
    .$if(from !== undefined, (query) => query.where('issued_on', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('issued_on', '<=', to ?? ''))
    .orderBy('month')
    .orderBy('number')
    .execute()
}
