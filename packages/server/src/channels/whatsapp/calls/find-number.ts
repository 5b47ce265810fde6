import type { Db } from '../../../db/pool.ts'
import { ofOrganization, type Scope } from '../../../db/scope.ts'

/** Finds a number by Meta's ids; without a number's id, the account's first active number. */
export async function findNumberOf(
  db: Db,
  scope: Scope,
  { wabaId, phoneNumberId }: { wabaId: string; phoneNumberId: string | undefined },
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('senders')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'senders.organization_id')
        .onRef('account.id', '=', 'senders.provider_account_id'),
    )
    .select('senders.id')
    .where(ofOrganization(scope, 'senders.organization_id'))
    .where('senders.channel', '=', 'whatsapp')
    .where('account.external_id', '=', wabaId)
    .$if(phoneNumberId !== undefined, (query) => query.where('senders.external_id', '=', phoneNumberId ?? ''))
    .orderBy('is_active', 'desc')
    .orderBy('senders.created_at')
    .executeTakeFirst()
}
