import type { ProgressUpdate } from '@carillon/contract/realtime'
import { asSystem, type Database } from '../../../db/pool.ts'
import type { AudienceRow } from '../../audience/index.ts'
import { emptyStats } from './present-campaign.ts'

export type Announce = (to: { organizationId: string; accountId: string }, update: ProgressUpdate) => void

const updateEveryMs = 1000
const lastTold = new Map<string, number>()

/** Tells those who watch a campaign how far the checking of its audience is; at most once a second while it goes on. */
export async function announceAudience(database: Database, audience: AudienceRow, announce: Announce): Promise<void> {
  const isUnderWay = audience.status === 'reading' || audience.status === 'checking'
  const now = Date.now()
  if (isUnderWay && now - (lastTold.get(audience.id) ?? 0) < updateEveryMs) return
  if (isUnderWay) lastTold.set(audience.id, now)
  else lastTold.delete(audience.id)

  const waiting = await asSystem(database, (db) =>
    db
      .selectFrom('campaigns')
      .select(['id', 'created_by', 'status', 'channel'])
      .where('organization_id', '=', audience.organization_id)
      .where('audience_id', '=', audience.id)
      .where('status', 'in', ['draft', 'validating'])
      .execute(),
  )
  for (const campaign of waiting) {
    announce(
      { organizationId: audience.organization_id, accountId: campaign.created_by },
      {
        campaignId: campaign.id,
        channel: campaign.channel,
        phase: 'validating',
        status: campaign.status,
        processed: audience.processed,
        total: audience.total,
        percent: audience.percent,
        stats: { ...emptyStats, total: audience.accepted },
        ratePerSecond: 0,
        etaSeconds: null,
        at: new Date(now).toISOString(),
      },
    )
  }
}
