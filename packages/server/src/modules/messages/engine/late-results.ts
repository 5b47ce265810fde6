import type pg from 'pg'
import type { LegKey } from './record-results.ts'
import type { ChangedMessages } from '../reports/moved-by-place.ts'
import type { Result } from './results.ts'
import { settleChanges } from '../reports/settle-changes.ts'
import { inTransaction, numberArray, run, textArray, type Statement } from '../statements.ts'

const apply: Statement = {
  name: 'apply-late-results',
  text: `
  update messages as message set
    previous_status = message.status, status = result.status, provider_message_id = coalesce(result.provider_message_id, message.provider_message_id),
    sent_at = case when result.status = 'sent' then now() end, failed_at = case when result.status = 'failed' then now() end,
    price = case when result.status = 'failed' then 0 else message.price end,
    reason = result.reason, code = result.code, detail = result.detail
  from unnest($5::int[], $6::message_status[], $7::text[], $8::text[], $9::text[], $10::text[])
    as result (seq, status, provider_message_id, reason, code, detail)
  where message.organization_id = $1 and message.created_on = $2 and message.campaign_id = $3 and message.leg = $4
    and message.seq = result.seq and message.status in ('unknown', 'unconfirmed') and result.status in ('sent', 'failed')
  returning 1 as count, array[message.seq] as seqs, message.campaign_id as "campaignId", message.leg, message.previous_status as previous,
    message.status, message.parts, message.price, message.billable_on as "billableOn", message.left_on as "leftOn",
    case when message.status = 'failed' then json_build_object('seqs', array[message.seq], 'reasons', array[message.reason]) end as ended`,
}

/**
 * A sender that was considered dead returns with results after another owner wrote *unknown* for them: its results are evidence
 * like any other.
 */
export async function applyLateResults(
  pool: pg.Pool,
  leg: Pick<LegKey, 'organizationId' | 'createdOn' | 'campaignId' | 'leg'>,
  results: readonly Omit<Result, 'phone'>[],
): Promise<void> {
  await inTransaction(pool, async (db) => {
    const changes = await run<ChangedMessages>(db, apply, [
      leg.organizationId,
      leg.createdOn,
      leg.campaignId,
      leg.leg,
      numberArray(results.map(({ seq }) => seq)),
      textArray(results.map(({ status }) => status)),
      textArray(
        results.map(({ providerMessageIds }) => (providerMessageIds.length === 1 ? providerMessageIds[0] : null)),
      ),
      textArray(results.map(({ reason }) => reason)),
      textArray(results.map(({ code }) => code)),
      textArray(results.map(({ detail }) => detail)),
    ])
    await settleChanges(db, leg.organizationId, changes)
  })
}
