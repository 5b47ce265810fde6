import type { campaignChangeEndpoints, CampaignNeed } from '@carillon/contract/campaign-changes'
import type { Answer, Input } from '@carillon/contract/endpoint'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { within, type Scope } from '../../../db/scope.ts'
import { badField } from '../../../lib/problem.ts'

type UsageQuery = Input<(typeof campaignChangeEndpoints)['campaigns.using']>['query']

const namedAtMost = 5

/** Campaigns that stop or wait when something is switched off. */
export async function listUsing(
  db: Db,
  { scope, ...asked }: UsageQuery & { scope: Scope },
): Promise<Answer<(typeof campaignChangeEndpoints)['campaigns.using']>> {
  const rows = await db
    .selectFrom('campaigns')
    .select(['id', 'name', 'channel', 'status', 'schedule_at', 'timezone'])
    .select(({ fn }) => [
      fn.countAll<number>().over().as('total'),
      sql<number>`count(*) filter (where status = 'scheduled') over ()`.as('scheduled'),
    ])
    .where('status', 'in', ['scheduled', 'queued', 'running', 'paused'])
    .where(within(scope, 'campaigns.path'))
    .where(needs(asked))
    .orderBy(sql`schedule_at is null or status <> 'scheduled'`)
    .orderBy('schedule_at')
    .orderBy('created_at', 'desc')
    .limit(namedAtMost)
    .execute()
  return {
    total: Number(rows[0]?.total ?? 0),
    scheduled: Number(rows[0]?.scheduled ?? 0),
    campaigns: rows.map(({ id, name, channel, status, schedule_at, timezone }) => ({
      _id: id,
      campaignName: name,
      channel,
      status,
      startAt: schedule_at?.toISOString() ?? null,
      timezone,
    })),
  }
}

function needs({ need, ids, channel }: UsageQuery): RawBuilder<boolean> {
  if (need === 'channel') {
    if (!channel) throw badField('channel', 'Name a channel')
    return ofLeg(sql<boolean>`leg.channel = ${channel}`)
  }
  if (!ids) throw badField('ids', 'Name at least one id')
  return byNeed[need](sql`${ids.split(',')}::uuid[]`)
}

const byNeed: Record<Exclude<CampaignNeed, 'channel'>, (ids: RawBuilder<unknown>) => RawBuilder<boolean>> = {
  sender: (ids) => ofLeg(sql<boolean>`leg.sender_id = any(${ids})`),
  template: (ids) => ofLeg(sql<boolean>`leg.template_id = any(${ids})`),
  provider_account: (ids) =>
    ofLeg(sql<boolean>`exists (select from senders sender
      where sender.organization_id = leg.organization_id and sender.id = leg.sender_id
        and sender.provider_account_id = any(${ids}))`),
  // The account and all accounts below it.
  account: (ids) =>
    sql<boolean>`exists (select from accounts account where account.id = any(${ids}) and campaigns.path <@ account.path)`,
}

/** A campaign depends on what any of its legs uses, including failover legs. */
function ofLeg(condition: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from campaign_legs leg
    where leg.organization_id = campaigns.organization_id and leg.campaign_id = campaigns.id and ${condition})`
}
