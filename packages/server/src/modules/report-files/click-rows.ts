import { dayOfMessage } from '../messages/index.ts'
import { isOn, legNumber, ofChannel, variantLetter } from './message-rows.ts'
import type { Covered } from './report-entry.ts'
import { literal, isInSpan } from './report-span.ts'

/** One row for each recipient and link that they clicked. As in other reports, the day is that of the message. */
export function clicksOfRecipients({ organization: { organizationId, path, name }, span, stored }: Covered): string {
  const organization = `${literal(organizationId)}::uuid`
  const ofOne = span.campaignId === null ? '' : `and campaign.id = ${literal(span.campaignId)}::uuid`
  return `
    select ${literal(name)} as organization, null::date as day, 0 as submitted, 0 as delivered, 0 as failed,
      sent.day as sent_on, campaign.name as campaign, account.name as account, sent.channel::text as channel, ${legNumber('link.leg')} as leg,
      ${variantLetter('sent.variant')} as variant,
      link.variable, link.url as page, coalesce(sent.phone, recipient.phone) as phone, click.first_at, click.last_at, click.clicks,
      click.device
    from campaigns campaign
    join campaign_links link on link.organization_id = ${organization} and link.campaign_id = campaign.id
    join link_clicks click on click.organization_id = ${organization} and click.number = link.number
    cross join lateral (
      select ${dayOfMessage} as day, coalesce(leg.channel, campaign.channel) as channel, message.phone, leg.variant
      from messages message
      join campaign_legs leg on leg.organization_id = ${organization} and leg.campaign_id = campaign.id and leg.leg = message.leg
      where message.organization_id = ${organization} and message.campaign_id = campaign.id and message.created_on = campaign.created_on
        and ${isOn('message.created_on', stored.campaigns)} and message.seq = click.seq and leg.draft_leg = link.leg
      order by message.leg limit 1
    ) sent
    left join recipients recipient on recipient.organization_id = ${organization} and recipient.audience_id = campaign.audience_id
      and recipient.seq = click.seq
    left join accounts account on account.id = campaign.created_by
    where campaign.organization_id = ${organization} and campaign.path <@ ${literal(path)}::ltree ${ofOne}
      and ${isOn('campaign.created_on', stored.campaigns)}
      and ${isInSpan(span, 'sent.day')} ${ofChannel(span, 'sent.channel')}
    order by campaign.created_at, campaign.id, click.seq, link.number`
}
