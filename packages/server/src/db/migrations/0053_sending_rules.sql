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
