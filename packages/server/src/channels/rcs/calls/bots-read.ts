import type { BotState } from '@carillon/contract/channels/rcs/rcs-bots'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import { notFound } from '../../../lib/problem.ts'

/** A bot or a request, with its sender and account once it is created. */
export type BotRow = {
  organization_id: string
  id: string
  state: BotState
  details: unknown
  testers: unknown
  reason: string | null
  requested_by: string | null
  requester: string | null
  created_at: Date
  /** Empty for members below the founder, who do not see its account. */
  organization_name: string
  organization_path: string
  account_id: string | null
  bot_id: string | null
  provider: string | null
  config: Record<string, unknown> | null
  secret_names: string[] | null
  callback_key: string | null
  setup: unknown
  failure: unknown
  name: string | null
  is_active: boolean | null
  facts: unknown
  rate_per_second: number | null
  checked_at: Date | null
  lane: Record<string, unknown> | null
  lane_is_live: boolean
  queued: number
}

type Which = {
  id?: string | undefined
  botId?: string | undefined
  organizationId?: string | undefined
  state?: BotState | 'awaiting_launch' | '' | undefined
  search?: string | undefined
}

type BotPage = { limit: number; offset: number }

const everything: BotPage = { limit: 500, offset: 0 }

/** Bots in scope, requests first, then newest first. */
export async function listBots(
  db: Db,
  scope: Scope,
  { page = everything, ...which }: Which & { page?: BotPage },
): Promise<BotRow[]> {
  const { rows } = await sql<BotRow>`
    select bot.organization_id, bot.id, bot.state, bot.details, bot.testers, bot.reason, bot.requested_by, bot.created_at,
      requester.name as requester, coalesce(organization.name, '') as organization_name,
      coalesce(organization.path::text, '') as organization_path,
      account.id as account_id, account.external_id as bot_id, account.provider, account.config,
      account.secret_names, account.callback_key,
      account.setup, account.failure, sender.name, sender.is_active, sender.facts, sender.rate_per_second,
      sender.checked_at, lane.state as lane, coalesce(lane.lease_until > now(), false) as lane_is_live,
      (select coalesce(sum(chunk_rest(chunk)), 0) from chunks chunk
        where chunk.organization_id = sender.organization_id and chunk.sender_id = sender.id and chunk.done_at is null)::float8 as queued
    from ${joined(scope, which)}
    order by bot.state <> 'requested', bot.created_at desc, bot.id
    limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}

export async function countBots(db: Db, scope: Scope, which: Which): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${joined(scope, which)}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function getBot(db: Db, scope: Scope, which: Which): Promise<BotRow> {
  const [bot] = await listBots(db, scope, { ...which, page: { limit: 1, offset: 0 } })
  if (!bot) throw notFound('RCS bot')
  return bot
}

/** A bot that exists at its provider. */
export type CreatedBot = BotRow & { account_id: string; bot_id: string; provider: string; callback_key: string }

export async function getCreated(db: Db, scope: Scope, which: Which): Promise<CreatedBot> {
  const bot = await getBot(db, scope, { ...which, state: 'created' })
  if (!isCreated(bot)) throw notFound('RCS bot')
  return bot
}

export function isCreated(bot: BotRow): bot is CreatedBot {
  return bot.account_id !== null && bot.bot_id !== null && bot.provider !== null && bot.callback_key !== null
}

function joined(scope: Scope, { id, botId, organizationId, state = '', search }: Which): RawBuilder<unknown> {
  const pattern = search === undefined || search === '' ? null : `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`rcs_bots bot
    left join accounts organization on organization.organization_id = bot.organization_id and organization.id = bot.organization_id
    left join accounts requester on requester.organization_id = bot.organization_id and requester.id = bot.requested_by
    left join senders sender on sender.organization_id = bot.organization_id and sender.id = bot.id and sender.deleted_at is null
    left join provider_accounts account on account.organization_id = sender.organization_id and account.id = sender.provider_account_id
    left join lanes lane on lane.organization_id = sender.organization_id and lane.sender_id = sender.id
    where ${inScope(scope)}
      and (${id ?? null}::uuid is null or bot.id = ${id ?? null}::uuid)
      and (${botId ?? null}::text is null or sender.external_id = ${botId ?? null} or bot.id::text = ${botId ?? null})
      and (${organizationId ?? null}::uuid is null or bot.organization_id = ${organizationId ?? null}::uuid)
      and ${inState(state)}
      and (${pattern}::text is null or bot.details ->> 'name' ilike ${pattern} or bot.details ->> 'brandName' ilike ${pattern}
        or sender.external_id ilike ${pattern} or organization.name ilike ${pattern})`
}

function inScope({ descends, organizationId }: Scope): RawBuilder<unknown> {
  return descends ? sql`app_descends_to(bot.organization_id)` : sql`bot.organization_id = ${organizationId}::uuid`
}

function inState(state: NonNullable<Which['state']>): RawBuilder<unknown> {
  if (state === '') return sql`true`
  if (state !== 'awaiting_launch') return sql`bot.state = ${state}`
  return sql`bot.state = 'created' and not coalesce(sender.facts -> 'launches', '[]') @> '[{"state": "launched"}]'`
}
