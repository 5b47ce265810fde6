import { positionOfVariant } from '@carillon/contract/variant-positions'
import { dayOfMessage, isAccepted } from '../messages/index.ts'
import { literal, isInSpan, type CoveredOrganization, type ReportSpan } from './report-span.ts'

/** Recipients of a campaign, from a position in its audience to another. */
export type CampaignRange = {
  campaignId: string
  createdOn: string
  audienceId: string | null
  hasLinks: boolean
  lo: number
  hi: number
}

const accepted = isAccepted('message')
const net = 'charge_of(message.status, message.price, message.billable_on)'

/** What became of a message, of any source. */
const fate = `${dayOfMessage} as day, message.status, message.reason, message.code, ${accepted} as accepted,
  case when ${accepted} then message.parts else 0 end as parts, ${net} as cost,
  case when ${accepted} then greatest(message.price, ${net}) else ${net} end as charged`

const times = `message.sent_at, message.delivered_at, message.read_at, message.failed_at`

/** Which message of its recipient it is; the variants of a test are all first messages. */
export const legNumber = (position: string) =>
  `case when ${position} < ${positionOfVariant(1)} then ${position} + 1 else 1 end`

/** Null for campaigns without a test. */
export const variantLetter = (variant: string) => `substr('ABCD', ${variant} + 1, 1)`

/** The messages of a range of a campaign, with names. */
export function rowsOfCampaign(
  { organizationId, path, name }: CoveredOrganization,
  span: ReportSpan,
  { campaignId, createdOn, audienceId, hasLinks, lo, hi }: CampaignRange,
): string {
  const isInRange = (seq: string) => `${seq} >= ${lo} and ${seq} < ${hi}`
  const organization = `${literal(organizationId)}::uuid`
  return `
    select ${literal(name)} as organization, 'Campaign' as source, campaign.name as campaign, account.name as account,
      coalesce(leg.channel, campaign.channel)::text as channel, coalesce(leg.content ->> 'header', sender.name) as sender,
      coalesce(leg.content #>> '{template,name}', template.name) as template, coalesce(message.phone, recipient.phone) as phone,
      ${legNumber('coalesce(leg.draft_leg, message.leg)')} as leg, ${variantLetter('leg.variant')} as variant, null::text as reference, recipient.variables, message.seq as place,
      message.leg as attempt, ${fate}, ${times},
      ${hasLinks ? firstClickOf(organization, campaignId) : 'null::timestamptz'} as clicked_at
    from messages message
    join campaigns campaign on campaign.organization_id = ${organization} and campaign.id = ${literal(campaignId)}::uuid
    left join campaign_legs leg on leg.organization_id = ${organization} and leg.campaign_id = campaign.id and leg.leg = message.leg
    left join senders sender on sender.organization_id = ${organization} and sender.id = message.sender_id
    left join templates template on template.organization_id = ${organization} and template.id = leg.template_id
    left join accounts account on account.id = campaign.created_by
    left join recipients recipient on recipient.organization_id = ${organization}
      and recipient.audience_id = ${audienceId === null ? 'null' : literal(audienceId)}::uuid
      and recipient.seq = message.seq and ${isInRange('recipient.seq')}
    where message.organization_id = ${organization} and message.campaign_id = ${literal(campaignId)}::uuid
      and message.created_on = ${literal(createdOn)}::date and ${isInRange('message.seq')} and ${isInSpan(span, dayOfMessage)}
      and campaign.path <@ ${literal(path)}::ltree ${ofChannel(span, 'coalesce(leg.channel, campaign.channel)')}`
}

/** When the recipient of `message` first clicked a link of it. */
function firstClickOf(organization: string, campaignId: string): string {
  return `(
    select min(click.first_at) from campaign_links link
    join link_clicks click on click.organization_id = ${organization} and click.number = link.number and click.seq = message.seq
    where link.organization_id = ${organization} and link.campaign_id = ${literal(campaignId)}::uuid
      and link.leg = coalesce(leg.draft_leg, message.leg))`
}

