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
  /** Organisations with connected listeners, whose campaigns are read. */
  organizations(): readonly string[]
}

type ActiveCampaign = Pick<CampaignRow, 'organization_id' | 'id' | 'created_by' | 'channel' | 'status' | 'total'>
type PushedProgress = { text: string; processed: number; at: number; ratePerSecond: number }

const everyMs = 1000

export type ProgressWatch = {
  /** Reads immediately, including campaigns that are no longer active. */
  look(campaignIds: readonly string[]): void
  stop(): Promise<void>
}

/**
 * Pushes the progress of active campaigns to this process's sockets. Counters, which every process writes, are read once a
 * second; only changes are pushed. A campaign that is no longer active is pushed once more. Counters change with each batch of
 * messages and write no events, because events would cost more.
 */
export function watchProgress(deps: WatchDeps): ProgressWatch {
  let pushed = new Map<string, PushedProgress>()
  let changed = new Set<string>()

  async function poll() {
    const organizations = deps.organizations()
    if (organizations.length === 0) return
    const before = pushed
    const ids = [...new Set([...before.keys(), ...changed])]
    pushed = new Map()
    changed = new Set()
    const { campaigns, stats } = await asSystem(deps.database, async (db) => {
      const activeCampaigns = await findActiveCampaigns(db, { organizations, ids })
      return { campaigns: activeCampaigns, stats: await statsOf(db, activeCampaigns) }
    })
    for (const campaign of campaigns) {
      const numbers = stats.get(campaign.id)
      if (numbers) push({ campaign, numbers, last: before.get(campaign.id) })
    }
  }

  function push({
    campaign,
    numbers,
    last,
  }: {
    campaign: ActiveCampaign
    numbers: ProgressUpdate['stats']
    last: PushedProgress | undefined
  }) {
    const now = Date.now()
    const processed = numbers.total - numbers.queued
    const ratePerSecond = last
      ? Math.max(0, Math.round(((processed - last.processed) * 1000) / Math.max(1, now - last.at)))
      : 0
    const text = JSON.stringify([campaign.status, numbers])
    if (isUnderWay(campaign)) pushed.set(campaign.id, { text, processed, at: now, ratePerSecond })
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

  const looking = runEvery(everyMs, poll, { name: 'watching the progress of campaigns', logger: deps.logger })
  return {
    look(campaignIds) {
      for (const id of campaignIds) changed.add(id)
      looking.now()
    },
    stop: looking.stop,
  }
}

const underWay = ['validating', 'queued', 'running', 'paused'] as const

function isUnderWay({ status }: ActiveCampaign): boolean {
  return underWay.some((one) => one === status)
}

async function findActiveCampaigns(
  db: Db,
  { organizations, ids }: { organizations: readonly string[]; ids: readonly string[] },
): Promise<ActiveCampaign[]> {
  return db
    .selectFrom('campaigns')
    .select(['organization_id', 'id', 'created_by', 'channel', 'status', 'total'])
    .where('organization_id', 'in', organizations)
    .where((where) => where.or([where('status', 'in', underWay), ...(ids.length > 0 ? [where('id', 'in', ids)] : [])]))
    .limit(2000)
    .execute()
}
