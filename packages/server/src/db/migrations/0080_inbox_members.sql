-- Members of the inbox.

-- Members who have a module, as `effective_modules` says. Tenants ask about accounts of their organizations only.
create or replace function accounts_with_module(ids uuid[], wanted text) returns setof uuid
language sql stable security definer set search_path = public
begin atomic
  with holders as materialized (
    select account.id, holder.organization_id, holder.id as holder_id
    from accounts account
    cross join generate_series(1, nlevel(account.path)) as level
    join accounts holder on holder.path = subpath(account.path, 0, level) and holder.role not in ('admin', 'reseller')
    where account.id = any(ids) and account.role not in ('admin', 'reseller')
      and (app_scope() is null or app_reaches(account.organization_id))
  )
  select holders.id from holders
  left join account_modules held on held.organization_id = holders.organization_id and held.account_id = holders.holder_id and held.module = wanted
  group by holders.id having bool_and(held.module is not null);
end;
grant execute on function accounts_with_module to carillon_app;

-- The availability that an agent had when the server set them offline, because no browser of theirs was connected. They return to
-- it with their browser. Null if they are not offline, or chose to be.
alter table live_agents add column returns_to text check (returns_to in ('online', 'busy', 'away'));

-- Agents who closed their browsers are offline since they were last seen.
create or replace function end_absences(absent interval) returns table (organization_id uuid, account_id uuid) language sql as $$
  with gone as (
    select organization_id, account_id, greatest(last_seen_at, available_since + interval '1 second') as since from live_agents
    where goes_offline and availability <> 'offline' and greatest(last_seen_at, available_since) < clock_timestamp() - absent
    order by organization_id, account_id for update skip locked
  ), closed as (
    update live_agent_spans span set ended_at = gone.since from gone
    where span.organization_id = gone.organization_id and span.account_id = gone.account_id and span.ended_at is null
  ), opened as (
    insert into live_agent_spans (organization_id, account_id, availability, began_at)
    select organization_id, account_id, 'offline', since from gone
  )
  update live_agents agent set returns_to = agent.availability, availability = 'offline', available_since = gone.since from gone
  where agent.organization_id = gone.organization_id and agent.account_id = gone.account_id
  returning agent.organization_id, agent.account_id;
$$;

-- Whether an assignee has opened a conversation since it was assigned.
create index on agent_facts (organization_id, conversation_id, account_id, at) where kind = 'opened';

-- Messages of campaigns by the provider's ids, as people refer to them.
create function campaign_messages_by_provider(organizations uuid[], lines uuid[], provider_ids text[])
returns table (organization_id uuid, sender_id uuid, phone bigint, campaign_id uuid, name text, channel channel, content jsonb, columns text[],
  variables text[], status message_status, reason text, code text, parts smallint, cost bigint, sent_at timestamptz,
  delivered_at timestamptz, failed_at timestamptz, provider_message_id text, at timestamptz)
language sql stable security definer set search_path = public as $$
  select message.organization_id, message.sender_id, message.phone, campaign.id, campaign.name, leg.channel, leg.content, audience.columns,
    recipient.variables, message.status, message.reason, message.code, message.parts,
    charge_of(message.status, message.price, message.billable_on), message.sent_at, message.delivered_at, message.failed_at,
    message.provider_message_id, coalesce(message.sent_at, message.failed_at, message.unknown_at, campaign.started_at)
  from unnest(organizations, lines, provider_ids) as asked (organization_id, sender_id, provider_message_id)
  join messages message on message.organization_id = asked.organization_id and message.sender_id = asked.sender_id
    and message.provider_message_id = asked.provider_message_id
  join campaigns campaign on campaign.organization_id = message.organization_id and campaign.id = message.campaign_id
  join campaign_legs leg on leg.organization_id = message.organization_id and leg.campaign_id = message.campaign_id and leg.leg = message.leg
  join audiences audience on audience.organization_id = campaign.organization_id and audience.id = campaign.audience_id
  join recipients recipient on recipient.organization_id = campaign.organization_id and recipient.audience_id = campaign.audience_id
    and recipient.seq = message.seq
  where app_reaches(asked.organization_id);
$$;
revoke all on function campaign_messages_by_provider from public;
grant execute on function campaign_messages_by_provider to carillon_app, carillon_system;
