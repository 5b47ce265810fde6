import { systemActor } from '../../../actor.ts'
import type { PauseReason } from '@carillon/contract/campaign-records'
import { getAccountStatus } from '../../accounts/index.ts'
import { replanCampaign, retryNow } from '../../messages/index.ts'
import type { Db } from '../../../db/pool.ts'
import { transition, type CampaignRow } from '../campaigns.queries.ts'

/** Pauses a running campaign automatically and notifies its owner. */
export async function pauseByItself(db: Db, campaign: CampaignRow, reason: PauseReason): Promise<void> {
  if (campaign.status !== 'queued' && campaign.status !== 'running') return
  const set = { run_epoch: campaign.run_epoch + 1, paused_at: new Date(), pause_reason: reason }
  await transition(db, { campaign, to: 'paused', set, event: 'paused', details: { reason }, actor: systemActor })
}

/** Resumes a campaign that was paused for this reason, unless its account may not send, and notifies its owner. */
export async function resumeByItself(db: Db, campaign: CampaignRow, reason: PauseReason): Promise<void> {
  if (campaign.status !== 'paused' || campaign.pause_reason !== reason) return
  if ((await getAccountStatus(db, campaign.path)) !== 'active') return
  const set = { paused_at: null }
  await transition(db, { campaign, to: 'queued', set, event: 'resumed', details: { reason }, actor: systemActor })
  const key = { organizationId: campaign.organization_id, campaignId: campaign.id }
  await replanCampaign(db, key)
  await retryNow(db, { ...key, reason })
}
