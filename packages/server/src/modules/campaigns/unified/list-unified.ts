import type { Answer } from '@carillon/contract/endpoint'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import type { unifiedCampaignEndpoints } from '@carillon/contract/unified-campaigns'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { within, type Scope } from '../../../db/scope.ts'
import { readStatuses, selectNamed, type NamedCampaign } from '../reads/list-campaigns.ts'
import { progressOf } from '../reads/numbers.ts'
import { presentCampaign } from '../reads/present-campaign.ts'
import { draftChannels, parseChannels } from './channels-of.ts'

type Filter = PageQuery & { status?: string | undefined; search?: string | undefined; scope: Scope }

/** Campaigns over several channels in scope, newest first. */
export async function listUnified(
  db: Db,
  { scope, ...filter }: Filter,
): Promise<Answer<(typeof unifiedCampaignEndpoints)['campaigns.unified']>> {
  const where = conditionsOf(filter, scope)
  const order = sql`order by campaigns.created_at desc, campaigns.id desc`
  const page = sql`where ${where} ${order} limit ${filter.limit} offset ${(filter.page - 1) * filter.limit}`
  const { rows } = await sql<NamedCampaign & { channels: unknown }>`
    ${selectNamed(page, sql`, ${draftChannels} as channels`)} ${order}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from campaigns where ${where}`.execute(db)
  const progress = await progressOf(db, rows)
  const total = Number(counted.rows[0]?.total ?? 0)
  return {
    campaigns: rows.map((row) => ({
      ...presentCampaign(row, progress.get(row.id)),
      channels: parseChannels(row.channels),
    })),
    totalCampaigns: total,
    totalPages: paginate(filter, total).totalPages,
    currentPage: filter.page,
  }
}

function conditionsOf({ status, search }: Omit<Filter, 'scope'>, scope: Scope) {
  const statuses = readStatuses(status)
  const conditions = [
    within(scope, 'campaigns.path'),
    sql<boolean>`campaigns.is_unified and not campaigns.is_test`,
    ...(statuses ? [sql<boolean>`campaigns.status::text = any(${statuses}::text[])`] : []),
    ...(search ? [sql<boolean>`campaigns.name ilike ${`%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`] : []),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
