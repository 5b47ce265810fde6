-- API keys and their configs.

-- Seconds, hours, days and months of an organisation's counts are those of its time zone.
create function organization_zone(organization uuid) returns text language sql stable security definer set search_path = public
begin atomic
  select timezone from accounts where id = organization and app_reaches(organization);
end;
revoke all on function organization_zone from public;
grant execute on function organization_zone to carillon_app, carillon_system;

create table key_configs (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  name text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);
create unique index on key_configs (organization_id, account_id, lower(name));

create table api_keys (
  organization_id uuid not null,
  id uuid not null,
  -- The owner. The key acts as this account.
  account_id uuid not null,
  name text not null,
  environment text not null check (environment in ('test', 'live')),
  -- The part of the key that identifies it; the same after it was regenerated.
  public_id text not null unique,
  -- SHA-256 of the whole key.
  secret_hash bytea not null,
  last4 text not null,
  -- That of the key before it was regenerated, valid until `grace_until`.
  previous_hash bytea,
  grace_until timestamptz,
  scopes text[] not null,
  key_config_id uuid,
  ip_allowlist text[] not null default '{}',
  created_at timestamptz not null default now(),
  regenerated_at timestamptz,
  expires_at timestamptz,
  deactivated_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade,
  foreign key (organization_id, key_config_id) references key_configs (organization_id, id)
);
create index on api_keys (organization_id, account_id, created_at desc);
create index on api_keys (organization_id, key_config_id) where key_config_id is not null;
create unique index on api_keys (organization_id, account_id, lower(name)) where deactivated_at is null;

-- Calls by key and day.
create table api_key_days (
  organization_id uuid not null,
  api_key_id uuid not null,
  day date not null,
  requests bigint not null,
  last_used_at timestamptz not null,
  last_used_ip inet not null,
  primary key (organization_id, api_key_id, day),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id) on delete cascade
) with (fillfactor = 50);
create index on api_key_days (day);

-- Messages that a key sent in the current second, hour, day and month, and their cost in ledger units. Only what its config limits.
create table api_key_counters (
  organization_id uuid not null,
  api_key_id uuid not null,
  second timestamptz not null default '-infinity',
  second_messages bigint not null default 0,
  hour timestamptz not null default '-infinity',
  hour_spent bigint not null default 0,
  day date not null default '-infinity',
  day_messages bigint not null default 0,
  day_spent bigint not null default 0,
  month date not null default '-infinity',
  month_spent bigint not null default 0,
  primary key (organization_id, api_key_id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id) on delete cascade
) with (fillfactor = 50);

-- Counts messages against the limits of their key, in order: for each message that does not fit, `refused` has the limit, else null.
-- If limits of spending only alert, `crossed` has those that this call exceeded first, and `windows` when their times began. The
-- counters stay locked until the transaction ends, so that parallel calls cannot exceed a limit together.
create function count_key_sends(
  organization uuid, key uuid, costs bigint[], per_second bigint, per_day bigint,
  spend_message bigint, spend_hour bigint, spend_day bigint, spend_month bigint, rejects boolean,
  out refused text[], out crossed text[], out windows text[]
) language plpgsql as $$
declare
  zone constant text := organization_zone(organization);
  counted api_key_counters;
  before api_key_counters;
  at timestamptz;
  local timestamp;
  cost bigint;
  problem text;
  dearest bigint := 0;
begin
  insert into api_key_counters (organization_id, api_key_id) values (organization, key) on conflict do nothing;
  select * into strict counted from api_key_counters where organization_id = organization and api_key_id = key for update;
  at := clock_timestamp();
  local := at at time zone zone;
  if date_trunc('second', at) > counted.second then
    counted.second := date_trunc('second', at);
    counted.second_messages := 0;
  end if;
  if date_trunc('hour', local) at time zone zone > counted.hour then
    counted.hour := date_trunc('hour', local) at time zone zone;
    counted.hour_spent := 0;
  end if;
  if local::date > counted.day then
    counted.day := local::date;
    counted.day_messages := 0;
    counted.day_spent := 0;
  end if;
  if date_trunc('month', local)::date > counted.month then
    counted.month := date_trunc('month', local)::date;
    counted.month_spent := 0;
  end if;
  before := counted;
  refused := '{}';
  foreach cost in array costs loop
    problem := case
      when counted.second_messages >= per_second then 'messagesPerSecond'
      when counted.day_messages >= per_day then 'messagesPerDay'
      when not rejects then null
      when cost > spend_message then 'maxPerMessage'
      when counted.hour_spent + cost > spend_hour then 'maxPerHour'
      when counted.day_spent + cost > spend_day then 'maxPerDay'
      when counted.month_spent + cost > spend_month then 'maxPerMonth'
    end;
    refused := array_append(refused, problem);
    continue when problem is not null;
    counted.second_messages := counted.second_messages + 1;
    counted.day_messages := counted.day_messages + 1;
    counted.hour_spent := counted.hour_spent + cost;
    counted.day_spent := counted.day_spent + cost;
    counted.month_spent := counted.month_spent + cost;
    dearest := greatest(dearest, cost);
  end loop;
  update api_key_counters set second = counted.second, second_messages = counted.second_messages,
    hour = counted.hour, hour_spent = counted.hour_spent,
    day = counted.day, day_messages = counted.day_messages, day_spent = counted.day_spent,
    month = counted.month, month_spent = counted.month_spent
  where organization_id = organization and api_key_id = key;
  select coalesce(array_agg(alert.name), '{}'), coalesce(array_agg(alert.begun), '{}') into crossed, windows
  from (values
    ('maxPerMessage', dearest > spend_message, counted.day::text),
    ('maxPerHour', before.hour_spent <= spend_hour and counted.hour_spent > spend_hour, counted.hour::text),
    ('maxPerDay', before.day_spent <= spend_day and counted.day_spent > spend_day, counted.day::text),
    ('maxPerMonth', before.month_spent <= spend_month and counted.month_spent > spend_month, counted.month::text)
  ) as alert (name, is_crossed, begun)
  where alert.is_crossed and not rejects;
end $$;
revoke all on function count_key_sends from public;
grant execute on function count_key_sends to carillon_app, carillon_system;

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['key_configs', 'api_keys', 'api_key_days', 'api_key_counters'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;
