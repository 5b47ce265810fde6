import { AbMetric, AbPhase } from '@carillon/contract/ab-tests'
import { sql, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { AbTests } from '../../../db/schema.ts'
import type { CampaignKey } from '../campaigns.queries.ts'
import type { PlannedTest } from '../planning/campaign-plan.ts'

export type AbTestRow = Omit<Selectable<AbTests>, 'metric' | 'phase'> & { metric: AbMetric; phase: AbPhase }

/** Stores the test of a campaign that is validated; without one, deletes that of an earlier validation. */
export async function freezeTest(
  db: Db,
  { organizationId, campaignId }: CampaignKey,
  test: PlannedTest | undefined,
): Promise<void> {
  await db
    .deleteFrom('ab_tests')
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .execute()
  if (!test) return
  await db
    .insertInto('ab_tests')
    .values({
      organization_id: organizationId,
      campaign_id: campaignId,
      metric: test.metric,
      auto_send: test.autoSend,
      duration_minutes: test.durationMinutes,
      rest: test.rest,
      held_out: test.heldOut,
    })
    .execute()
}

/** Sets the time of the decision when the campaign is cut into chunks. Does nothing without a test. */
export async function beginTest(db: Db, { organizationId, campaignId }: CampaignKey, now: Date): Promise<void> {
  await db
    .updateTable('ab_tests')
    .set({ phase: 'testing', decides_at: sql`${now}::timestamptz + make_interval(mins => duration_minutes)` })
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .where('phase', '=', 'none')
    .execute()
}

export async function findTest(db: Db, { organizationId, campaignId }: CampaignKey): Promise<AbTestRow | undefined> {
  const row = await db
    .selectFrom('ab_tests')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .executeTakeFirst()
  return row && { ...row, metric: AbMetric.parse(row.metric), phase: AbPhase.parse(row.phase) }
}

/** Moves a test on until its winner is chosen. Returns false if it has been chosen meanwhile, or is in this phase already. */
export async function moveTest(
  db: Db,
  { organizationId, campaignId }: CampaignKey,
  { winner, ...set }: Pick<Updateable<AbTests>, 'winner' | 'decided_by' | 'results'> & { phase: AbPhase },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ab_tests')
    .set({ ...set, ...(winner === undefined ? {} : { winner, decided_at: sql<Date>`clock_timestamp()` }) })
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .where('phase', 'in', ['testing', 'awaiting_winner'])
    .where('phase', '<>', set.phase)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Whether the time has passed until which messages of the campaign are sent. */
export async function hasEnded(db: Db, { organizationId, campaignId }: CampaignKey): Promise<boolean> {
  return (await readEnd(db, { organizationId, campaignId })) <= new Date()
}

export async function readEnd(db: Db, { organizationId, campaignId }: CampaignKey): Promise<Date> {
  const { rows } = await sql<{
    end: Date
  }>`select campaign_end(${organizationId}::uuid, ${campaignId}::uuid) as end`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The campaign has no end')
  return row.end
}
