import type { FailureClass, PauseReason } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../../db/pool.ts'
import type { Leg } from './legs.ts'
import { persist } from './persist.ts'
import type { Retry } from './results.ts'
import { numberArray, run, textArray, type Statement } from '../statements.ts'

/** Failure classes whose retries become due when a pause ends. */
const refusalsOf: Partial<Record<PauseReason, readonly FailureClass[]>> = {
  template_paused: ['template_paused'],
  channel_disconnected: ['channel_auth', 'sender_rejected'],
}

const pausing: readonly FailureClass[] = Object.values(refusalsOf).flat()

/** Makes a campaign's retries due whose rejection had the reason of a pause that has ended. */
export async function retryNow(
  db: Db,
  { organizationId, campaignId, reason }: { organizationId: string; campaignId: string; reason: PauseReason },
): Promise<void> {
  await sql`
    update retries set due_at = now()
    where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid
      and reason = any(${refusalsOf[reason] ?? []}::text[]) and due_at > now() and submitting_epoch is null and not is_entry`.execute(
    db,
  )
}

const retryResumed: Statement = {
  name: 'retry-resumed',
  text: `
  with campaign as materialized (
    select status, run_epoch from campaigns where organization_id = $1 and id = $2 for share
  )
  update retries set due_at = now()
  from campaign
  where retries.organization_id = $1 and retries.campaign_id = $2 and retries.leg = $3 and retries.seq = any($4::int[])
    and retries.reason = any($5::text[]) and retries.due_at > now() and retries.submitting_epoch is null and not retries.is_entry
    and campaign.status in ('queued', 'running') and campaign.run_epoch > $6`,
}

/**
 * Makes rejections due that were recorded after the resulting pause had already ended: the messages were sent before the pause
 * and had a late response. The share lock waits for a concurrent resume, so either this statement or `retryNow` sees them.
 */
export async function retryRefusedBeforePause(pool: pg.Pool, leg: Leg, retries: readonly Retry[]): Promise<void> {
  const seqs = retries.flatMap(({ seq, reason }) => (pausing.includes(reason) ? [seq] : []))
  if (seqs.length === 0) return
  const { organizationId, campaignId, runEpoch } = leg
  const values = [organizationId, campaignId, leg.leg, numberArray(seqs), textArray(pausing), runEpoch]
  await persist(() => run(pool, retryResumed, values))
}
