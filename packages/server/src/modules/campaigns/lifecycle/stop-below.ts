import type { CampaignStatus } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { getAccountStatus } from '../../accounts/index.ts'
import { withdrawSingles } from '../../messages/index.ts'
import type { CampaignRow } from '../campaigns.queries.ts'
import { discardCampaign, pauseCampaign, resumeCampaign, waitForSilence } from './stop-campaign.ts'

const underWay: readonly CampaignStatus[] = ['queued', 'running']
const unfinished: readonly CampaignStatus[] = ['ready', 'pending_approval', 'scheduled', 'queued', 'running', 'paused']

/** Stops sending in a subtree: paused until the status changes back, or cancelled with holds released. */
export async function stopBelow(
  db: Db,
  { actor, path, now, isFinal }: { actor: UserActor; path: string; now: Date; isFinal: boolean },
): Promise<void> {
  await withdrawSingles(db, path)
  for (const { id } of await findBelow(db, { path, statuses: isFinal ? unfinished : underWay })) {
    if (isFinal) await discardCampaign(db, { actor, id, now })
    else await pauseCampaign(db, { actor, id, now, reason: 'account_suspended' })
  }
}

/** Resumes campaigns paused only because of the account status, unless another account's status still forbids it. */
export async function resumeBelow(db: Db, { actor, path }: { actor: UserActor; path: string }): Promise<void> {
  const paused = await findBelow(db, { path, statuses: ['paused'] })
  for (const campaign of paused.filter(({ pause_reason }) => pause_reason === 'account_suspended'))
    if ((await getAccountStatus(db, campaign.path)) === 'active') await resumeCampaign(db, { actor, id: campaign.id })
}

/** Waits until nothing that was just stopped is in flight. */
export async function waitForSilenceBelow(database: Database, path: string): Promise<void> {
  const stopped = await asSystem(database, (db) =>
    findBelow(db, { path, statuses: ['paused', 'cancelled'], changedLately: true }),
  )
  await Promise.all(stopped.map((campaign) => waitForSilence((work) => asSystem(database, work), campaign)))
}

type Below = { path: string; statuses: readonly CampaignStatus[]; changedLately?: boolean }

async function findBelow(db: Db, { path, statuses, changedLately = false }: Below): Promise<CampaignRow[]> {
  const { rows } = await sql<CampaignRow>`
    select * from campaigns
    where path <@ ${path}::ltree and status::text = any (${statuses}::text[])
      and (${!changedLately} or updated_at > now() - interval '1 minute')
    order by organization_id, id`.execute(db)
  return rows
}
