import { daysOfIds, recentDays } from '../../../db/partition-days.ts'
import { run, numberArray, textArray, type Queryable, type Statement } from '../statements.ts'
import { replyDays } from './reply-days.ts'

/** What conversations that were just opened cost their payer. */
export type ConversationCharge = {
  id: string
  balance: string
  channel: string
  category: string
  country: string
  /** Of one conversation, and of all, in ledger units. */
  price: number
  units: number
}

type Question = {
  /** The waiting replies to compare with deliveries. */
  replies: string
  /** The campaigns and the single sends whose messages may have been delivered. */
  campaigns: string
  singles: string
  /** The days of the single sends. */
  days: string
}

const day = `interval '24 hours'`

/** Whether a conversation with the person of a reply began less than a day before or after it. */
const isCovered = (conversations: string) => `exists (
    select from ${conversations} open
    where open.sender_id = reply.sender_id and open.phone = reply.phone
      and open.began_at > reply.replied_at - ${day} and open.began_at < reply.replied_at + ${day})`

type Key = Record<'createdOn' | 'id' | 'seq' | 'leg', string>

/** The offsets keep the planner from reading all messages of a campaign, or all campaigns, for each reply. */
const deliveredAt = ({ createdOn, id, seq, leg }: Key) => `
          select least(delivered_at, read_at) as at from messages
          where organization_id = $1 and created_on = ${createdOn} and campaign_id = ${id} and seq = ${seq} and leg = ${leg}
            and status in ('delivered', 'read')
          offset 0`

/**
 * Opens a conversation for each waiting reply to which a message was delivered within a day before or after. It begins with the
 * second of the two. Where another process opens it at the same time, the exclusion constraint lets one of them through.
 * Messages have no index on the number, so campaigns are searched by their audiences.
 */
function openConversations({ replies, campaigns, singles, days }: Question): string {
  return `
  with reply as materialized (
    select reply.* from waiting_replies reply
    where reply.organization_id = $1 and ${replies}
  ), sent as materialized (
    select campaign.id, campaign.created_on, campaign.audience_id, campaign.created_by as account_id, leg.leg, leg.sender_id
    from campaigns campaign
    cross join lateral (
      select leg, sender_id from campaign_legs
      where organization_id = $1 and campaign_id = campaign.id and sender_id in (select sender_id from reply)
      offset 0
    ) leg
    where campaign.organization_id = $1 and ${campaigns}
  ), met as (
    select reply.sender_id, reply.phone, reply.country, message.began_at, message.account_id
    from reply
    cross join lateral (
      select greatest(reply.replied_at, delivered.at) as began_at, delivered.account_id
      from (
        select sent.account_id, message.at
        from sent
        cross join lateral (
          select seq from recipients
          where organization_id = $1 and audience_id = sent.audience_id and phone = reply.phone
          offset 0
        ) recipient
        cross join lateral (${deliveredAt({ createdOn: 'sent.created_on', id: 'sent.id', seq: 'recipient.seq', leg: 'sent.leg' })}) message
        where sent.sender_id = reply.sender_id
        union all
        select single.account_id, message.at
        from single_sends single
        cross join lateral (${deliveredAt({ createdOn: 'single.created_on', id: 'single.id', seq: '0', leg: '0' })}) message
        where single.organization_id = $1 and single.sender_id = reply.sender_id and single.phone = reply.phone and ${singles}
          and single.created_on = any(${days}::date[])
      ) delivered
      where delivered.at > reply.replied_at - ${day} and delivered.at < reply.replied_at + ${day}
      order by 1, delivered.at desc
      limit 1
    ) message
    where not ${isCovered('(select * from charged_conversations where organization_id = $1)')}
  ), opened as (
    insert into charged_conversations (organization_id, sender_id, phone, began_at, charge_id, account_id, country)
    select $1, sender_id, phone, began_at, first_value(gen_random_uuid()) over (partition by sender_id, account_id, country),
      account_id, country
    from (select distinct on (sender_id, phone, began_at) * from met order by sender_id, phone, began_at) first
    order by sender_id, phone, began_at
    on conflict do nothing
    returning *
  ), settled as (
    delete from waiting_replies waiting using reply
    where waiting.organization_id = $1 and waiting.sender_id = reply.sender_id and waiting.phone = reply.phone
      and waiting.replied_at = reply.replied_at
      and (${isCovered('opened')} or ${isCovered('(select * from charged_conversations where organization_id = $1)')})
  ), charged as (
    insert into conversation_charges (organization_id, id, sender_id, account_id, channel, category, country, price, conversations)
    select $1, charge.id, charge.sender_id, charge.account_id, sender.channel, sender.conversation_category, charge.country,
      coalesce(rate.price, 0), charge.conversations
    from (
      select charge_id as id, sender_id, account_id, country, count(*) as conversations from opened
      group by charge_id, sender_id, account_id, country
    ) charge
    join senders sender on sender.organization_id = $1 and sender.id = charge.sender_id
    left join lateral find_rate($1, sender.channel::text, sender.conversation_category, charge.country) rate on true
    returning *
  ), counted as (
    insert into counter_deltas (organization_id, leg, account_id, channel, cost)
    select $1, 0, account_id, channel, price * conversations from charged where price > 0
  )
  select charged.id, channel, category, country, price, price * conversations as units,
    coalesce(paying_balance($1, account_id), ledger_account_of($1, $1, 'balance')) as balance
  from charged where price > 0
  order by balance, charged.id`
}

/** A message may be delivered for so long after its campaign ended: the phone was offline. */
const lateDays = 31
const lateFor = `interval '${lateDays} days'`

const openWithPeople: Statement = {
  name: 'open-conversations-with-people',
  text: openConversations({
    replies: 'reply.sender_id = $2 and reply.phone = any($3::bigint[])',
    campaigns: `campaign.started_at is not null and coalesce(campaign.completed_at, 'infinity') > (select min(replied_at) from reply) - ${lateFor}`,
    singles: `single.created_at > reply.replied_at - ${lateFor}`,
    days: '$4',
  }),
}

const openForCampaigns: Statement = {
  name: 'open-conversations-for-campaigns',
  text: openConversations({
    replies: `reply.sender_id in (
      select sender_id from campaign_legs where organization_id = $1 and campaign_id = any($2::uuid[])
      union all select sender_id from single_sends where organization_id = $1 and id = any($2::uuid[]) and created_on = any($3::date[]))`,
    campaigns: 'campaign.id = any($2::uuid[])',
    singles: 'single.id = any($2::uuid[])',
    days: '$3',
  }),
}

/** For the waiting replies of these people to a sender. */
export function openConversationsWith(
  db: Queryable,
  { organizationId, senderId }: { organizationId: string; senderId: string },
  phones: readonly number[],
): Promise<ConversationCharge[]> {
  const days = recentDays(lateDays + replyDays)
  return run(db, openWithPeople, [organizationId, senderId, numberArray(phones), textArray(days)])
}

/** For waiting replies to messages of these campaigns and single sends, some of which were just delivered. */
export function openConversationsFor(
  db: Queryable,
  organizationId: string,
  campaignIds: readonly string[],
): Promise<ConversationCharge[]> {
  const days = daysOfIds(campaignIds)
  return run(db, openForCampaigns, [organizationId, textArray(campaignIds), textArray(days)])
}
