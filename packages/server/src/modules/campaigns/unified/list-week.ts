import { SendWindow, type CampaignStatus } from '@carillon/contract/campaign-records'
import type { Answer } from '@carillon/contract/endpoint'
import { planLimits, type unifiedCampaignEndpoints } from '@carillon/contract/unified-campaigns'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { within, type Scope } from '../../../db/scope.ts'
import { draftChannels, parseChannels } from './channels-of.ts'

type Week = { from: string; to: string; scope: Scope; timezone: string; now: Date }

type PlannedRow = {
  id: string
  name: string
  status: CampaignStatus
  channels: unknown
  people: number
  begins_at: Date
  ends_at: Date | null
  send_window: unknown
  total: number
}

/** Campaigns that are scheduled or sent within the days, earliest first. A running one lasts at least until now. */
export async function listWeek(
  db: Db,
  { from, to, scope, timezone, now }: Week,
): Promise<Answer<(typeof unifiedCampaignEndpoints)['campaigns.week']>> {
  const { rows } = await sql<PlannedRow>`
    with span as (select day_start(${from}::date, ${timezone}) as first, day_start(${to}::date + 1, ${timezone}) as last)
    select campaigns.id, name, status, ${draftChannels} as channels, campaigns.total as people, send_window,
      coalesce(started_at, schedule_at) as begins_at, completed_at as ends_at, count(*) over () as total
    from campaigns, span
    where ${within(scope, 'campaigns.path')} and not is_test
      and (
        started_at is not null and started_at < last and coalesce(completed_at, 'infinity') >= first
          and (completed_at is not null or first <= ${now})
        or status = 'scheduled' and started_at is null and schedule_at >= first and schedule_at < last
      )
    order by begins_at, campaigns.id
    limit ${planLimits.campaigns}`.execute(db)
  return {
    total: Number(rows[0]?.total ?? 0),
    campaigns: rows.map((row) => {
      const sendWindow = SendWindow.safeParse(row.send_window).data
      return {
        _id: row.id,
        campaignName: row.name,
        status: row.status,
        channels: parseChannels(row.channels),
        people: row.people,
        beginsAt: row.begins_at.toISOString(),
        endsAt: row.ends_at?.toISOString() ?? null,
        ...(sendWindow ? { sendWindow } : {}),
      }
    }),
  }
}
