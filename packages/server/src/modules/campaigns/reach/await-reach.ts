import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import type { Clock } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { lockByKey, readDraft, updateCampaign, type CampaignKey } from '../campaigns.queries.ts'
import { endReachWait } from '../lifecycle/start-campaign.ts'
import { listReach } from './reach-of-draft.ts'

/** A started campaign does not wait longer for the check: numbers without an answer are tried. */
const longestWaitMinutes = 15

/** Sends the campaigns that waited for a check of these recipients. */
export async function resumeStartsOf(
  { database, clock }: { database: Database; clock: Clock },
  { organizationId, audienceId }: { organizationId: string; audienceId: string },
): Promise<void> {
  const waiting = await asSystem(database, (db) =>
    db
      .selectFrom('campaigns')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('audience_id', '=', audienceId)
      .where('awaits_reach', '=', true)
      .execute(),
  )
  for (const { id } of waiting) await resumeStart({ database, clock }, { organizationId, campaignId: id })
}

/** The same for all audiences, in case the end of a check was missed or never comes. */
export async function resumeStarts({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const waiting = await asSystem(database, (db) =>
    db.selectFrom('campaigns').select(['organization_id', 'id']).where('awaits_reach', '=', true).limit(1000).execute(),
  )
  for (const row of waiting)
    await resumeStart({ database, clock }, { organizationId: row.organization_id, campaignId: row.id })
}

async function resumeStart({ database, clock }: { database: Database; clock: Clock }, key: CampaignKey): Promise<void> {
  try {
    await asSystem(database, (db) => endWait(db, key, clock.now()))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await asSystem(database, async (db) => {
      const campaign = await lockByKey(db, key)
      if (campaign?.awaits_reach) await updateCampaign(db, campaign, { status_detail: error.message })
    })
  }
}

async function endWait(db: Db, key: CampaignKey, now: Date): Promise<void> {
  const campaign = await lockByKey(db, key)
  if (!campaign?.awaits_reach) return
  const checks = await listReach(db, { campaign, draft: readDraft(campaign) })
  if (checks.some(({ status }) => status === 'checking') && !(await hasWaitedLong(db, key))) return
  await endReachWait(db, campaign, now)
}

async function hasWaitedLong(db: Db, { organizationId, campaignId }: CampaignKey): Promise<boolean> {
  const { rows } = await sql`
    select from campaigns where organization_id = ${organizationId}::uuid and id = ${campaignId}::uuid
      and started_at < now() - make_interval(mins => ${longestWaitMinutes}::int)`.execute(db)
  return rows.length > 0
}
