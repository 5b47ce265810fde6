-- Rules across the channels of an organisation: whether an opt-out of one channel applies to all, and how many marketing campaigns a
-- person gets. Without a row, an opt-out applies to its own channel and there is no cap.
create table sending_rules (
  organization_id uuid primary key,
  opt_out_scope text not null default 'channel' check (opt_out_scope in ('channel', 'all')),
  -- At most so many marketing campaigns per person in so many days; no cap if null.
  cap_messages int check (cap_messages between 1 and 100),
  cap_days int check (cap_days between 1 and 30),
  cap_action text not null default 'skip' check (cap_action in ('skip', 'postpone')),
  check ((cap_messages is null) = (cap_days is null))
);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table sending_rules enable row level security;
  alter table sending_rules force row level security;
  execute format('create policy tenant on sending_rules to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on sending_rules to carillon_system using (true) with check (true);
  execute format('create policy owner on sending_rules to %I using (true) with check (true)', current_user);
end $$;

-- Channels whose opt-outs stop messages of a channel.
create function opt_out_channels(organization uuid, of_channel channel) returns channel[] language sql stable parallel safe as $$
  select case when exists (select from sending_rules where organization_id = organization and opt_out_scope = 'all')
    then enum_range(null::channel) else array[of_channel] end;
$$;

-- The organisation's cap: {messages, days, postpones}; null if there is none.
create function frequency_cap(organization uuid) returns jsonb language sql stable parallel safe as $$
  select jsonb_build_object('messages', cap_messages, 'days', cap_days, 'postpones', cap_action = 'postpone')
  from sending_rules where organization_id = organization and cap_messages is not null;
$$;

alter table campaigns
  -- Whether messages of other campaigns count on every channel for skip_recent_hours.
  add column skip_recent_on_any boolean not null default false,
  -- People who reached the organisation's cap get it nevertheless.
  add column ignores_cap boolean not null default false;

-- Messages of the leg count towards the cap. is_marketing is broader: an opt-out from marketing applies to it.
alter table campaign_legs add column is_promotion boolean not null default false;
update campaign_legs set is_promotion = true where category in ('promotional', 'MARKETING');

-- Writes the results of people who are no recipients of a first leg because they had opted out when the campaign was validated:
-- skipped, and moved on to a later leg that accepts this reason. Runs in the transaction that starts the campaign, after its chunks
-- are planned. Accounts may not write entries themselves. Returns the number of people.
create function skip_excluded(organization uuid, campaign uuid) returns bigint language sql security definer set search_path = public as $$
  with excluded as (
    select own.created_on, own.created_by, leg.leg, leg.sender_id, leg.channel, leg.billable_on, recipient.seq, recipient.phone
    from campaigns own
    join campaign_legs leg on leg.organization_id = organization and leg.campaign_id = own.id and leg.enter_reasons = '{}'
    join leg_members block on block.organization_id = organization and block.campaign_id = own.id and block.leg = leg.leg
    cross join generate_series(0, 1023) as place
    join recipients recipient on recipient.organization_id = organization and recipient.audience_id = own.audience_id
      and recipient.seq = block.block * 1024 + place
    where own.organization_id = organization and own.id = campaign
      and app_reaches(organization) and get_bit(block.members, place) = 0 and (leg.lo is null or (recipient.seq >= leg.lo and recipient.seq < leg.hi))
  ), inserted as (
    insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, reason,
      left_on)
    select organization, created_on, campaign, seq, leg, sender_id, phone, 'skipped', 1, 0, billable_on, 'opted_out',
      (select organization_day(organization))
    from excluded
    on conflict do nothing
    returning leg, seq, reason, status
  ), counted as (
    insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, sender_id, skipped, left_on)
    select organization, campaign, leg, created_by, channel, sender_id, count(*), (select organization_day(organization))
    from inserted join excluded using (leg, seq)
    group by leg, created_by, channel, sender_id
  ), gone_on as materialized (
    select enter_next_leg(organization, campaign, leg, array_agg(seq), array_agg(reason), array_agg(status), array_agg(false)) as moved
    from inserted group by leg
  )
  select count(*) + 0 * (select coalesce(sum(moved), 0)::bigint from gone_on) from inserted;
$$;
revoke all on function skip_excluded from public;
grant execute on function skip_excluded to carillon_app, carillon_system;
