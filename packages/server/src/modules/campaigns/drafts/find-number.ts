import type { Db } from '../../../db/pool.ts'
import { ofOrganization, type Scope } from '../../../db/scope.ts'

/** The organisation's senders with their accounts. */
function sendersOf(db: Db, scope: Scope) {
  return db
    .selectFrom('senders')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'senders.organization_id')
        .onRef('account.id', '=', 'senders.provider_account_id'),
    )
    .where(ofOrganization(scope, 'senders.organization_id'))
}

/** Finds a number by Meta's ids; without a number's id, the account's first active number. */
export async function findNumberOf(
  db: Db,
  scope: Scope,
  { wabaId, phoneNumberId }: { wabaId: string; phoneNumberId: string | undefined },
): Promise<{ id: string } | undefined> {
  return sendersOf(db, scope)
    .select('senders.id')
    .where('senders.channel', '=', 'whatsapp')
    .where('account.external_id', '=', wabaId)
    .$if(phoneNumberId !== undefined, (query) => query.where('senders.external_id', '=', phoneNumberId ?? ''))
    .orderBy('is_active', 'desc')
    .orderBy('senders.created_at')
    .executeTakeFirst()
}

/** Meta's id of the account that a number belongs to. */
export async function findWabaOf(db: Db, scope: Scope, senderId: string): Promise<string | null> {
  const sender = await sendersOf(db, scope)
    .select('account.external_id')
    .where('senders.id', '=', senderId)
    .executeTakeFirst()
  return sender?.external_id ?? null
}
