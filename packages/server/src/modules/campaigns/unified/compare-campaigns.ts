import type { Channel } from '@carillon/contract/channels'
import type { Answer } from '@carillon/contract/endpoint'
import type { ChannelResult, unifiedCampaignEndpoints } from '@carillon/contract/unified-campaigns'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { within, type Scope } from '../../../db/scope.ts'
import { notFound } from '../../../lib/problem.ts'
import { toRupees } from '../../balance/index.ts'
import { selectNamed, type NamedCampaign } from '../reads/list-campaigns.ts'
import { progressOf } from '../reads/numbers.ts'
import { presentCampaign } from '../reads/present-campaign.ts'
import { draftChannels, parseChannels } from './channels-of.ts'

type Row = NamedCampaign & { channels: unknown; results: Stored[] }
type Stored = { channel: Channel; sent: number; delivered: number; read: number; cost: number }

/** Results of campaigns in scope, in the order of the ids; an id out of scope is not found. */
export async function compareCampaigns(
  db: Db,
  { ids, scope }: { ids: readonly string[]; scope: Scope },
): Promise<Answer<(typeof unifiedCampaignEndpoints)['campaigns.compare']>> {
  const wanted = [...new Set(ids)]
  const page = sql`where campaigns.id = any(${wanted}::uuid[]) and ${within(scope, 'campaigns.path')}`
  const more = sql`, ${draftChannels} as channels, ${resultsOfCampaign} as results`
  const { rows } = await sql<Row>`${selectNamed(page, more)}`.execute(db)
  const progress = await progressOf(db, rows)
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return {
    campaigns: wanted.map((id) => {
      const row = rowById.get(id)
      if (!row) throw notFound('Campaign')
      const channels = parseChannels(row.channels)
      return {
        ...presentCampaign(row, progress.get(id)),
        channels,
        results: channels.map((channel) => resultOf(row, channel)),
        durationSeconds: durationOf(row),
      }
    }),
  }
}

/** Messages by channel, of all legs on it. */
const resultsOfCampaign = sql`(select coalesce(json_agg(result), '[]') from (
  select leg.channel, sum(submitted)::float8 as sent, sum(delivered + read)::float8 as delivered, sum(read)::float8 as read,
    sum(cost - refunded)::float8 as cost
  from (
    select leg, submitted, delivered, read, cost, refunded from counters
    where organization_id = campaigns.organization_id and campaign_id = campaigns.id
    union all
    select leg, submitted, delivered, read, cost, refunded from counter_deltas
    where organization_id = campaigns.organization_id and campaign_id = campaigns.id
  ) counted
  join campaign_legs leg on leg.organization_id = campaigns.organization_id and leg.campaign_id = campaigns.id
    and leg.leg = counted.leg
  group by leg.channel) result)`

function resultOf({ results }: Row, channel: Channel): ChannelResult {
  const found = results.find((result) => result.channel === channel)
  if (!found) return { channel, sent: 0, delivered: 0, read: 0, cost: 0 }
  return { ...found, cost: toRupees(found.cost) }
}

function durationOf({ started_at: begin, completed_at: end }: Row): number | null {
  return begin && end ? Math.max(0, Math.round((end.getTime() - begin.getTime()) / 1000)) : null
}
