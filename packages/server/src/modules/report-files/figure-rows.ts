import { reportColumns } from '../messages/index.ts'
import { literal, isInSpan, type CoveredOrganization, type ReportSpan } from './report-span.ts'
import { ofChannel } from './message-rows.ts'

const columns = reportColumns.map((name) => `figures.${name}`).join(', ')

/** Figures as reports name them. Messages that were read were delivered. */
const figures = `figures.sent + figures.delivered + figures.read + figures.failed + figures.skipped + figures.unknown + figures.unconfirmed as messages,
  figures.submitted, figures.delivered + figures.read as delivered, figures.read, figures.sent as in_flight, figures.failed,
  figures.unknown + figures.unconfirmed as unconfirmed, figures.skipped, figures.parts, figures.cost as charged,
  figures.cost - figures.refunded as cost`

/** The columns of `figures`, added up. */
export const sumFigures = [
  'messages',
  'submitted',
  'delivered',
  'read',
  'in_flight',
  'failed',
  'unconfirmed',
  'skipped',
  'parts',
  'charged',
  'cost',
]
  .map((name) => `sum(${name}) as ${name}`)
  .join(', ')

/** Figures of campaigns in the span by leg and day, including what is not folded yet. They stay when their messages are deleted. */
export function figuresOfCampaigns(
  { organizationId, path }: CoveredOrganization,
  span: ReportSpan,
  /** Further columns, such as of `leg`. */
  further?: string,
): string {
  const organization = `${literal(organizationId)}::uuid`
  const ofOne = span.campaignId === null ? '' : `and campaign.id = ${literal(span.campaignId)}::uuid`
  return `
    select campaign.id as campaign_id, campaign.created_by as account_id, coalesce(leg.channel, campaign.channel)::text as channel,
      coalesce(leg.category, leg.content ->> 'category', leg.content #>> '{template,category}') as category,
      nullif(coalesce(leg.country, audience.default_country), '*') as country, figures.day, ${figures}${further ? `, ${further}` : ''}
    from (
      select campaign_id, leg, day, ${columns} from leg_days figures
      where organization_id = ${organization} and ${isInSpan(span, 'day')}
      union all
      select figures.campaign_id, figures.leg, coalesce(figures.left_on, own.created_on), ${columns} from counter_deltas figures
      join campaigns own on own.organization_id = ${organization} and own.id = figures.campaign_id
      where figures.organization_id = ${organization} and ${isInSpan(span, 'coalesce(figures.left_on, own.created_on)')}
    ) figures
    join campaigns campaign on campaign.organization_id = ${organization} and campaign.id = figures.campaign_id
    left join campaign_legs leg on leg.organization_id = ${organization} and leg.campaign_id = campaign.id and leg.leg = figures.leg
    left join audiences audience on audience.organization_id = ${organization} and audience.id = campaign.audience_id
    where campaign.path <@ ${literal(path)}::ltree ${ofOne} ${ofChannel(span, 'coalesce(leg.channel, campaign.channel)')}`
}

/** The same of single messages; none belongs to the report of one campaign. */
export function figuresOfSingles({ organizationId, path }: CoveredOrganization, span: ReportSpan): string {
  const organization = `${literal(organizationId)}::uuid`
  return `
    select null::uuid as campaign_id, figures.account_id, figures.channel::text, nullif(figures.category, '') as category,
      nullif(figures.country, '') as country, figures.day, ${figures}
    from (
      select account_id, channel, category, country, day, ${columns} from single_days figures
      where organization_id = ${organization} and ${isInSpan(span, 'day')}
      union all
      select account_id, channel, category, country, coalesce(left_on, created_on), ${columns} from counter_deltas figures
      where organization_id = ${organization} and created_on is not null and ${isInSpan(span, 'coalesce(left_on, created_on)')}
    ) figures
    join accounts account on account.organization_id = ${organization} and account.id = figures.account_id
    where account.path <@ ${literal(path)}::ltree ${ofChannel(span, 'figures.channel')}`
}
