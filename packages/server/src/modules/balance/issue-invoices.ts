import { spreadPaise } from '@carillon/contract/money'
import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { getBillingDetails } from './billing-details.ts'
import { InvoiceParty, placeOfSupply, taxLines, type InvoiceLine } from './invoice-lines.ts'
import { findBilled, readPaid, readUsage } from './invoice-usage.queries.ts'

const issueAll = defineJob('invoices.issue', noPayload)

/** When the previous month has ended in every time zone. */
export const balanceCron: CronJob[] = [{ job: issueAll, schedule: '30 12 1 * *' }]

export function balanceJobs({ database, clock }: { database: Database; clock: Clock }): JobHandler[] {
  return [handleJob(issueAll, () => issueInvoices(database, monthBefore(clock.now())))]
}

/** First day of the previous month, as `YYYY-MM-01`. */
export function monthBefore(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 10)
}

/** Invoices every organisation that paid for messages in a month, once, each in its own transaction. */
export async function issueInvoices(database: Database, month: string): Promise<void> {
  const billed = await asSystem(database, (db) => findBilled(db, month))
  for (const { organizationId, timezone } of billed)
    await asSystem(database, (db) => issueInvoice(db, { organizationId, month, timezone }))
}

/** Invoices one organisation for a month, unless already done or nothing was paid. */
export async function issueInvoice(
  db: Db,
  bill: {
    organizationId: string
    month: string
    timezone: string
    /** Default: read from the ledger. */ usage?: InvoiceLine[]
  },
): Promise<void> {
  const { organizationId, month, timezone } = bill
  const account = await db
    .selectFrom('accounts as billed')
    .innerJoin('accounts as above', 'above.id', 'billed.parent_id')
    .select(['billed.name', 'above.organization_id as issuer_id', 'above.name as issuer_name'])
    .where('billed.id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const usage = bill.usage ?? (await readUsage(db, bill))
  const subtotal = await readPaid(db, bill)
  if (subtotal <= 0) return
  const amounts = spreadPaise(
    usage.map(({ amount }) => amount),
    subtotal,
  )
  const items = usage.map((item, index) => ({ ...item, amount: amounts[index] ?? 0 }))

  const issuer = await getBillingDetails(db, account.issuer_id)
  const billed = await getBillingDetails(db, organizationId)
  const taxes = taxLines(subtotal, { issuer, billed })
  const tax = taxes.reduce((sum, { amount }) => sum + amount, 0)
  const year = Number(month.slice(0, 4))
  // Locks the issuer's counter, so that numbers have no gaps.
  const last = await lockNumber(db, account.issuer_id, year)
  if (await isIssued(db, { organizationId, issuerId: account.issuer_id, month })) return
  const number = `${issuer.invoicePrefix || 'INV'}/${year}/${String(last + 1).padStart(4, '0')}`
  await db
    .updateTable('invoice_numbers')
    .set({ last_number: last + 1 })
    .where('organization_id', '=', account.issuer_id)
    .where('year', '=', year)
    .execute()
  await db
    .insertInto('invoices')
    .values({
      organization_id: organizationId,
      id: newId(),
      issuer_id: account.issuer_id,
      number,
      month,
      lines: JSON.stringify([...items, ...taxes]),
      issuer: JSON.stringify(InvoiceParty.parse({ name: account.issuer_name, ...issuer })),
      billed: JSON.stringify(
        InvoiceParty.parse({ name: account.name, ...billed, placeOfSupply: placeOfSupply({ issuer, billed }) }),
      ),
      subtotal,
      tax,
      total: subtotal + tax,
      issued_on: sql<string>`local_day(now(), ${timezone})`,
    })
    .execute()
}

async function lockNumber(db: Db, issuerId: string, year: number): Promise<number> {
  const { rows } = await sql<{ last_number: number }>`
    insert into invoice_numbers (organization_id, year, last_number) values (${issuerId}::uuid, ${year}, 0)
    on conflict (organization_id, year) do update set last_number = invoice_numbers.last_number
    returning last_number`.execute(db)
  return rows[0]?.last_number ?? 0
}

async function isIssued(
  db: Db,
  { organizationId, issuerId, month }: { organizationId: string; issuerId: string; month: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('invoices')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('issuer_id', '=', issuerId)
    .where('month', '=', month)
    .executeTakeFirst()
  return row !== undefined
}
