import type pg from 'pg'
import { withPatience } from '../../../db/bounded-queries.ts'
import { runEvery } from '../../../lib/background.ts'
import type { Logger } from '../../../lib/logger.ts'
import { moveProof, notifyLowBalances } from '../../balance/index.ts'
import { completeFinished, settleStopped, type FinishedCampaign } from './complete-finished.ts'
import { openDays } from './open-days.ts'
import { forgetConversations, recheckReplies } from '../conversation-charges/recheck-replies.ts'
import { countOldDays } from '../proof/prove-figures.ts'
import { joinEarlyReports } from '../reports/early-reports.ts'
import { foldCounters } from './fold-counters.ts'
import { forgetClientIds } from './forget-client-ids.ts'
import { guardLedger } from './guard-ledger.ts'
import { countReports } from '../reports/report-metrics.ts'
import { settleChanges } from '../reports/settle-changes.ts'
import type { ChangedMessages } from '../reports/moved-by-place.ts'
import { inTransaction } from '../statements.ts'
import { forgetRevocations, queueRevocations } from './revoke-stopped.ts'
import { settleRevocations } from './settle-revocations.ts'
import { watchLegs } from './watch-legs.ts'

export type HousekeepingDependencies = {
  pool: pg.Pool
  logger: Logger
  /** Nothing is left to send: the campaign is completed. */
  onCampaignDrained(campaign: FinishedCampaign): Promise<void>
  /** Retention of reports and raw provider payloads. */
  retentionDays?: number
}

/**
 * The engine's periodic work: counters, completions, early reports, partitions of coming days. Any number of processes may run
 * it.
 */
export function startHousekeeping(dependencies: HousekeepingDependencies): { stop(): Promise<void> } {
  const { logger } = dependencies
  const tasks = [
    runEvery(1000, () => everySecond(dependencies), { name: 'housekeeping, every second', logger }),
    runEvery(60_000, () => withPatience(() => everyMinute(dependencies)), {
      name: 'housekeeping, every minute',
      logger,
    }),
    runEvery(3_600_000, () => withPatience(() => everyHour(dependencies)), {
      name: 'housekeeping, every hour',
      logger,
    }),
  ]
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()))
    },
  }
}

export async function everySecond({ pool, onCampaignDrained }: HousekeepingDependencies): Promise<void> {
  await withPatience(() => pool.query('select analyze_grown()'))
  await foldCounters(pool)
  await joinEarlyReports(pool, { since: '30 seconds' })
  await watchLegs(pool)
  await queueRevocations(pool)
  await settleRevocations(pool)
  await openDays(pool)
  for (const campaign of await completeFinished(pool)) await onCampaignDrained(campaign)
  await settleStopped(pool)
  await pool.query('select release_shares()')
}

export async function everyMinute({ pool, logger }: HousekeepingDependencies): Promise<void> {
  await joinEarlyReports(pool, { since: '6 hours' })
  await confirmNothing(pool)
  await recheckReplies(pool)
  await guardLedger(pool, logger)
  await notifyLowBalances(pool)
}

export async function everyHour({ pool, retentionDays = 400 }: HousekeepingDependencies): Promise<void> {
  await pool.query('select ensure_partitions(current_date - 1, current_date + 7)')
  await countOldDays(pool)
  const { rowCount } = await pool.query(`delete from early_reports where received_at < now() - interval '7 days'`)
  countReports({ unmatched: rowCount ?? 0 })
  await pool.query(`delete from poison_events where received_at < now() - interval '30 days'`)
  await forgetRevocations(pool)
  await forgetConversations(pool)
  await pool.query(`delete from sender_points where at < now() - interval '2 days'`)
  // Longer than a month, whose limits are counted from its first quarter of an hour on.
  await pool.query(`delete from accepted_quarters where at < now() - interval '40 days'`)
  await pool.query('select drop_partitions($1::int)', [retentionDays])
  await forgetClientIds(pool, retentionDays)
  await pool.query(`delete from single_legs where created_at < now() - make_interval(days => $1)`, [retentionDays])
  await pool.query('select drop_old_events()')
  await moveProof(pool)
}

/** A lost response without a report after this time becomes unconfirmed; a later report still counts. */
const unknownFor = '15 minutes'

export async function confirmNothing(
  pool: pg.Pool,
  after: string = unknownFor,
): Promise<{ organizationId: string; campaignIds: string[] }[]> {
  return inTransaction(pool, async (db) => {
    // No index includes the status, so only days that can contain recent unknowns are read.
    const { rows } = await db.query<ChangedMessages & { organizationId: string }>(
      `update messages as message set previous_status = message.status, status = 'unconfirmed'
      where status = 'unknown' and created_on >= current_date - 4 and unknown_at < now() - $1::interval
      returning 1 as count, array[message.seq] as seqs, message.organization_id as "organizationId", message.campaign_id as "campaignId", message.leg,
        message.previous_status as previous, message.status, message.parts, message.price, message.billable_on as "billableOn",
        message.left_on as "leftOn"`,
      [after],
    )
    const changes: { organizationId: string; campaignIds: string[] }[] = []
    for (const [organizationId, moved] of Map.groupBy(rows, (row) => row.organizationId)) {
      changes.push({ organizationId, campaignIds: await settleChanges(db, organizationId, moved) })
    }
    return changes
  })
}
