import { sql } from 'kysely'
import { systemActor } from '../../../actor.ts'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import { defineJob, noPayload } from '../../../jobs/jobs.ts'
import { Problem } from '../../../lib/problem.ts'
import { lockByKey, type CampaignKey, type CampaignRow } from '../campaigns.queries.ts'
import { skipRest } from '../lifecycle/start-campaign.ts'
import { findTest, hasEnded, moveTest } from './ab-tests.queries.ts'
import { askForWinner, keyOf, sendWinner } from './choose-winner.ts'
import { judge } from './judge.ts'
import { measureVariants } from './measure-variants.ts'

export const decideDueTests = defineJob('campaign.decide-tests', noPayload)

/** Decides tests whose time is over, and ends those of campaigns that are over. Runs every minute. */
export async function decideTests({ database }: { database: Database }): Promise<void> {
  for (const key of await asSystem(database, listDue)) {
    try {
      await asSystem(database, (db) => decide(db, key))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { message } = error
      await asSystem(database, async (db) => {
        const campaign = await lockByKey(db, key)
        if (campaign) await askForWinner(db, campaign, message)
      })
    }
  }
}

async function listDue(db: Db): Promise<CampaignKey[]> {
  const { rows } = await sql<CampaignKey>`
    select test.organization_id as "organizationId", test.campaign_id as "campaignId"
    from ab_tests test
    join campaigns campaign on campaign.organization_id = test.organization_id and campaign.id = test.campaign_id
    where test.phase in ('testing', 'awaiting_winner') and test.rest > 0 and campaign.status in ('queued', 'running')
      and (test.phase = 'testing' and test.decides_at <= now() or campaign_end(campaign.organization_id, campaign.id) <= now())
    order by test.decides_at limit 1000`.execute(db)
  return rows
}

async function decide(db: Db, key: CampaignKey): Promise<void> {
  const campaign = await lockByKey(db, key)
  const test = await findTest(db, key)
  if (!campaign || !test) return
  if (campaign.status !== 'queued' && campaign.status !== 'running') return
  if (await hasEnded(db, key)) await endWithoutWinner(db, campaign)
  else if (test.phase === 'testing' && (await isSent(db, key))) {
    const { leader, isCertain } = judge(test.metric, await measureVariants(db, key))
    if (leader !== null && isCertain && test.auto_send)
      await sendWinner(db, campaign, { variant: leader, actor: systemActor })
    else
      await askForWinner(
        db,
        campaign,
        isCertain ? 'The test is over' : 'No message is certainly better than the others',
      )
  }
}

/** The recipients who wait for the winner are skipped, like all that a campaign could not send before its end. */
async function endWithoutWinner(db: Db, campaign: CampaignRow): Promise<void> {
  if (await moveTest(db, keyOf(campaign), { phase: 'none' })) await skipRest(db, campaign)
}

/** Whether every message of the test has been handed over: hours or a slow lane may have delayed them. */
async function isSent(db: Db, { organizationId, campaignId }: CampaignKey): Promise<boolean> {
  const { rows } = await sql`
    select from campaign_legs own
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid and variant is not null
      and (exists (select from chunks where chunks.organization_id = own.organization_id and chunks.campaign_id = own.campaign_id
          and chunks.leg = own.leg and done_at is null)
        or enter_reasons = '{}' and exists (select from retries where retries.organization_id = own.organization_id
          and retries.campaign_id = own.campaign_id and retries.leg = own.leg))
    limit 1`.execute(db)
  return rows.length === 0
}
