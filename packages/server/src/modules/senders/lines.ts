import type { Channel } from '@carillon/contract/channels'
import { sql, type Selectable } from 'kysely'
import { getLineRules } from '../../channels/index.ts'
import type { LineFacts } from '../../channels/management.ts'
import type { Db } from '../../db/pool.ts'
import type { Scope } from '../../db/scope.ts'
import type { Senders } from '../../db/schema.ts'
import { notFound } from '../../lib/problem.ts'
import { accountsInScope } from './provider-accounts.ts'

/** A sender that its provider lists. */
export type LineRow = Omit<Selectable<Senders>, 'facts' | 'external_id'> & {
  external_id: string
  facts: LineFacts
  /** The provider's id of the account. */
  account_external_id: string
}

type Which = {
  channel: Channel
  accountId?: string | undefined
  id?: string | undefined
  /** The provider's id of the line. */
  lineId?: string | undefined
}

/** The lines of connected accounts. */
export async function listLines(db: Db, scope: Scope, which: Which): Promise<LineRow[]> {
  const { channel, accountId, id, lineId } = which
  const rows = await db
    .selectFrom('senders')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'senders.organization_id')
        .onRef('account.id', '=', 'senders.provider_account_id'),
    )
    .selectAll('senders')
    .select('account.external_id as account_external_id')
    .where(accountsInScope(scope, 'senders.organization_id'))
    .where('senders.channel', '=', channel)
    .where('senders.external_id', 'is not', null)
    .where(sql<boolean>`not (account.setup ? 'disconnectedAt')`)
    .$if(accountId !== undefined, (query) => query.where('account.id', '=', accountId ?? ''))
    .$if(id !== undefined, (query) => query.where('senders.id', '=', id ?? ''))
    .$if(lineId !== undefined, (query) => query.where('senders.external_id', '=', lineId ?? ''))
    .orderBy('senders.created_at')
    .orderBy('senders.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    external_id: row.external_id ?? '',
    account_external_id: row.account_external_id ?? '',
    // Written by sync-lines.ts only, from the provider's own description.
    facts: row.facts as LineFacts,
  }))
}

export async function getLine(db: Db, scope: Scope, which: Which): Promise<LineRow> {
  const [line] = await listLines(db, scope, which)
  if (!line) throw notFound(getLineRules(which.channel).name)
  return line
}

/** Stores that a line was registered with its provider. */
export async function markRegistered(db: Db, { organization_id, id }: LineRow): Promise<void> {
  await db
    .updateTable('senders')
    .set({ registered_at: new Date() })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Stores what was decided on a line whose provider cannot be asked. */
export async function saveLineFacts(
  db: Db,
  { organizationId, id, facts }: { organizationId: string; id: string; facts: LineFacts },
): Promise<void> {
  await db
    .updateTable('senders')
    .set({ facts: JSON.stringify(facts), checked_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** By which category of the rate card conversations of a sender are charged; null if they are not. */
export async function saveConversationCategory(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
  category: string | null,
): Promise<void> {
  await db
    .updateTable('senders')
    .set({ conversation_category: category })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}
