-- How the messages before and after each failover stand, counted as they change, so that no progress has to join the entries of a
-- campaign with its messages.

alter table leg_entries
  -- Status of the message that the recipient moved on from, and whether its provider ever accepted it.
  add column before message_status,
  add column before_accepted boolean not null default false,
  -- The same of the message of this leg; `queued` until there is one.
  add column after message_status not null default 'queued',
  add column after_accepted boolean not null default false;

create table failover_deltas (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  before message_status not null,
  after message_status not null,
  -- Accepted by the providers of both messages.
  twice boolean not null,
  entries int not null
);

create table failover_counts (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  before message_status not null,
  after message_status not null,
  twice boolean not null,
  entries int not null,
  primary key (organization_id, campaign_id, leg, before, after, twice)
) with (fillfactor = 50);

do $$
declare
  tenant_table text;
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  foreach tenant_table in array array['failover_deltas', 'failover_counts'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %1$I to carillon_app using (%2$s) with check (%2$s)', tenant_table, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', tenant_table);
    execute format('create policy owner on %I to %I using (true) with check (true)', tenant_table, current_user);
  end loop;
end $$;

with state as (
  select entry.organization_id, entry.campaign_id, entry.leg, entry.seq, earlier.status as before,
    earlier.status in ('sent', 'delivered', 'read') or (earlier.status = 'failed' and earlier.previous_status is not null) as before_accepted,
    coalesce(later.status, 'queued') as after,
    coalesce(later.status in ('sent', 'delivered', 'read') or (later.status = 'failed' and later.previous_status is not null), false) as after_accepted
  from leg_entries entry
  join campaigns campaign on campaign.organization_id = entry.organization_id and campaign.id = entry.campaign_id
  join messages earlier on earlier.organization_id = entry.organization_id and earlier.created_on = campaign.created_on
    and earlier.campaign_id = entry.campaign_id and earlier.seq = entry.seq and earlier.leg = entry.from_leg
  left join messages later on later.organization_id = entry.organization_id and later.created_on = campaign.created_on
    and later.campaign_id = entry.campaign_id and later.seq = entry.seq and later.leg = entry.leg
), stored as (
  update leg_entries entry set before = state.before, before_accepted = state.before_accepted, after = state.after,
    after_accepted = state.after_accepted
  from state
  where entry.organization_id = state.organization_id and entry.campaign_id = state.campaign_id and entry.leg = state.leg
    and entry.seq = state.seq
)
insert into failover_counts (organization_id, campaign_id, leg, before, after, twice, entries)
select organization_id, campaign_id, leg, before, after, before_accepted and after_accepted, count(*) from state
group by 1, 2, 3, 4, 5, 6;

drop function enter_next_leg(uuid, uuid, smallint, int[], text[]);

-- Moves ended messages of a leg on: each to the first later leg that accepts its reason, is for its recipient, and is due before
-- the campaign ends. Runs in the transaction that ends them, so that no recipient is lost or messaged twice. Does nothing for a
-- campaign that is over.
create function enter_next_leg(
  organization uuid, campaign uuid, from_leg smallint, seqs int[], reasons text[], statuses message_status[], accepted boolean[]
) returns bigint
language sql as $$
  with live as materialized (
    select campaign_end(organization, campaign) as ends_at from campaigns
    where campaigns.organization_id = organization and id = campaign and status in ('queued', 'running', 'paused') for share
  ), entered as (
    insert into leg_entries (organization_id, campaign_id, leg, seq, reason, from_leg, before, before_accepted)
    select organization, campaign, next.leg, ended.seq, ended.reason, enter_next_leg.from_leg, ended.status, ended.was_accepted
    from live cross join unnest(seqs, reasons, statuses, accepted) as ended (seq, reason, status, was_accepted)
    cross join lateral (
      select later.leg from campaign_legs later
      where later.organization_id = organization and later.campaign_id = campaign and later.leg > enter_next_leg.from_leg
        and ended.reason = any(later.enter_reasons) and (later.lo is null or (ended.seq >= later.lo and ended.seq < later.hi))
        and is_leg_member(organization, campaign, later.leg, ended.seq)
        and (later.enter_delay_seconds = 0 or now() + make_interval(secs => later.enter_delay_seconds) < live.ends_at)
      order by later.leg limit 1
    ) next
    on conflict do nothing
    returning leg, seq, reason, before
  ), counted as (
    insert into failover_deltas (organization_id, campaign_id, leg, before, after, twice, entries)
    select organization, campaign, leg, before, 'queued', false, count(*) from entered group by leg, before
  ), queued as (
    insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code, is_entry)
    select organization, campaign, entered.leg, entered.seq, next.sender_id, now() + make_interval(secs => next.enter_delay_seconds),
      0, entered.reason, '', true
    from entered
    join campaign_legs next on next.organization_id = organization and next.campaign_id = campaign and next.leg = entered.leg
    on conflict do nothing
    returning 1
  )
  select count(*) from queued;
$$;

-- Records in the entries of these recipients that their messages of a leg have another status: of the entries that lead into the
-- leg, and of those that lead on from it. The caller has the messages locked, so the last one to write knows the latest status.
create function count_failovers(
  organization uuid, campaign uuid, of_leg smallint, seqs int[], statuses message_status[], accepted boolean[]
) returns bigint
language sql as $$
  with locked as materialized (
    select leg, from_leg, seq, before, after, before_accepted, after_accepted from leg_entries
    where organization_id = organization and campaign_id = campaign and seq = any(seqs) and (leg = of_leg or from_leg = of_leg)
    order by leg, seq
    for update
  ), moved as materialized (
    select locked.leg, locked.seq, locked.before as old_before, locked.after as old_after,
      locked.before_accepted and locked.after_accepted as old_twice,
      case when locked.leg = of_leg then locked.before else said.status end as before,
      case when locked.leg = of_leg then locked.before_accepted else said.was_accepted end as before_accepted,
      case when locked.leg = of_leg then said.status else locked.after end as after,
      case when locked.leg = of_leg then said.was_accepted else locked.after_accepted end as after_accepted
    from locked join unnest(seqs, statuses, accepted) as said (seq, status, was_accepted) on said.seq = locked.seq
  ), stored as (
    update leg_entries entry set before = moved.before, before_accepted = moved.before_accepted, after = moved.after,
      after_accepted = moved.after_accepted
    from moved
    where entry.organization_id = organization and entry.campaign_id = campaign and entry.leg = moved.leg and entry.seq = moved.seq
  ), counted as (
    insert into failover_deltas (organization_id, campaign_id, leg, before, after, twice, entries)
    select organization, campaign, leg, before, after, twice, sum(entries) from (
      select leg, old_before as before, old_after as after, old_twice as twice, -1 as entries from moved
      union all
      select leg, before, after, before_accepted and after_accepted, 1 from moved
    ) change
    group by leg, before, after, twice
    having sum(entries) <> 0
  )
  select count(*) from moved;
$$;
