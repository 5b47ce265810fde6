import { asSystem, type Database } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { issue } from '../modules/balance/index.ts'
import type { Account } from './builders.ts'

/** Sets an organisation's price of an SMS part, in ledger units. */
export async function setSmsPrice(
  { systemPool }: Database,
  { organizationId }: Pick<Account, 'organizationId'>,
  units: number,
): Promise<void> {
  const card = newId()
  await systemPool.query(`insert into rate_cards (organization_id, id, name) values ($1, $2, 'Card')`, [
    organizationId,
    card,
  ])
  await systemPool.query(
    `insert into rates (organization_id, rate_card_id, channel, price) values ($1, $2, 'sms', $3)`,
    [organizationId, card, units],
  )
}

/** Issues balance to an account, in ledger units. */
export function issueTo(
  database: Database,
  { admin, account, units }: { admin: Account; account: Pick<Account, 'organizationId' | 'id'>; units: number },
): Promise<void> {
  return asSystem(database, (db) =>
    issue(db, {
      issuer: { organizationId: admin.organizationId, accountId: admin.id },
      organizationId: account.organizationId,
      accountId: account.id,
      amount: units,
      opKey: newId(),
      reference: 'x',
    }),
  )
}
