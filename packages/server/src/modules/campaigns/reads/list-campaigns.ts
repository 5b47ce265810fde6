import type { AbPhase } from '@carillon/contract/ab-tests'
import { CampaignStatus } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder } from 'kysely'
import { channelsWithHeaderInTemplate } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { within, type Scope } from '../../../db/scope.ts'
import { badField, notFound } from '../../../lib/problem.ts'
import { countsOfCampaign, type Counts } from '../../messages/index.ts'
import type { CampaignRow } from '../campaigns.queries.ts'

export type CampaignFilter = {
  channel: Channel
  status?: string | undefined
  templateId?: string | undefined
  senderId?: string | undefined
  createdBy?: string | undefined
  /** Days in the caller's time zone, both included. */
  from?: string | undefined
  to?: string | undefined
  search?: string | undefined
  sort: 'created' | 'name' | 'recipients' | 'cost'
  direction: 'asc' | 'desc'
  includeTests: 'true' | 'false'
  page: number
  limit: number
}

/** Columns that read calls need. Draft and send window can be large. */
const columns = [
  'organization_id',
  'id',
  'name',
  'channel',
  'status',
  'pause_reason',
  'status_detail',
  'is_test',
  'audience_id',
  'total',
  'schedule_at',
  'timezone',
  'hold_id',
  'created_on',
  'created_by',
  'created_at',
  'started_at',
  'completed_at',
  'last_part_at',
] as const satisfies (keyof CampaignRow)[]

/** A campaign with the names of what it uses: frozen names if it was validated, else current ones from the draft. */
export type NamedCampaign = Pick<CampaignRow, (typeof columns)[number]> & {
  sender_id: string | null
  account_name: string | null
  template_id: string | null
  template_name: string | null
  header: string | null
  body: string | null
  category: string | null
  file_name: string | null
  creator: string | null
  /** Of its test; null without one. */
  ab_phase: AbPhase | null
  /** Its counts so far. */
  counts: Counts | null
}

export type CampaignList = {
  rows: NamedCampaign[]
  total: number
  statusCounts: StatusCounts
}

type StatusCounts = Partial<Record<CampaignStatus, number>>

/** The amount charged for a campaign so far, without refunds. `table`: the alias of campaigns in the query. */
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
  const wanted = statuses ? sql`${conditions} and campaigns.status::text = any(${statuses}::text[])` : conditions
  const direction = sql.raw(filter.direction)
  const order = sql`order by ${sortColumns[filter.sort]} ${direction}, campaigns.id ${direction}`
  // Names are looked up only for the rows of the page.
  const page = sql`where ${wanted} ${order} limit ${filter.limit} offset ${(filter.page - 1) * filter.limit}`
  const statusCounts = sql`, ${countByStatus(conditions)} as status_counts`
  const { rows } = await sql<Listed>`${selectNamed(page, statusCounts)} ${order}`.execute(db)
  const found = rows[0]?.status_counts ?? (await readStatusCounts(db, conditions))
  return { rows, total: sum(found, statuses), statusCounts: found }
}

type Listed = NamedCampaign & { status_counts: StatusCounts }

export async function getNamedCampaign(db: Db, key: CampaignInScope): Promise<NamedCampaign> {
  return readNamed<NamedCampaign>(db, key)
}

type CampaignInScope = { id: string; scope: Scope }

/** Additional columns, each preceded by a comma. */
export async function readNamed<Row extends NamedCampaign>(
  db: Db,
  { id, scope }: CampaignInScope,
  more?: RawBuilder<unknown>,
): Promise<Row> {
  const page = sql`where campaigns.id = ${id}::uuid and ${within(scope, 'campaigns.path')}`
  const { rows } = await sql<Row>`${selectNamed(page, more)}`.execute(db)
  if (!rows[0]) throw notFound('Campaign')
  return rows[0]
}

/** A field of the draft's first leg. `table`: the alias of campaigns in the query. */
export function draftChoice(name: 'senderId' | 'templateId', table: 'campaign' | 'campaigns' = 'campaigns') {
  return sql<string | null>`(${sql.ref(`${table}.draft`)} #>> ${sql.lit(`{legs,0,${name}}`)})::uuid`
}

const selected = sql`${sql.raw(columns.map((name) => `campaigns.${name}`).join(', '))},
  senders.id as sender_id, senders.name as account_name, templates.id as template_id, templates.name as template_name,
  audiences.file_name, creator.username as creator,
  case when campaigns.channel::text = any(${channelsWithHeaderInTemplate()})
    then coalesce(leg.content, templates.content) ->> 'header' else senders.headers[1] end as header,
  coalesce(leg.content ->> 'body', leg.content #>> '{template,content,body}',
    leg.content #>> '{template,content,textMessageContent}', templates.content ->> 'body') as body,
  coalesce(leg.content ->> 'category', leg.content #>> '{template,category}', templates.category) as category,
  (select phase from ab_tests where ab_tests.organization_id = campaigns.organization_id and ab_tests.campaign_id = campaigns.id) as ab_phase`

/** `campaigns` is the alias of the page's rows. */
const joined = sql`
  left join campaign_legs leg on leg.organization_id = campaigns.organization_id and leg.campaign_id = campaigns.id and leg.leg = 0
  left join senders on senders.organization_id = campaigns.organization_id and senders.id = coalesce(leg.sender_id, ${draftChoice('senderId')})
  left join templates on templates.organization_id = campaigns.organization_id
    and templates.id = coalesce(leg.template_id, ${draftChoice('templateId')})
  left join audiences on audiences.organization_id = campaigns.organization_id and audiences.id = campaigns.audience_id
  left join accounts creator on creator.id = campaigns.created_by`

// Draft fields are read for the rows of the page only, not for all that are sorted.
const paged = sql.raw(['draft', ...columns].map((name) => `campaigns.${name}`).join(', '))

/**
 * A statement that reads campaigns with the columns of lists. `page`: its `where` clause and after; `more`: additional columns,
 * each preceded by a comma. Written as text, because composing it with Kysely took longer than running it.
 */
export function selectNamed(page: RawBuilder<unknown>, more: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`select ${selected}, ${countsOfCampaign} as counts ${more}
    from (select ${paged} from campaigns ${page}) campaigns ${joined}`
}

/** All filters except the status, so that the tabs can show counts by status. */
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
function countByStatus(conditions: RawBuilder<boolean>): RawBuilder<StatusCounts> {
  return sql<StatusCounts>`(select coalesce(json_object_agg(status, count), '{}') from (
    select status, count(*) from campaigns where ${conditions} group by status) counted)`
}

/** For a page without rows. */
async function readStatusCounts(db: Db, conditions: RawBuilder<boolean>): Promise<StatusCounts> {
  const { rows } = await sql<{ counts: StatusCounts }>`select ${countByStatus(conditions)} as counts`.execute(db)
  return rows[0]?.counts ?? {}
}

/** One status, or several separated by commas. */
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
