import { sql } from 'kysely'
import { findProvider } from '../../index.ts'
import type { Db } from '../../../db/pool.ts'
import { ofOrganization, type Scope } from '../../../db/scope.ts'
import { notFound } from '../../../lib/problem.ts'

/** A bot: a sender with an account of its own. */
export type Bot = { senderId: string; accountId: string; reviewsTemplates: boolean }

/** Finds a bot by its operator’s id, or by ours. */
export async function findBot(db: Db, scope: Scope, botId: string): Promise<Bot | undefined> {
  const row = await db
    .selectFrom('senders')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'senders.organization_id')
        .onRef('account.id', '=', 'senders.provider_account_id'),
    )
    .select(['senders.id', 'senders.provider_account_id', 'account.provider'])
    .where(ofOrganization(scope, 'senders.organization_id'))
    .where('senders.channel', '=', 'rcs')
    .where('senders.deleted_at', 'is', null)
    .where(sql<boolean>`(account.external_id = ${botId} or senders.id::text = ${botId.toLowerCase()})`)
    .orderBy('is_active', 'desc')
    .orderBy('senders.created_at')
    .executeTakeFirst()
  if (!row) return undefined
  const { id: senderId, provider_account_id: accountId, provider } = row
  return { senderId, accountId, reviewsTemplates: findProvider(provider)?.reviewsTemplates ?? false }
}

export async function getBot(db: Db, scope: Scope, botId: string): Promise<Bot> {
  const bot = await findBot(db, scope, botId)
  if (!bot) throw notFound('RCS bot')
  return bot
}
