import { sql } from 'kysely'
import { getLineRules } from '../../channels/index.ts'
import type { LineFacts, Lines } from '../../channels/management.ts'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { reportLineChange } from './line-trouble.ts'
import { notifyOfLine } from './notify-of-line.ts'
import { lockUnchanged, type ProviderAccount } from './provider-accounts.ts'

/** Reads the lines of an account: new ones are added inactive, missing ones are deactivated. */
export async function syncLines(
  transaction: RunTransaction,
  { account, manage }: { account: ProviderAccount; manage: { lines: Lines } },
): Promise<LineFacts[]> {
  const lines = await manage.lines.list()
  await transaction(async (db) => {
    await lockUnchanged(db, account)
    await storeLines(db, account, lines)
  })
  return lines
}

async function storeLines(db: Db, account: ProviderAccount, lines: readonly LineFacts[]): Promise<void> {
  const { organization_id, id: accountId, channel, setup } = account
  const { isRegistered } = getLineRules(channel)
  await reportChanges(db, account, lines)
  for (const line of lines) {
    const columns = {
      name: line.name || line.displayNumber,
      headers: [line.displayNumber],
      facts: JSON.stringify(line),
      ...(line.ratePerSecond === null ? {} : { rate_per_second: Math.max(1, Math.round(line.ratePerSecond)) }),
      ...(line.conversationCategory === undefined ? {} : { conversation_category: line.conversationCategory }),
      checked_at: sql<Date>`now()`,
    }
    await db
      .insertInto('senders')
      .values({
        ...columns,
        organization_id,
        id: newId(),
        provider_account_id: accountId,
        channel,
        external_id: line.id,
        registered_at: isRegistered(line.status) ? sql<Date>`now()` : null,
        // Lines belong to the user who connected the account.
        created_by: setup.createdBy ?? organization_id,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'provider_account_id', 'external_id'])
          .where('external_id', 'is not', null)
          .doUpdateSet({
            ...columns,
            registered_at: isRegistered(line.status)
              ? sql<Date>`coalesce(senders.registered_at, now())`
              : sql<Date>`senders.registered_at`,
          }),
      )
      .execute()
  }
  await db
    .updateTable('senders')
    .set({ is_active: false, facts: sql`facts || '{"status": "DELETED"}'::jsonb`, checked_at: sql<Date>`now()` })
    .where('organization_id', '=', organization_id)
    .where('provider_account_id', '=', accountId)
    .where(sql<boolean>`(is_active or facts ->> 'status' is distinct from 'DELETED')`)
    .$if(lines.length > 0, (query) =>
      query.where(
        'external_id',
        'not in',
        lines.map(({ id }) => id),
      ),
    )
    .execute()
}

/** Reports each line whose state changed, for the campaigns that use it, and notifies the organisation of changes. */
async function reportChanges(db: Db, account: ProviderAccount, lines: readonly LineFacts[]): Promise<void> {
  const { organization_id: organizationId, channel } = account
  const rules = getLineRules(channel)
  const known = await db
    .selectFrom('senders')
    .select(['id', 'external_id', 'facts'])
    .where('organization_id', '=', organizationId)
    .where('provider_account_id', '=', account.id)
    .forUpdate()
    .execute()
  for (const { id: senderId, external_id, facts } of known) {
    const line = lines.find(({ id }) => id === external_id)
    if (!line) continue
    await reportLineChange(db, { organizationId, senderId, channel, before: facts, now: line })
    const change = rules.describeChange?.(facts, line)
    if (change !== undefined) await notifyOfLine(db, { organizationId, channel, senderId, title: line.name, change })
  }
}
