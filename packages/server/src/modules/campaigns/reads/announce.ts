import type { ProgressUpdate } from '@carillon/contract/realtime'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import type { EventOf } from '../../../events/domain-events.ts'
import { emptyStats } from './present-campaign.ts'

export type Announce = (to: { organizationId: string; accountId: string }, update: ProgressUpdate) => void

const updateEveryMs = 1000

/**
 * Pushes the progress of audience checks to this process's sockets, at most once a second per audience while its check runs.
 */
export function createAudienceProgress(
  database: Database,
  announce: Announce,
): (events: readonly EventOf<'audience.changed'>[]) => Promise<void> {
  const lastAnnouncedAt = new Map<string, number>()

  function isDue({ audienceId, isUnderWay }: WaitingCampaign): boolean {
    const now = Date.now()
    if (!isUnderWay) return lastAnnouncedAt.delete(audienceId) || true
    if (now - (lastAnnouncedAt.get(audienceId) ?? 0) < updateEveryMs) return false
    lastAnnouncedAt.set(audienceId, now)
    return true
  }

  return async (events) => {
    const waiting = await asSystem(database, (db) => findWaiting(db, events))
    for (const [, campaigns] of Map.groupBy(waiting, ({ audienceId }) => audienceId)) {
      const [first] = campaigns
      if (first && isDue(first)) for (const { to, update } of campaigns) announce(to, update)
    }
  }
}

type WaitingCampaign = {
  audienceId: string
  isUnderWay: boolean
  to: { organizationId: string; accountId: string }
  update: ProgressUpdate
}

async function findWaiting(db: Db, events: readonly EventOf<'audience.changed'>[]): Promise<WaitingCampaign[]> {
  const rows = await db
    .selectFrom('audiences as audience')
    .innerJoin('campaigns as campaign', (join) =>
      join
        .onRef('campaign.organization_id', '=', 'audience.organization_id')
        .onRef('campaign.audience_id', '=', 'audience.id'),
    )
    .select([
      'audience.id as audienceId',
      'audience.status as audienceStatus',
      'audience.processed',
      'audience.percent',
    ])
    .select(['audience.total', 'audience.accepted', 'campaign.organization_id', 'campaign.created_by'])
    .select(['campaign.id', 'campaign.status', 'campaign.channel'])
    .where('audience.organization_id', 'in', [...new Set(events.map(({ organizationId }) => organizationId))])
    .where('audience.id', 'in', [...new Set(events.flatMap(({ subjectIds }) => subjectIds))])
    .where('campaign.status', 'in', ['draft', 'validating'])
    .execute()
  return rows.map(({ audienceId, audienceStatus, processed, percent, total, accepted, ...campaign }) => ({
    audienceId,
    isUnderWay: audienceStatus === 'reading' || audienceStatus === 'checking',
    to: { organizationId: campaign.organization_id, accountId: campaign.created_by },
    update: {
      campaignId: campaign.id,
      channel: campaign.channel,
      phase: 'validating',
      status: campaign.status,
      processed,
      total,
      percent,
      stats: { ...emptyStats, total: accepted },
      ratePerSecond: 0,
      etaSeconds: null,
      at: new Date().toISOString(),
    },
  }))
}
