import type { CampaignRange } from './message-rows.ts'
import { literal, type CoveredOrganization, type ReportSpan } from './report-span.ts'
import type { Covered, Query } from './report-entry.ts'
import { reportEntries, type Piece } from './report-types.ts'

/** Recipients that one statement reads. */
const rangeSize = 50_000
/** A message leaves at most so many days after the day of its partition: scheduled messages and their retries. */
const latestDays = 92

function moveDay(day: string, by: number): string {
  return new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10)
}

/** The statements that make up an organisation's part of a report, in their order. */
export async function planPieces(query: Query, part: Part): Promise<Piece[]> {
  const entry = reportEntries[part.span.type]
  const sent = await listCampaigns(query, part)
  // Partitions are named by days of the database's clock, which differs from an organisation's by a day at most.
  const stored = {
    campaigns: [...new Set(sent.map(({ createdOn }) => createdOn))],
    first: moveDay(part.span.from, -latestDays),
    last: moveDay(part.span.to, 1),
  }
  const seen = entry.rows === 'groups' && entry.readSeen ? await entry.readSeen(query, part) : 'true'
  const covered = { ...part, stored, seen }
  if (entry.rows === 'groups') return [{ ...covered, groups: true }]
  const days = entry.includesSingles && part.span.campaignId === null ? await listDaysOfSingles(query, covered) : []
  return [
    ...sent.flatMap(rangesOf).map((range) => ({ ...covered, range })),
    ...days.map((singlesOn) => ({ ...covered, singlesOn })),
  ]
}

type Part = { organization: CoveredOrganization; span: ReportSpan }
type Sent = Pick<CampaignRange, 'createdOn' | 'audienceId' | 'hasLinks'> & { id: string; total: number }

/** Campaigns that were sent at some time of the span. A completed one sends nothing more. */
async function listCampaigns(
  query: Query,
  { organization: { organizationId, path, timezone }, span }: Part,
): Promise<Sent[]> {
  const ofOne = span.campaignId === null ? '' : `and id = ${literal(span.campaignId)}::uuid`
  return query<Sent>(`
    select id, created_on as "createdOn", audience_id as "audienceId",
      greatest(total, (select audience.accepted from audiences audience
        where audience.organization_id = campaign.organization_id and audience.id = campaign.audience_id)) as total,
      exists (select from campaign_links link where link.organization_id = campaign.organization_id and link.campaign_id = campaign.id) as "hasLinks"
    from campaigns campaign
    where organization_id = ${literal(organizationId)}::uuid and path <@ ${literal(path)}::ltree and created_on is not null
      and created_on <= ${literal(span.to)}::date + 1
      and (completed_at is null or completed_at >= day_start(${literal(span.from)}::date - 1, ${literal(timezone)})) ${ofOne}
    order by created_at, id`)
}

function rangesOf({ id: campaignId, total, ...sent }: Sent): CampaignRange[] {
  return Array.from({ length: Math.ceil(total / rangeSize) }, (_, index) => ({
    campaignId,
    ...sent,
    lo: index * rangeSize,
    hi: (index + 1) * rangeSize,
  }))
}

async function listDaysOfSingles(query: Query, { organization, stored }: Covered): Promise<string[]> {
  const days = await query<{ day: string }>(`
    select day::date as day from generate_series(${literal(stored.first)}::date, ${literal(stored.last)}::date, '1 day') as day
    where exists (select from single_sends
      where organization_id = ${literal(organization.organizationId)}::uuid and created_on = day::date)
    order by day`)
  return days.map(({ day }) => day)
}
