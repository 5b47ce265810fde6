import type { BodyVariable, VariableSource } from '@carillon/contract/campaign-records'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { sql } from 'kysely'
import type { z } from 'zod'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import { toRupees, toUnits } from '../../balance/index.ts'
import { failureGroups, findNextDay, overTime, failoverReasons } from '../../messages/index.ts'
import { adviseOn } from './failure-advice.ts'
import { getNamedCampaign, type NamedCampaign } from './list-campaigns.ts'
import { progressOf, type CampaignProgress } from './numbers.ts'
import { describeNextDay, describePause, describeWaiting } from '../lifecycle/format-pause.ts'
import { presentCampaign } from './present-campaign.ts'

type Detail = z.input<typeof CampaignDetail>

/** One campaign with everything a person wants to know of it. */
export async function getCampaignDetail(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<Detail> {
  const row = await getNamedCampaign(db, { id, scope })
  // Read before what was charged: a campaign that ends in between still shows how its reserved amount was divided.
  const reserved = await findReserved(db, row)
  const progress = (await progressOf(db, [row])).get(id)
  const campaign = presentCampaign(row, progress)
  const { stats, waiting } = campaign
  const ratePerSecond = await rateOf(db, row)
  const isUnderWay = row.status === 'queued' || row.status === 'running'
  const toSend = stats.queued - (waiting?.people ?? 0)
  const nextDay = isUnderWay && row.last_part_at ? await findNextDay(db, keyOf(row)) : undefined
  const waitsFor = isUnderWay ? describeWait({ nextDay, waiting: toSend === 0 ? waiting : undefined }, row) : {}
  return {
    ...campaign,
    ...waitsFor,
    body: row.body ?? '',
    variables: await listVariables(db, row),
    timeline: await listTimeline(db, row),
    failures: await listFailures(db, row),
    overTime: await overTime(db, { organizationId: row.organization_id, campaignId: id }),
    held: toRupees(Math.max(0, reserved - toUnits(stats.cost))),
    ...(await presentFailover(db, row, progress?.failover)),
    ratePerSecond,
    etaSeconds: isUnderWay && !nextDay ? etaOf(toSend, stats, ratePerSecond) : null,
  }
}

type Waits = { nextDay: { at: Date; people: number } | undefined; waiting: Detail['waiting'] }

/** Why nothing can be sent at the moment, as text. */
function describeWait({ nextDay, waiting }: Waits, { timezone, channel }: NamedCampaign): Pick<Detail, 'statusDetail'> {
  if (nextDay) return { statusDetail: describeNextDay(nextDay, timezone) }
  return waiting ? { statusDetail: describeWaiting(waiting, { timezone, channel }) } : {}
}

function keyOf({ organization_id: organizationId, id: campaignId }: NamedCampaign) {
  return { organizationId, campaignId }
}

function etaOf(toSend: number, stats: NonNullable<Detail['stats']>, ratePerSecond: number): number | null {
  return ratePerSecond > 0 ? Math.ceil((toSend * partsPerMessage(stats)) / ratePerSecond) : null
}

/** What has been sent so far tells how many parts the rest will need. */
function partsPerMessage({ parts, submitted }: { parts: number; submitted: number }): number {
  return submitted > 0 ? Math.max(1, parts / submitted) : 1
}

async function rateOf(db: Db, row: NamedCampaign): Promise<number> {
  if (!row.sender_id) return 0
  const sender = await db
    .selectFrom('senders')
    .select('rate_per_second')
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.sender_id)
    .executeTakeFirst()
  return sender?.rate_per_second ?? 0
}

/** As frozen where it was validated, else as template and draft have them now. */
export async function listVariables(db: Db, row: NamedCampaign): Promise<BodyVariable[]> {
  const { rows } = await sql<{ names: string[] | null; sources: VariableSource[] | null; columns: string[] | null }>`
    select coalesce(leg.content -> 'names', jsonb_path_query_array(template.content, '$.variables[*].name')) as names,
      coalesce(leg.content -> 'variables', campaign.draft #> '{legs,0,values,variables}') as sources, audience.columns
    from campaigns campaign
    left join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id and leg.leg = 0
    left join templates template on template.organization_id = campaign.organization_id and template.id = ${row.template_id}::uuid
    left join audiences audience on audience.organization_id = campaign.organization_id and audience.id = campaign.audience_id
    where campaign.organization_id = ${row.organization_id}::uuid and campaign.id = ${row.id}::uuid`.execute(db)
  const { names, sources, columns } = rows[0] ?? {}
  const defaults = getChannel(row.channel).listVariables(row.body ?? '')
  return defaults.map((name, index) => {
    const source = sources?.[index]
    const column = source?.column === undefined ? undefined : columns?.[source.column]
    return {
      name: names?.[index] ?? name,
      fallback: source?.fallback ?? '',
      ...(column === undefined ? {} : { column }),
    }
  })
}

async function presentFailover(
  db: Db,
  row: NamedCampaign,
  failover: CampaignProgress['failover'],
): Promise<Pick<Detail, 'failover'>> {
  if (!failover || failover.entered === 0) return {}
  const { entered, sent, delivered, both } = failover
  return { failover: { entered, sent, delivered, both, reasons: await presentReasons(db, row, entered) } }
}

/** Label of a failover reason; recipients without a failure failed over by timeout. */
async function presentReasons(
  db: Db,
  row: NamedCampaign,
  entered: number,
): Promise<{ title: string; count: number }[]> {
  const groups = await failoverReasons(db, { organizationId: row.organization_id, campaignId: row.id })
  const failed = groups.map(({ reason, channel, count }) => ({ title: adviseOn(reason, channel).title, count }))
  const late = entered - failed.reduce((sum, { count }) => sum + count, 0)
  return late > 0 ? [...failed, { title: 'Not delivered or read in time', count: late }] : failed
}

/**
 * What was set aside for the campaign, charged or not, until the rest is given back. The ledger captures a chunk's charge
 * once the chunk is done, so `captured` is behind the cost that is counted message by message.
 */
async function findReserved(db: Db, row: NamedCampaign): Promise<number> {
  if (!row.hold_id) return 0
  const hold = await db
    .selectFrom('holds')
    .select(['amount', 'released_at'])
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.hold_id)
    .executeTakeFirst()
  return hold && hold.released_at === null ? hold.amount : 0
}

async function listTimeline(db: Db, { organization_id, id, channel }: NamedCampaign): Promise<Detail['timeline']> {
  const events = await db
    .selectFrom('campaign_events')
    .leftJoin('accounts', 'accounts.id', 'campaign_events.actor_id')
    .select(['event', 'at', 'details', 'accounts.username', sql<string | null>`details ->> 'reason'`.as('reason')])
    .where('campaign_events.organization_id', '=', organization_id)
    .where('campaign_id', '=', id)
    .orderBy('at')
    .orderBy('campaign_events.id')
    .limit(500)
    .execute()
  return events.map(({ event, at, username, reason }) => ({
    event,
    at: at.toISOString(),
    ...(username === null ? {} : { by: username }),
    ...(reason === null ? {} : { detail: describePause(reason, channel) ?? reason }),
  }))
}

/** Failures by their class, most frequent first, each with what to do about it. */
export async function listFailures(db: Db, row: NamedCampaign): Promise<Detail['failures']> {
  const groups = await failureGroups(db, { organizationId: row.organization_id, campaignId: row.id })
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
