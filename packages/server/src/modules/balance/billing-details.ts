import { BillingDetails } from '@carillon/contract/billing-details'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { recordAudit, whoActs } from '../audit/index.ts'

/** An organisation's billing details; missing values are empty. */
export async function getBillingDetails(db: Db, organizationId: string): Promise<BillingDetails> {
  const row = await db
    .selectFrom('billing_details')
    .select('details')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return BillingDetails.parse(row?.details ?? {})
}

export async function setBillingDetails(
  db: Db,
  { actor, details }: { actor: UserActor; details: BillingDetails },
): Promise<BillingDetails> {
  await sql`
    insert into billing_details (organization_id, details) values (${actor.organizationId}::uuid, ${JSON.stringify(details)}::jsonb)
    on conflict (organization_id) do update set details = excluded.details`.execute(db)
  await recordAudit(db, { organizationId: actor.organizationId, ...whoActs(actor), action: 'billing_details.updated' })
  return details
}
