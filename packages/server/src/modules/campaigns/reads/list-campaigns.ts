import { CampaignStatus } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder } from 'kysely'
import { channelsWithHeaderInTemplate } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { within, type Scope } from '../../../db/scope.ts'
import { badField, notFound } from '../../../lib/problem.ts'
import type { CampaignRow } from '../campaigns.queries.ts'

export type CampaignFilter = {
  channel: Channel
  status?: string | undefined
  templateId?: string | undefined
  senderId?: string | undefined
  createdBy?: string | undefined
  /** Days of the caller's own calendar, both included. */
  from?: string | undefined
  to?: string | undefined
  search?: string | undefined
  sort: 'created' | 'name' | 'recipients' | 'cost'
  direction: 'asc' | 'desc'
  includeTests: 'true' | 'false'
  page: number
  limit: number
}

/** A campaign with the names of what it uses: as frozen where it was validated, else as the draft has them. */
export type NamedCampaign = CampaignRow & {
  sender_id: string | null
  account_name: string | null
  template_id: string | null
  template_name: string | null
  header: string | null
  body: string | null
  category: string | null
  file_name: string | null
  creator: string | null
}

export type CampaignList = {
  rows: NamedCampaign[]
  total: number
  statusCounts: StatusCounts
}

type StatusCounts = Partial<Record<CampaignStatus, number>>

/** What a campaign was charged so far, without refunds, as lists show it. `table`: what the query calls the campaigns. */
export function spentOf(table: 'campaign' | 'campaigns'): RawBuilder<number> {
  const ofIt = `organization_id = ${table}.organization_id and campaign_id = ${table}.id`
  return sql.raw(`(select coalesce(sum(cost - refunded), 0) from (
    select cost, refunded from counters where ${ofIt} union all select cost, refunded from counter_deltas where ${ofIt}) counted)`)
}

const sortColumns = {
  created: sql`campaigns.created_at`,
  name: sql`lower(campaigns.name)`,
  recipients: sql`campaigns.total`,
  cost: spentOf('campaigns'),
} as const

export async function listCampaigns(
  db: Db,
  { scope, timezone, ...filter }: CampaignFilter & { scope: Scope; timezone: string },
): Promise<CampaignList> {
  const conditions = conditionsOf(filter, { scope, timezone })
  const statuses = readStatuses(filter.status)
  // The names are looked up for the rows of the page only.
  const page = db
    .selectFrom('campaigns')
    .selectAll()
    .where(conditions)
    .$if(statuses !== undefined, (query) => query.where('campaigns.status', 'in', statuses ?? []))
    .orderBy(sortColumns[filter.sort], filter.direction)
    .orderBy('campaigns.id', filter.direction)
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
  const found = await selectNamed(db, page)
    .select(countByStatus(db, conditions).as('status_counts'))
    .orderBy(sortColumns[filter.sort], filter.direction)
    .orderBy('campaigns.id', filter.direction)
    .execute()
  const statusCounts = found[0]?.status_counts ?? (await readStatusCounts(db, conditions))
  return { rows: found, total: sum(statusCounts, statuses), statusCounts }
}

