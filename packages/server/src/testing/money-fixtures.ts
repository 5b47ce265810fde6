import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'

type Own = Record<'mark' | 'topUp' | 'invoice' | 'rateCard', string>

/** A top-up request, an invoice and a rate card. */
export async function addMoney(db: Db, owner: Account, own: Own) {
  const { id, organizationId: organization_id, path } = owner
  await db
    .insertInto('topup_requests')
    .values({ organization_id, id: own.topUp, account_id: id, path, answerer_id: id, amount: 50_000, note: own.mark })
    .execute()
  await db
    .insertInto('invoices')
    .values({
      organization_id,
      id: own.invoice,
      issuer_id: newId(),
      number: `INV ${own.mark}`,
      month: '2026-10-01',
      lines: '[]',
      issuer: JSON.stringify({ legalName: own.mark }),
      billed: JSON.stringify({ legalName: own.mark }),
      subtotal: 100,
      tax: 18,
      total: 118,
      issued_on: '2026-11-01',
    })
    .execute()
  await db
    .insertInto('rate_cards')
    .values({ organization_id, id: own.rateCard, name: `Card ${own.mark}`, valid_from: '2036-01-01' })
    .execute()
}