/** The single messages that were accepted on a day, with names. */
export function rowsOfSingles(
  { organizationId, path, name }: CoveredOrganization,
  span: ReportSpan,
  createdOn: string,
): string {
  const organization = `${literal(organizationId)}::uuid`
  return `
    select ${literal(name)} as organization, ${sourceOfSingle} as source, null::text as campaign, account.name as account,
      sender.channel::text as channel, coalesce(nullif(single.header, ''), sender.name) as sender, null::text as template,
      coalesce(message.phone, single.phone) as phone, coalesce(later.leg, 0) + 1 as leg, null::text as variant, single.reference,
      null::text[] as variables, extract(epoch from single.created_at) as place, 0 as attempt, ${fate}, ${times}, null::timestamptz as clicked_at
    ${joinSingles(organization)}
    left join accounts account on account.id = single.account_id
    left join single_legs later on later.organization_id = ${organization} and later.sent_as = single.id
    where single.organization_id = ${organization} and single.created_on = ${literal(createdOn)}::date
      and message.created_on = ${literal(createdOn)}::date and ${isInSpan(span, dayOfMessage)}
      and single.path <@ ${literal(path)}::ltree ${ofChannel(span, 'sender.channel')}`
}

const sourceOfSingle = `case single.kind when 'api' then 'API' when 'reply' then 'Chat' else 'Test' end`

const joinSingles = (organization: string) => `
    from single_sends single
    join messages message on message.organization_id = ${organization} and message.campaign_id = single.id
      and message.created_on = single.created_on and message.seq = 0 and message.leg = 0
    join senders sender on sender.organization_id = ${organization} and sender.id = single.sender_id`

/** Days of the partitions that may hold messages of the span. */
export type StoredDays = {
  /** On which the span's campaigns were planned. */
  campaigns: readonly string[]
  /** The first and the last on which single messages may have been accepted. */
  first: string
  last: string
}

export const isOn = (column: string, days: readonly string[]) =>
  days.length === 0 ? 'false' : `${column} in (${days.map((each) => `${literal(each)}::date`).join(', ')})`

/** All messages of campaigns in the span, for groups by reason. */
export function countedOfCampaigns(
  { organizationId, path }: CoveredOrganization,
  span: ReportSpan,
  stored: StoredDays,
): string {
  const organization = `${literal(organizationId)}::uuid`
  const ofOne = span.campaignId === null ? '' : `and campaign.id = ${literal(span.campaignId)}::uuid`
  return `
    select campaign.id as campaign_id, campaign.created_by as account_id, coalesce(leg.channel, campaign.channel)::text as channel,
      ${fate}
    from campaigns campaign
    join messages message on message.organization_id = ${organization} and message.campaign_id = campaign.id
      and message.created_on = campaign.created_on and ${isOn('message.created_on', stored.campaigns)}
    left join campaign_legs leg on leg.organization_id = ${organization} and leg.campaign_id = campaign.id and leg.leg = message.leg
    where campaign.organization_id = ${organization} and ${isInSpan(span, dayOfMessage)} ${ofOne}
      and campaign.path <@ ${literal(path)}::ltree ${ofChannel(span, 'coalesce(leg.channel, campaign.channel)')}`
}

/** All single messages of the span; none belongs to the report of one campaign. */
export function countedOfSingles(
  { organizationId, path }: CoveredOrganization,
  span: ReportSpan,
  { first, last }: StoredDays,
): string {
  const organization = `${literal(organizationId)}::uuid`
  return `
    select null::uuid as campaign_id, single.account_id, sender.channel::text as channel, ${fate}
    ${joinSingles(organization)}
    where single.organization_id = ${organization} and ${isInSpan(span, dayOfMessage)}
      and single.created_on between ${literal(first)}::date and ${literal(last)}::date
      and message.created_on between ${literal(first)}::date and ${literal(last)}::date
      and single.path <@ ${literal(path)}::ltree ${ofChannel(span, 'sender.channel')}`
}

/** Conversations that were charged in the span. */
export function chargedConversations(
  { organizationId, path, timezone }: CoveredOrganization,
  span: ReportSpan,
): string {
  const organization = `${literal(organizationId)}::uuid`
  const zone = literal(timezone)
  return `
    select charge.account_id, charge.channel::text, charge.category, nullif(charge.country, '*'), charge.conversations,
      charge.price * charge.conversations
    from conversation_charges charge
    join accounts account on account.id = charge.account_id
    where charge.organization_id = ${organization} and account.path <@ ${literal(path)}::ltree
      and charge.at >= day_start(${literal(span.from)}::date, ${zone})
      and charge.at < day_start(${literal(span.to)}::date + 1, ${zone}) ${ofChannel(span, 'charge.channel')}`
}

export function ofChannel({ channel }: ReportSpan, column: string): string {
  return channel === 'all' ? '' : `and ${column} = ${literal(channel)}::channel`
}
