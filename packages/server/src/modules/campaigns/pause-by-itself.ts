import type { PauseReason } from '@carillon/contract/campaign-records'
import type { Db } from '../../db/pool.ts'
import { transition, type CampaignRow } from './campaigns.queries.ts'

/** Pauses a campaign that is under way for a reason that no person gave; its owner is told. */
export async function pauseByItself(db: Db, campaign: CampaignRow, reason: PauseReason): Promise<void> {
  if (campaign.status !== 'queued' && campaign.status !== 'running') return
  const set = { run_epoch: campaign.run_epoch + 1, paused_at: new Date(), pause_reason: reason }
  await transition(db, { campaign, to: 'paused', set, event: 'paused', details: { reason }, actor: undefined })
}
