import { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { figuresOfCampaigns, sumFigures } from '../figure-rows.ts'
import { channelLabel, count, money, percent, text, type ReportColumn } from '../report-columns.ts'
import type { Covered, ReportEntry } from '../report-entry.ts'
import { isInSpan, literal } from '../report-span.ts'

const withReceipts = Channel.options
  .filter((channel) => channelTraits[channel].hasReadReceipts)
  .map(literal)
  .join(', ')
/** Null on channels that do not report it. */
const read = `case when channel in (${withReceipts}) then read end`

const costPerReply: ReportColumn = {
  key: 'costPerReply',
  title: 'Cost per reply (₹)',
  unit: 'rupees',
  value: 'trim_scale(round(cost / nullif(replied, 0) / 10000.0, 4))',
}

/** Messages of campaigns by template. They count on the day on which they left; clicks and replies on the first day of the leg. */
export const templatePerformance: ReportEntry = {
  rows: 'groups',
  columns: () => [
    text('organization', 'Organization', 'organization'),
    text('template', 'Template', 'template'),
    text('language', 'Language', 'language'),
    text('category', 'Category', 'category'),
    text('channel', 'Channel', channelLabel),
    count('messages', 'Messages'),
    count('sent', 'Sent', 'submitted'),
    count('delivered', 'Delivered'),
    count('read', 'Read', read),
    count('clicked', 'Clicked'),
    count('replied', 'Replied'),
    count('failed', 'Failed'),
    percent('deliveryRate', 'Delivered', { part: 'delivered', whole: 'submitted' }),
    percent('readRate', 'Read', { part: read, whole: 'submitted' }),
    percent('clickRate', 'Clicked', { part: 'clicked', whole: 'submitted' }),
    percent('replyRate', 'Replied', { part: 'replied', whole: 'submitted' }),
    ...money,
    costPerReply,
  ],
  source: templateRows,
}

function templateRows({ organization, span }: Covered): string {
  const id = `${literal(organization.organizationId)}::uuid`
  return `
    with figures as (${figuresOfCampaigns(
      organization,
      span,
      `leg.leg, leg.draft_leg, leg.template_id,
      leg.content #>> '{template,name}' as own_name, leg.content #>> '{template,language}' as own_language`,
    )}
    ), leg as (
      select distinct campaign_id, leg, template_id, own_name, own_language, channel from figures
    ), sent as (
      select campaign_id, leg, day from leg_days where organization_id = ${id}
      union all
      select delta.campaign_id, delta.leg, coalesce(delta.left_on, own.created_on) from counter_deltas delta
      join campaigns own on own.organization_id = ${id} and own.id = delta.campaign_id
      where delta.organization_id = ${id} and delta.submitted > 0
    ), first as (
      select sent.campaign_id, sent.leg, own.draft_leg, min(sent.day) as day,
        row_number() over (partition by sent.campaign_id, own.draft_leg order by min(sent.day), sent.leg) as place
      from sent join campaign_legs own on own.organization_id = ${id} and own.campaign_id = sent.campaign_id and own.leg = sent.leg
      where sent.campaign_id in (select campaign_id from leg)
      group by sent.campaign_id, sent.leg, own.draft_leg
    ), reaction as (
      select leg.*, ${replied(id)} as replied, case when first.place = 1 then ${clicked(id)} else 0 end as clicked
      from leg join first using (campaign_id, leg) where ${isInSpan(span, 'first.day')}
    ), used as (
      select template_id, own_name, own_language, channel, ${counted}, 0 as replied, 0 as clicked from figures
      union all
      select template_id, own_name, own_language, channel, ${counted.replaceAll(/\w+/g, '0')}, replied, clicked from reaction
    )
    select ${literal(organization.name)} as organization, null::date as day, coalesce(own_name, template.name) as template,
      coalesce(own_language, template.language) as language, min(template.category) as category, used.channel, ${sumFigures},
      sum(replied) as replied, sum(clicked) as clicked
    from used
    left join templates template on template.organization_id = ${id} and template.id = used.template_id
    where coalesce(own_name, template.name) is not null
    group by used.template_id, coalesce(own_name, template.name), coalesce(own_language, template.language), used.channel
    order by messages desc, template, language, channel`
}

const counted = 'messages, submitted, delivered, read, in_flight, failed, unconfirmed, skipped, parts, charged, cost'

const replied = (id: string) => `coalesce((
  select sum(replied) from (
    select campaign_id, leg, replied from counters where organization_id = ${id}
    union all
    select campaign_id, leg, replied from counter_deltas where organization_id = ${id}
  ) reply where reply.campaign_id = leg.campaign_id and reply.leg = leg.leg), 0)`

const clicked = (id: string) => `coalesce((
  select sum(link.first_people) from campaign_links link
  where link.organization_id = ${id} and link.campaign_id = leg.campaign_id and link.leg = first.draft_leg), 0)`
