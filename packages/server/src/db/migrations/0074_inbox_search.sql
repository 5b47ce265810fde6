-- What members read of the inbox: threads, names, and the search in all messages.

-- Answers, reactions and taps by the message that they refer to.
create index on inbound_messages (organization_id, conversation_id, in_reply_to) where in_reply_to is not null;
create index on single_sends (organization_id, conversation_id, in_reply_to) where in_reply_to is not null;
-- What is new or changed in a thread since a snapshot.
create index on inbound_messages (organization_id, conversation_id, xid);
create index on single_sends (organization_id, conversation_id, xid);
create index on conversation_events (organization_id, conversation_id, xid);

-- All members who see a conversation read its messages, whoever sent them. Each query checks that they see it.
create policy conversation on single_sends for select to carillon_app
  using (conversation_id is not null and organization_id = app_organization());

-- The functions below run as the owner, because accounts and campaigns are visible only to those above them. They answer for
-- the organization of the caller only.

-- Of members, and of the accounts above the organization, which may impersonate them.
create function member_names(ids uuid[]) returns table (id uuid, name text)
language sql stable security definer set search_path = public as $$
  select account.id, account.name from accounts account
  where account.id = any(ids) and (account.organization_id = app_organization()
    or account.path @> (select founder.path from accounts founder where founder.id = app_organization()))
$$;

-- Campaign messages of a line to a number, newest first: those before a position (until, until_campaign), or the chosen ones.
-- Messages have no index on the number; audiences have one, so each campaign of the period is searched by its audience.
create function campaign_messages_of_line(line uuid, number bigint, since timestamptz, until timestamptz, until_campaign uuid, chosen uuid[], most int)
returns table (campaign_id uuid, name text, channel channel, content jsonb, columns text[], variables text[], status message_status,
  reason text, code text, parts smallint, cost bigint, sent_at timestamptz, delivered_at timestamptz, failed_at timestamptz,
  provider_message_id text, at timestamptz)
language sql stable security definer set search_path = public as $$
  select campaign.id, campaign.name, leg.channel, leg.content, audience.columns, recipient.variables, message.status,
    message.reason, message.code, message.parts, charge_of(message.status, message.price, message.billable_on),
    message.sent_at, message.delivered_at, message.failed_at, message.provider_message_id, place.at
  from campaigns campaign
  join audiences audience on audience.organization_id = campaign.organization_id and audience.id = campaign.audience_id
  cross join lateral (
    select seq, variables from recipients recipient
    where recipient.organization_id = campaign.organization_id and recipient.audience_id = campaign.audience_id and recipient.phone = number
    order by seq limit 1
  ) recipient
  cross join lateral (
    select sent.* from messages sent
    join campaign_legs own on own.organization_id = sent.organization_id and own.campaign_id = sent.campaign_id and own.leg = sent.leg
    where sent.organization_id = campaign.organization_id and sent.created_on = campaign.created_on and sent.campaign_id = campaign.id
      and sent.seq = recipient.seq and own.sender_id = line and sent.status not in ('queued', 'skipped', 'cancelled')
    order by sent.leg desc limit 1
  ) message
  join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id and leg.leg = message.leg
  cross join lateral (select coalesce(message.sent_at, message.failed_at, message.unknown_at, campaign.started_at) as at) place
  where campaign.organization_id = app_organization() and campaign.started_at is not null
    and coalesce(campaign.completed_at, 'infinity') >= since and campaign.started_at <= until
    and (chosen is null or campaign.id = any(chosen))
    and exists (select from campaign_legs used
      where used.organization_id = campaign.organization_id and used.campaign_id = campaign.id and used.sender_id = line)
    and place.at >= since and (place.at, campaign.id) < (until, until_campaign)
  order by place.at desc, campaign.id desc
  limit most
$$;
