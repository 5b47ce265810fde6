import type { campaignListEndpoints, AnyCampaign, AnyCampaignPage } from '@carillon/contract/campaign-lists'
import type { Answer, Input } from '@carillon/contract/endpoint'
import { paginate } from '@carillon/contract/paging'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/pool.ts'
import { within, type Scope } from '../../../db/scope.ts'
import type { UserActor } from '../../../actor.ts'
import { findNamedAccounts } from '../../accounts/index.ts'
import { listFailures, openedColumns, presentVariables, type OpenedCampaign } from './get-campaign.ts'
import { draftChoice, readNamed, readStatuses, selectNamed, spentOf, type NamedCampaign } from './list-campaigns.ts'
import { progressOf } from './numbers.ts'
import { presentCampaign } from './present-campaign.ts'

type Filter = Input<(typeof campaignListEndpoints)['campaigns.list']>['query'] & { id?: string }

const searchedAtOnce = 20

/** Campaigns of every channel and account in scope, newest first unless sorted otherwise; a named account includes all accounts below it. */
export async function listAllCampaigns(
  db: Db,
  actor: UserActor,
  filter: Filter,
): Promise<z.input<typeof AnyCampaignPage>> {
  const { ids, total } = await findPage(db, actor, filter)
  const watched = await presentCampaignRow(db, ids)
  return {
    campaigns: watched,
    totalCampaigns: total,
    totalPages: paginate(filter, total).totalPages,
    currentPage: filter.page,
    campaignStats: watched.map(({ _id, stats }) => ({ campaignId: _id, stats })),
  }
}

export function searchAllCampaigns(db: Db, actor: UserActor, query: string): Promise<z.input<typeof AnyCampaignPage>> {
  const page = { page: 1, limit: searchedAtOnce }
  return listAllCampaigns(
    db,
    actor,
    z.uuid().safeParse(query).success ? { ...page, id: query } : { ...page, search: query },
  )
}

export async function getAnyCampaign(
  db: Db,
  { id, scope }: { id: string; scope: Scope },
): Promise<Answer<(typeof campaignListEndpoints)['campaigns.watch']>> {
  const row = await readNamed<OpenedCampaign>(db, { id, scope }, sql`, ${openedColumns()}`)
  const [watched] = await presentCampaignRow(db, [row])
  if (!watched) throw new Error(`Campaign ${id} is gone`)
  const failures = await listFailures(db, row)
  return {
    ...watched,
    body: row.body ?? '',
    variables: presentVariables(row),
    failures: failures.map(({ reason, title, advice, count, share }) => ({ reason, title, advice, count, share })),
  }
}

type Key = Pick<NamedCampaign, 'organization_id' | 'id'>

/** By our id of the sender, or by its provider's. */
function isOfSender(senderId: RawBuilder<string | null>, id: string): RawBuilder<boolean> {
  return sql<boolean>`(${senderId}::text = ${id.toLowerCase()} or ${senderId} in (select sender.id from senders sender
    where sender.organization_id = campaign.organization_id and sender.external_id = ${id}))`
}

/** The campaigns of the page, and their total number. */
async function findPage(db: Db, actor: UserActor, filter: Filter): Promise<{ ids: Key[]; total: number }> {
  const named = await findNamedAccounts(db, { scope: actor.scope, userIds: filter.userIds })
  const conditions = [...conditionsOf(filter, actor.timezone), within(actor.scope), sql<boolean>`not is_test`]
  if (named) conditions.push(sql<boolean>`path <@ any(${named.map(({ path }) => path)}::ltree[])`)
  const where = sql.join(conditions, sql` and `)
  const { rows } = await sql<Key & { total: number }>`
    select organization_id, id, count(*) over () as total from campaigns campaign where ${where}
    order by ${orderOf(filter)}
    limit ${filter.limit} offset ${(filter.page - 1) * filter.limit}`.execute(db)
  if (rows.length > 0 || filter.page === 1) return { ids: rows, total: rows[0]?.total ?? 0 }
  const counted = await sql<{ total: number }>`select count(*) as total from campaigns campaign where ${where}`.execute(
    db,
  )
  return { ids: [], total: counted.rows[0]?.total ?? 0 }
}

