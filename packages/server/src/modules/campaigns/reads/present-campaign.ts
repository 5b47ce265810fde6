import { PauseReason, type Campaign, type CampaignStats } from '@carillon/contract/campaign-records'
import type { NamedCampaign } from './list-campaigns.ts'
import type { CampaignProgress } from './numbers.ts'
import { describePause } from '../lifecycle/format-pause.ts'

export const emptyStats: CampaignStats = {
  total: 0,
  queued: 0,
  submitted: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  skipped: 0,
  unknown: 0,
  unconfirmed: 0,
  cancelled: 0,
  replied: 0,
  clicked: 0,
  parts: 0,
  cost: 0,
  refunded: 0,
}

export function presentCampaign(
  row: NamedCampaign,
  { stats, failover }: CampaignProgress = { stats: emptyStats },
): Campaign {
  return {
    _id: row.id,
    campaignName: row.name,
    channel: row.channel,
    status: row.status,
    ...(row.pause_reason === null ? {} : { pauseReason: PauseReason.parse(row.pause_reason) }),
    abPhase: row.ab_phase ?? 'none',
    ...presentDetail(row),
    ...presentNames(row),
    audienceId: row.audience_id,
    isTest: row.is_test,
    timezone: row.timezone,
    createdAt: row.created_at.toISOString(),
    startAt: presentInstant(row.schedule_at),
    startedAt: presentInstant(row.started_at),
    completedAt: presentInstant(row.completed_at),
    stats,
    percent: percentOf(stats),
    ...presentWaiting(failover),
  }
}

function presentDetail({
  status_detail: detail,
  pause_reason: reason,
  channel,
}: NamedCampaign): Pick<Campaign, 'statusDetail'> {
  const statusDetail = detail ?? describePause(reason, channel)
  return statusDetail === undefined ? {} : { statusDetail }
}

function presentWaiting(failover: CampaignProgress['failover']): Pick<Campaign, 'waiting'> {
  if (!failover?.waiting) return {}
  const { people, from, until } = failover.waiting
  return { waiting: { people, from: from.toISOString(), until: until.toISOString() } }
}

/** Undefined if the draft has not chosen one. */
function presentNames(row: NamedCampaign) {
  return {
    senderId: row.sender_id,
    accountName: row.account_name ?? '',
    templateId: row.template_id,
    templateName: row.template_name ?? '',
    header: row.header ?? '',
    category: row.category,
    fileName: row.file_name ?? '',
    createdBy: row.creator ?? '',
  }
}

function presentInstant(instant: Date | null): string | null {
  return instant === null ? null : instant.toISOString()
}

/** Share of the recipients that are no longer queued. */
export function percentOf({ total, queued }: CampaignStats): number {
  return total === 0 ? 0 : Math.round(((total - queued) / total) * 1000) / 10
}