export async function getNamedCampaign(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<NamedCampaign> {
  const row = await selectNamed(db)
    .where('campaigns.id', '=', id)
    .where(within(scope, 'campaigns.path'))
    .executeTakeFirst()
  if (!row) throw notFound('Campaign')
  return row
}

/** A choice of the draft's first leg. `table`: what the query calls the campaigns. */
export function draftChoice(name: 'senderId' | 'templateId', table: 'campaign' | 'campaigns' = 'campaigns') {
  return sql<string | null>`(${sql.ref(`${table}.draft`)} #>> ${sql.lit(`{legs,0,${name}}`)})::uuid`
}

export function selectNamed(db: Db, page = db.selectFrom('campaigns').selectAll()) {
  return db
    .selectFrom(page.as('campaigns'))
    .leftJoin('campaign_legs as leg', (join) =>
      join
        .onRef('leg.organization_id', '=', 'campaigns.organization_id')
        .onRef('leg.campaign_id', '=', 'campaigns.id')
        .on('leg.leg', '=', 0),
    )
    .leftJoin('senders', (join) =>
      join
        .onRef('senders.organization_id', '=', 'campaigns.organization_id')
        .on('senders.id', '=', sql<string>`coalesce(leg.sender_id, ${draftChoice('senderId')})`),
    )
    .leftJoin('templates', (join) =>
      join
        .onRef('templates.organization_id', '=', 'campaigns.organization_id')
        .on('templates.id', '=', sql<string>`coalesce(leg.template_id, ${draftChoice('templateId')})`),
    )
    .leftJoin('audiences', (join) =>
      join
        .onRef('audiences.organization_id', '=', 'campaigns.organization_id')
        .onRef('audiences.id', '=', 'campaigns.audience_id'),
    )
    .leftJoin('accounts as creator', 'creator.id', 'campaigns.created_by')
    .selectAll('campaigns')
    .select([
      'senders.id as sender_id',
      'senders.name as account_name',
      'templates.id as template_id',
      'templates.name as template_name',
      'audiences.file_name',
      'creator.username as creator',
      sql<string | null>`case when campaigns.channel::text = any(${channelsWithHeaderInTemplate()})
          then coalesce(leg.content, templates.content) ->> 'header' else senders.headers[1] end`.as('header'),
      sql<
        string | null
      >`coalesce(leg.content ->> 'body', leg.content #>> '{template,content,body}', templates.content ->> 'body')`.as(
        'body',
      ),
      sql<
        string | null
      >`coalesce(leg.content ->> 'category', leg.content #>> '{template,category}', templates.category)`.as('category'),
    ])
}

/** Everything but the status, so that the tabs can show how many there are in each. */
function conditionsOf(
  filter: Omit<CampaignFilter, 'page' | 'limit'>,
  { scope, timezone }: { scope: Scope; timezone: string },
): RawBuilder<boolean> {
  const conditions = [within(scope, 'campaigns.path'), sql<boolean>`campaigns.channel = ${filter.channel}`]
  if (filter.includeTests === 'false') conditions.push(sql<boolean>`not campaigns.is_test`)
  if (filter.templateId) conditions.push(sql<boolean>`${draftChoice('templateId')} = ${filter.templateId}::uuid`)
  if (filter.senderId) conditions.push(sql<boolean>`${draftChoice('senderId')} = ${filter.senderId}::uuid`)
  if (filter.createdBy) conditions.push(sql<boolean>`campaigns.created_by = ${filter.createdBy}::uuid`)
  if (filter.from) conditions.push(sql<boolean>`campaigns.created_at >= day_start(${filter.from}::date, ${timezone})`)
  if (filter.to) conditions.push(sql<boolean>`campaigns.created_at < day_start(${filter.to}::date + 1, ${timezone})`)
  if (filter.search)
    conditions.push(sql<boolean>`campaigns.name ilike ${`%${filter.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`)
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** As a column, so that a list takes one statement. */
function countByStatus(db: Db, conditions: RawBuilder<boolean>): RawBuilder<StatusCounts> {
  const counts = db
    .selectFrom('campaigns')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .where(conditions)
    .groupBy('status')
  return sql<StatusCounts>`(select coalesce(json_object_agg(status, count), '{}') from ${counts} counts)`
}

/** For a page that has no row to carry them. */
async function readStatusCounts(db: Db, conditions: RawBuilder<boolean>): Promise<StatusCounts> {
  const { rows } = await sql<{ counts: StatusCounts }>`select ${countByStatus(db, conditions)} as counts`.execute(db)
  return rows[0]?.counts ?? {}
}

/** One status, or several with commas between them. */
export function readStatuses(text: string | undefined): CampaignStatus[] | undefined {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.length === 0) return undefined
  return names.map((name) => {
    const status = CampaignStatus.safeParse(name)
    if (!status.success) throw badField('status', `There is no status ${name}`)
    return status.data
  })
}

function sum(counts: StatusCounts, statuses: readonly CampaignStatus[] | undefined): number {
  return (statuses ?? CampaignStatus.options).reduce((total, status) => total + (counts[status] ?? 0), 0)
}
