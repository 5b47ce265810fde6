import type { ProgressUpdate } from '@carillon/contract/realtime'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import { runEvery } from '../../../lib/background.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Announce } from './announce.ts'
import type { CampaignRow } from '../campaigns.queries.ts'
import { statsOf } from './numbers.ts'
import { percentOf } from './present-campaign.ts'

export type WatchDeps = {
  database: Database
  announce: Announce
  logger: Logger
  /** Nobody is listening: nothing is read. */
  hasListeners(): boolean
}

type Watched = Pick<CampaignRow, 'organization_id' | 'id' | 'created_by' | 'channel' | 'status' | 'total'>
type Told = { text: string; processed: number; at: number; ratePerSecond: number }

const everyMs = 1000

/**
 * Tells the sockets of this process how the campaigns under way stand: read from the database, where every process writes,
 * once a second, and told only where something changed. A campaign that is no longer under way is told once more.
 */
export function watchProgress(deps: WatchDeps): { stop(): Promise<void> } {
  let told = new Map<string, Told>()

  async function look() {
    if (!deps.hasListeners()) return
    const before = told
    told = new Map()
    const { campaigns, stats } = await asSystem(deps.database, async (db) => {
      const watched = await findWatched(db, [...before.keys()])
      return { campaigns: watched, stats: await statsOf(db, watched) }
    })
    for (const campaign of campaigns) {
      const numbers = stats.get(campaign.id)
      if (numbers) tell({ campaign, numbers, last: before.get(campaign.id) })
    }
  }

  function tell({
    campaign,
    numbers,
    last,
  }: {
    campaign: Watched
    numbers: ProgressUpdate['stats']
    last: Told | undefined
  }) {
    const now = Date.now()
    const processed = numbers.total - numbers.queued
    const ratePerSecond = last
      ? Math.max(0, Math.round(((processed - last.processed) * 1000) / Math.max(1, now - last.at)))
      : 0
    const text = JSON.stringify([campaign.status, numbers])
    if (isUnderWay(campaign)) told.set(campaign.id, { text, processed, at: now, ratePerSecond })
    if (last?.text === text) return
    deps.announce(
      { organizationId: campaign.organization_id, accountId: campaign.created_by },
      {
        campaignId: campaign.id,
        channel: campaign.channel,
        phase: campaign.status === 'validating' ? 'validating' : 'sending',
        status: campaign.status,
        processed,
        total: numbers.total,
        percent: percentOf(numbers),
        stats: numbers,
        ratePerSecond,
        etaSeconds: ratePerSecond > 0 ? Math.ceil(numbers.queued / ratePerSecond) : null,
        at: new Date(now).toISOString(),
      },
    )
  }

  return runEvery(everyMs, look, { name: 'watching the progress of campaigns', logger: deps.logger })
}

const underWay = ['validating', 'queued', 'running', 'paused'] as const

function isUnderWay({ status }: Watched): boolean {
  return underWay.some((one) => one === status)
}

async function findWatched(db: Db, known: readonly string[]): Promise<Watched[]> {
  return db
    .selectFrom('campaigns')
    .select(['organization_id', 'id', 'created_by', 'channel', 'status', 'total'])
    .where((where) =>
      where.or([where('status', 'in', underWay), ...(known.length > 0 ? [where('id', 'in', known)] : [])]),
    )
    .limit(2000)
    .execute()
}
