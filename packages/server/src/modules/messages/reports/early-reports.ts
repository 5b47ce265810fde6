import type { FailureClass } from '@carillon/contract/campaign-records'
import type pg from 'pg'
import type { DeliveryReport } from '../../../channels/provider.ts'
import { applyReports } from './apply-reports.ts'
import { joinCountedReports } from './early-counted.ts'
import { readReceiptProfile } from './receipt-profile.ts'
import { countReports } from './report-metrics.ts'
import { inReportTransaction } from './repeated-ids.ts'
import { parkedReference, type SenderKey } from './reports.queries.ts'
import { run, type Statement } from '../statements.ts'

/** By its id; by its reference only if the response was lost, because others are found by their id, part by part. */
const isHere = (
  senders: string,
) => `early.match is null and case when early.provider_message_id like '${parkedReference}%' then exists (
    select from messages where organization_id = early.organization_id
      and campaign_id = split_part(substr(early.provider_message_id, ${parkedReference.length + 1}), '.', 1)::uuid
      and leg = split_part(early.provider_message_id, '.', 2)::smallint and seq = split_part(early.provider_message_id, '.', 3)::int
      and status in ('unknown', 'unconfirmed') and created_on between current_date - 1 and current_date
  ) else exists (
    select from messages where organization_id = early.organization_id and sender_id ${senders}
      and provider_message_id = early.provider_message_id and created_on between current_date - 1 and current_date
  ) or exists (
    select from message_parts where organization_id = early.organization_id and sender_id ${senders}
      and provider_message_id = early.provider_message_id and created_on between current_date - 1 and current_date
  ) end`

/** Senders with waiting reports whose message has been stored meanwhile. */
const findJoinable: Statement = {
  name: 'find-joinable-reports',
  text: `
  select early.organization_id as "organizationId", early.sender_id as "senderId", count(*)
  from early_reports early
  where early.received_at > now() - $1::interval and ${isHere('= early.sender_id')}
  group by early.organization_id, early.sender_id`,
}

const takeJoinable: Statement = {
  name: 'takeJoinable-joinable-reports',
  text: `
  delete from early_reports early
  where organization_id = $1 and sender_id = $2 and received_at > now() - $3::interval and ${isHere('= any($4::uuid[])')}
  returning provider_message_id, status, reason, code, detail, at`,
}

/** Senders that share reports with another sender, and have some waiting. */
const findSharing: Statement = {
  name: 'find-early-reports-of-sharing-senders',
  text: `
  select distinct early.organization_id as "organizationId", early.sender_id as "senderId"
  from early_reports early
  join senders sender on sender.organization_id = early.organization_id and sender.id = early.sender_id
  join provider_accounts account on account.organization_id = sender.organization_id and account.id = sender.provider_account_id
  where early.match is null and early.received_at > now() - $1::interval and exists (
    select from provider_accounts same where same.organization_id = account.organization_id and same.provider = account.provider
      and same.receipt_identity = account.receipt_identity and same.id <> account.id)`,
}

type EarlyReport = {
  provider_message_id: string
  status: DeliveryReport['status']
  reason: FailureClass | null
  code: string | null
  detail: string | null
  at: Date
}

/**
 * A report can arrive before the response to its submit is stored. It waits, and is matched here: each second for reports of
 * the last half minute, each minute for those of the last hours.
 */
export async function joinEarlyReports(
  pool: pg.Pool,
  { since }: { since: '30 seconds' | '6 hours' },
): Promise<{ organizationId: string; campaignIds: string[] }[]> {
  const joined: { organizationId: string; campaignIds: string[] }[] = []
  const joinable = [
    ...(await run<SenderKey>(pool, findJoinable, [since])),
    ...(await run<SenderKey>(pool, findSharing, [since])),
  ]
  for (const { organizationId, senderId } of joinable) {
    const key = { organizationId, senderId }
    const { campaignIds, counts } = await inReportTransaction(pool, async (db) => {
      const { siblings } = await readReceiptProfile(db, key)
      const rows = await run<EarlyReport>(db, takeJoinable, [organizationId, senderId, since, [senderId, ...siblings]])
      if (rows.length === 0) return { campaignIds: [], counts: {} }
      const { parked, ...applied } = await applyReports(db, key, { reports: rows.map(present), park: false })
      return { ...applied, counts: { matched: rows.length - parked, unmatched: parked } }
    })
    countReports(counts)
    if (campaignIds.length > 0) joined.push({ organizationId, campaignIds })
  }
  return [...joined, ...(await joinCountedReports(pool, { since }))]
}

function present({ provider_message_id, status, reason, code, detail, at }: EarlyReport): DeliveryReport {
  const isReference = provider_message_id.startsWith(parkedReference)
  return {
    kind: 'delivery-report',
    ...(isReference
      ? { providerMessageIds: [], reference: provider_message_id.slice(parkedReference.length) }
      : { providerMessageIds: [provider_message_id] }),
    status,
    at,
    ...(reason ? { reason } : {}),
    ...(code ? { code } : {}),
    ...(detail ? { detail } : {}),
  }
}
