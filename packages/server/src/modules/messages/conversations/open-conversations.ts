import type { Statement } from '../statements.ts'
import { run, numberArray, textArray, type Queryable } from '../statements.ts'

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
}

const day = `interval '24 hours'`

/** Whether a conversation with the person of a reply began less than a day before or after it. */
const isCovered = (conversations: string) => `exists (
    select from ${conversations} open
    where open.sender_id = reply.sender_id and open.phone = reply.phone
      and open.began_at > reply.replied_at - ${day} and open.began_at < reply.replied_at + ${day})`

/**
 * Opens a conversation for each waiting reply to which a message was delivered within a day before or after. It begins with the
 * second of the two. Where another process opens it at the same time, the exclusion constraint lets one of them through.
 * Messages have no index on the number, so campaigns are searched by their audiences.
 */
function openConversations({ replies, campaigns, singles }: Question): string {
  return `
  with reply as materialized (
    select reply.* from waiting_replies reply
    where reply.organization_id = $1 and ${replies}
  ), met as (
    select reply.sender_id, reply.phone, reply.country, message.began_at, message.account_id
    from reply
    cross join lateral (
      select greatest(reply.replied_at, delivered.at) as began_at, delivered.account_id
      from (
        select campaign.created_by as account_id, least(message.delivered_at, message.read_at) as at
        from campaigns campaign
        join campaign_legs leg on leg.organization_id = $1 and leg.campaign_id = campaign.id and leg.sender_id = reply.sender_id
        join recipients recipient on recipient.organization_id = $1 and recipient.audience_id = campaign.audience_id
          and recipient.phone = reply.phone
        join messages message on message.organization_id = $1 and message.created_on = campaign.created_on
          and message.campaign_id = campaign.id and message.seq = recipient.seq and message.leg = leg.leg
          and message.status in ('delivered', 'read')
        where campaign.organization_id = $1 and ${campaigns}
        union all
        select single.account_id, least(message.delivered_at, message.read_at)
        from single_sends single
        join messages message on message.organization_id = $1 and message.created_on = single.created_on
          and message.campaign_id = single.id and message.seq = 0 and message.leg = 0 and message.status in ('delivered', 'read')
        where single.organization_id = $1 and single.sender_id = reply.sender_id and single.phone = reply.phone and ${singles}
      ) delivered
      where delivered.at > reply.replied_at - ${day} and delivered.at < reply.replied_at + ${day}
      order by 1, delivered.at desc
      limit 1
    ) message
    where not ${isCovered('(select * from conversations where organization_id = $1)')}
  ), opened as (
    insert into conversations (organization_id, sender_id, phone, began_at, charge_id, account_id, country)
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
      and (${isCovered('opened')} or ${isCovered('(select * from conversations where organization_id = $1)')})
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
const lateFor = `interval '31 days'`

const openWithPeople: Statement = {
  name: 'open-conversations-with-people',
  text: openConversations({
    replies: 'reply.sender_id = $2 and reply.phone = any($3::bigint[])',
    campaigns: `campaign.started_at is not null and coalesce(campaign.completed_at, 'infinity') > reply.replied_at - ${lateFor}`,
    singles: `single.created_at > reply.replied_at - ${lateFor}`,
  }),
}

const openForCampaigns: Statement = {
  name: 'open-conversations-for-campaigns',
  text: openConversations({
    replies: `reply.sender_id in (
      select sender_id from campaign_legs where organization_id = $1 and campaign_id = any($2::uuid[])
      union all select sender_id from single_sends where organization_id = $1 and id = any($2::uuid[]))`,
    campaigns: 'campaign.id = any($2::uuid[])',
    singles: 'single.id = any($2::uuid[])',
  }),
}

/** For the waiting replies of these people to a sender. */
export function openConversationsWith(
  db: Queryable,
  { organizationId, senderId }: { organizationId: string; senderId: string },
  phones: readonly number[],
): Promise<ConversationCharge[]> {
  return run(db, openWithPeople, [organizationId, senderId, numberArray(phones)])
}

/** For waiting replies to messages of these campaigns and single sends, some of which were just delivered. */
export function openConversationsFor(
  db: Queryable,
  organizationId: string,
  campaignIds: readonly string[],
): Promise<ConversationCharge[]> {
  return run(db, openForCampaigns, [organizationId, textArray(campaignIds)])
}