/** Names are sorted case-insensitively. */
function orderOf({ sort = 'created', direction = 'desc' }: Filter) {
  const by = {
    created: sql`created_at`,
    name: sql`lower(name)`,
    recipients: sql`campaign.total`,
    cost: spentOf('campaign'),
  }[sort]
  const towards = sql.raw(direction)
  return sql`${by} ${towards}, id ${towards}`
}

function conditionsOf(filter: Filter, timezone: string) {
  const statuses = readStatuses(filter.status)
  const like = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const used = (name: 'senderId' | 'templateId', column: 'sender_id' | 'template_id') => sql<string>`
    coalesce((select ${sql.ref(column)} from campaign_legs leg
      where leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id and leg.leg = 0),
      ${draftChoice(name, 'campaign')})`
  const wanted = [
    filter.id && sql<boolean>`id = ${filter.id}::uuid`,
    statuses && sql<boolean>`status::text = any(${statuses}::text[])`,
    filter.channel && sql<boolean>`channel = ${filter.channel}`,
    filter.botId && isOfSender(used('senderId', 'sender_id'), filter.botId),
    filter.templateId && sql<boolean>`${used('templateId', 'template_id')} = ${filter.templateId}::uuid`,
    filter.templateName &&
      sql<boolean>`exists (select from templates template where template.organization_id = campaign.organization_id
        and template.id = ${used('templateId', 'template_id')} and template.name ilike ${like(filter.templateName)})`,
    filter.from && sql<boolean>`created_at >= day_start(${filter.from}::date, ${timezone})`,
    filter.to && sql<boolean>`created_at < day_start(${filter.to}::date + 1, ${timezone})`,
    filter.search && sql<boolean>`name ilike ${like(filter.search)}`,
    filter.failedOver !== undefined &&
      sql<boolean>`(organization_id, id) in (select failing.organization_id, failing.id
      from failing_campaigns(${filter.failedOver / 100}::float8, '-infinity') failing)`,
  ]
  return wanted.filter((condition) => typeof condition === 'object')
}

export type FailingCampaign = { id: string; name: string; account: string; failedShare: number }

/** Campaigns of the last seven days whose share of failures exceeds this, the worst first. */
export async function listFailing(
  db: Db,
  { overPercent, now }: { overPercent: number; now: Date },
): Promise<FailingCampaign[]> {
  const { rows } = await sql<FailingCampaign>`
    select id, name, coalesce(organization_name(organization_id), '') as account, failed_share as "failedShare"
    from failing_campaigns(${overPercent / 100}::float8, ${now}::timestamptz - interval '7 days')
    order by failed_share desc, id
    limit 100`.execute(db)
  return rows
}

/** In the order of the keys. */
async function presentCampaignRow(db: Db, keys: readonly Key[]): Promise<z.input<typeof AnyCampaign>[]> {
  if (keys.length === 0) return []
  const page = sql`where campaigns.organization_id = any(${[...new Set(keys.map(({ organization_id }) => organization_id))]}::uuid[])
    and campaigns.id = any(${keys.map(({ id }) => id)}::uuid[])`
  const { rows } = await sql<NamedCampaign & { creator_name: string | null; organization: string | null }>`
    ${selectNamed(page, sql`, creator.name as creator_name, organization_name(campaigns.organization_id) as organization`)}`.execute(
    db,
  )
  const progress = await progressOf(db, rows)
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return keys.flatMap(({ id }) => {
    const row = rowById.get(id)
    if (!row) return []
    return {
      ...presentCampaign(row, progress.get(id)),
      account: { _id: row.created_by, name: row.creator_name ?? '' },
      organization: { _id: row.organization_id, name: row.organization ?? '' },
    }
  })
}
