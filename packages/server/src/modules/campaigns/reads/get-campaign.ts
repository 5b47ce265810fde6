import type { BodyVariable, Campaign, VariableSource } from '@carillon/contract/campaign-records'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Channel } from '@carillon/contract/channels'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import { toRupees, toUnits } from '../../balance/index.ts'
import {
  campaignHasEntries,
  campaignHasLinks,
  failoverReasons,
  failureGroups,
  findNextDay,
  findPostponed,
  pointsOfCampaign,
  type CountedCampaign,
  type CountedPoint,
} from '../../messages/index.ts'
import { presentTest } from '../ab-tests/present-test.ts'
import { listCampaignLegs } from './campaign-legs.ts'
import { adviseOn } from './failure-advice.ts'
import { readNamed, type NamedCampaign } from './list-campaigns.ts'
import { progressOf, type CampaignProgress } from './numbers.ts'
import { describeNextDay, describePause, describeWaiting } from '../lifecycle/format-pause.ts'
import { presentCampaign } from './present-campaign.ts'

type Detail = z.input<typeof CampaignDetail>

/** One campaign with all details. */
export async function getCampaignDetail(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<Detail> {
  // A single statement, so that cost and reserved amount are consistent.
  const row = await readNamed<DetailRow>(db, { id, scope }, detailColumns)
  const progress = (await progressOf(db, [row])).get(id)
  const campaign = presentCampaign(row, progress)
  return {
    ...campaign,
    ...(await presentPace(db, row, campaign)),
    body: row.body ?? textOf(row),
    variables: presentVariables(row),
    timeline: row.timeline.map((event) => presentEvent(event, row.channel)),
    failures: await listFailures(db, row),
    overTime: row.points.map((point) => ({ ...point, at: presentJsonInstant(point.at) })),
    held: toRupees(Math.max(0, row.reserved - toUnits(campaign.stats.cost))),
    ...(await presentFailover(db, row, progress?.failover)),
    ...(await listCampaignLegs(db, { ...countedOf(row), total: row.total, expected: row.expected_split })),
    both: progress?.failover?.both ?? 0,
    hasLinks: row.has_links,
    ...(await presentAbTest(db, row)),
    ...(await presentPostponed(db, row)),
  }
}

/** The text of a message without a single body, such as cards. */
function textOf({ channel, leg_content: content }: DetailRow): string {
  return content ? (getChannel(channel).textOfLeg?.(content) ?? '') : ''
}

async function presentAbTest(db: Db, row: DetailRow): Promise<Pick<Detail, 'abTest'>> {
  const abTest = row.ab_phase === null ? undefined : await presentTest(db, keyOf(row))
  return abTest ? { abTest } : {}
}

async function presentPostponed(db: Db, row: DetailRow): Promise<Pick<Detail, 'postponed'>> {
  if (!row.started_at || row.completed_at) return {}
  const found = await findPostponed(db, keyOf(row))
  if (!found) return {}
  const { people, from, until } = found
  return { postponed: { people, from: from.toISOString(), until: until.toISOString() } }
}

/** Rate, estimated end, and what it waits for. */
async function presentPace(
  db: Db,
  row: DetailRow,
  { stats, waiting }: Campaign,
): Promise<Pick<Detail, 'statusDetail' | 'ratePerSecond' | 'etaSeconds'>> {
  const ratePerSecond = row.rate_per_second ?? 0
  if (row.status !== 'queued' && row.status !== 'running') return { ratePerSecond, etaSeconds: null }
  const toSend = stats.queued - (waiting?.people ?? 0)
  const nextDay = row.last_part_at ? await findNextDay(db, keyOf(row)) : undefined
  return {
    ...describeWait({ nextDay, waiting: toSend === 0 ? waiting : undefined }, row),
    ratePerSecond,
    etaSeconds: nextDay ? null : etaOf(toSend, stats, ratePerSecond),
  }
}

type DetailRow = OpenedCampaign & {
  rate_per_second: number | null
  /** The amount held for the campaign, charged or not, until the rest is released. */
  reserved: number
  expected_split: unknown
  leg_content: unknown
  timeline: Event[]
  points: CountedPoint[]
  has_links: boolean
}

type Event = { event: string; at: string; username: string | null; reason: string | null }

/**
 * The ledger captures a chunk's charge once the chunk is done, so the captured amount of a hold is behind the cost, which is
 * counted message by message.
 */
const detailColumns = sql`, ${openedColumns()}, senders.rate_per_second,
  coalesce((select amount from holds where organization_id = campaigns.organization_id and id = campaigns.hold_id and released_at is null), 0)
    as reserved,
  (select coalesce(json_agg(listed order by at, id), '[]') from (
    select event, at, campaign_events.id, accounts.username, details ->> 'reason' as reason
    from campaign_events left join accounts on accounts.id = campaign_events.actor_id
    where campaign_events.organization_id = campaigns.organization_id and campaign_id = campaigns.id
    order by at, campaign_events.id limit 500) listed) as timeline,
  leg.content as leg_content,
  (select expected_split from campaigns own where own.organization_id = campaigns.organization_id and own.id = campaigns.id) as expected_split,
  ${pointsOfCampaign} as points, ${campaignHasLinks} as has_links`

/** As PostgreSQL writes it into JSON. */
function presentJsonInstant(at: string): string {
  return new Date(at).toISOString()
}

type Waits = { nextDay: { at: Date; people: number } | undefined; waiting: Detail['waiting'] }

/** Why nothing can be sent at the moment, as text. */
function describeWait({ nextDay, waiting }: Waits, { timezone, channel }: NamedCampaign): Pick<Detail, 'statusDetail'> {
  if (nextDay) return { statusDetail: describeNextDay(nextDay, timezone) }
  return waiting ? { statusDetail: describeWaiting(waiting, { timezone, channel }) } : {}
}

function countedOf({ organization_id, id, created_on, has_entries }: OpenedCampaign): CountedCampaign {
  return { organizationId: organization_id, campaignId: id, createdOn: created_on, hasEntries: has_entries }
}

function keyOf({ organization_id: organizationId, id: campaignId }: NamedCampaign) {
  return { organizationId, campaignId }
}

function etaOf(toSend: number, stats: NonNullable<Detail['stats']>, ratePerSecond: number): number | null {
  return ratePerSecond > 0 ? Math.ceil((toSend * partsPerMessage(stats)) / ratePerSecond) : null
}

/** The parts sent so far predict the parts of the rest. */
function partsPerMessage({ parts, submitted }: { parts: number; submitted: number }): number {
  return submitted > 0 ? Math.max(1, parts / submitted) : 1
}

/** Additional columns for a single campaign: sources of its variables, and what its failures are read by. */
export type OpenedCampaign = NamedCampaign & {
  variable_names: string[] | null
  variable_sources: VariableSource[] | null
  variable_columns: string[] | null
  variable_links: { column: number; url: string }[] | null
  has_entries: boolean
}

/** Frozen variables if it was validated, else those of template and draft. */
export function openedColumns(): RawBuilder<unknown> {
  return sql`coalesce(leg.content -> 'names', jsonb_path_query_array(templates.content, '$.variables[*].name')) as variable_names,
    coalesce(leg.content -> 'variables', campaigns.draft #> '{legs,0,values,variables}') as variable_sources, audiences.columns as variable_columns,
    leg.content -> 'links' as variable_links,
    ${campaignHasEntries} as has_entries`
}

export function presentVariables(row: OpenedCampaign): BodyVariable[] {
  return getChannel(row.channel)
    .listVariables(row.body ?? '')
    .map((name, index) => {
      const source = row.variable_sources?.[index]
      const column = source?.column === undefined ? undefined : row.variable_columns?.[source.column]
      return {
        name: row.variable_names?.[index] ?? name,
        fallback: source?.fallback ?? '',
        ...linkOf(source, row),
        ...(column === undefined ? {} : { column }),
      }
    })
}

/** The page of a tracked link: in a draft of the source itself, later of the column of its addresses. */
function linkOf(source: VariableSource | undefined, { variable_links: links }: OpenedCampaign): { link?: string } {
  const link = source?.link ?? links?.find(({ column }) => column === source?.column)?.url
  return link === undefined ? {} : { link }
}

async function presentFailover(
  db: Db,
  row: OpenedCampaign,
  failover: CampaignProgress['failover'],
): Promise<Pick<Detail, 'failover'>> {
  if (!failover || failover.entered === 0) return {}
  const { entered, sent, delivered, both } = failover
  return { failover: { entered, sent, delivered, both, reasons: await presentReasons(db, row, entered) } }
}

/** Label of a failover reason; recipients without a failure failed over by timeout. */
async function presentReasons(
  db: Db,
  row: OpenedCampaign,
  entered: number,
): Promise<{ title: string; count: number }[]> {
  const groups = await failoverReasons(db, countedOf(row))
  const failed = groups.map(({ reason, channel, count }) => ({ title: adviseOn(reason, channel).title, count }))
  const late = entered - failed.reduce((sum, { count }) => sum + count, 0)
  return late > 0 ? [...failed, { title: 'Not delivered or read in time', count: late }] : failed
}

function presentEvent({ event, at, username, reason }: Event, channel: Channel): Detail['timeline'][number] {
  return {
    event,
    at: presentJsonInstant(at),
    ...(username === null ? {} : { by: username }),
    ...(reason === null ? {} : { detail: describePause(reason, channel) ?? reason }),
  }
}

/** Failures by their class, most frequent first, each with what to do about it. */
export async function listFailures(db: Db, row: OpenedCampaign): Promise<Detail['failures']> {
  // The counts are exact, and searching for the messages is slower than everything else.
  if (!row.counts || row.counts.failed + row.counts.skipped === 0) return []
  const groups = await failureGroups(db, countedOf(row))
  const all = groups.reduce((sum, { count }) => sum + count, 0)
  return groups.map(({ reason, channel, count, failed, codes }) => ({
    reason,
    channel,
    ...adviseOn(reason, channel),
    count,
    failed,
    share: all === 0 ? 0 : count / all,
    codes,
  }))
}
