-- Endpoints of customers that receive events, and the deliveries to them (modules/webhooks).
create table webhook_endpoints (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  environment text not null default 'live' check (environment in ('live', 'test')),
  url text not null,
  description text not null default '',
  types text[] not null check (cardinality(types) > 0),
  is_ordered boolean not null default false,
  -- The scheme of the current secret: v1 is HMAC-SHA256, v1a is Ed25519.
  signature text not null check (signature in ('v1', 'v1a')),
  -- Sealed: the current secret, and the previous one, which signs as well until then.
  secrets bytea not null,
  previous_until timestamptz,
  public_key text check ((signature = 'v1a') = (public_key is not null)),
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('owner', 'gone', 'failing')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade,
  check ((disabled_at is null) = (disabled_reason is null))
);
create index on webhook_endpoints (organization_id, account_id);

-- The process that delivers to an endpoint, and how the endpoint answers. A new epoch fences the former owner.
create table webhook_lanes (
  organization_id uuid not null,
  endpoint_id uuid not null,
  owner uuid,
  lease_until timestamptz,
  epoch bigint not null default 0,
  -- Nothing is sent before this time, because the endpoint does not answer or asked to wait.
  held_until timestamptz,
  -- How often the circuit breaker opened since the last success.
  trips smallint not null default 0,
  failing_since timestamptz,
  last_delivered_at timestamptz,
  last_failed_at timestamptz,
  primary key (organization_id, endpoint_id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id) on delete cascade
) with (fillfactor = 50);

-- Deliveries that are due, now or after a failed attempt.
create table webhook_queue (
  organization_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  type text not null,
  at timestamptz not null,
  -- Of ordered endpoints: the conversation or recipient, of whose deliveries only the oldest is sent.
  order_key text,
  body text not null,
  due_at timestamptz not null,
  tries smallint not null default 0,
  is_replay boolean not null default false,
  attempts jsonb not null default '[]',
  primary key (organization_id, endpoint_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
create index webhook_queue_due on webhook_queue (organization_id, endpoint_id, due_at, id);
create index webhook_queue_ordered on webhook_queue (organization_id, endpoint_id, order_key, at, id) where order_key is not null;

-- Deliveries that ended. `retained`: the endpoint was disabled.
create table webhook_deliveries (
  organization_id uuid not null,
  logged_on date not null default current_date,
  endpoint_id uuid not null,
  id uuid not null,
  type text not null,
  at timestamptz not null,
  order_key text,
  body text not null,
  attempts jsonb not null,
  status text not null check (status in ('delivered', 'dead', 'retained')),
  ended_at timestamptz not null,
  primary key (organization_id, endpoint_id, id, logged_on)
) partition by range (logged_on);
create index webhook_deliveries_missed on webhook_deliveries (organization_id, endpoint_id, id) where status <> 'delivered';

create function ensure_webhook_days(from_day date, to_day date) returns void language plpgsql security definer set search_path = public as $$
declare
  day date;
  part text;
begin
  for day in select generate_series(from_day, to_day, interval '1 day')::date loop
    part := 'webhook_deliveries_' || to_char(day, 'YYYYMMDD');
    execute format('create table if not exists %I partition of webhook_deliveries for values from (%L) to (%L)', part, day, day + 1);
    -- Reached through the parent only, where the policies are.
    execute format('revoke all on %I from carillon_app, carillon_system', part);
  end loop;
end $$;

create function drop_webhook_days(keep_days int) returns void language plpgsql security definer set search_path = public as $$
declare
  old text;
begin
  for old in
    select inhrelid::regclass::text from pg_inherits
    where inhparent = 'webhook_deliveries'::regclass and to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') < current_date - keep_days
  loop
    execute format('drop table %s', old);
  end loop;
end $$;
revoke all on function ensure_webhook_days, drop_webhook_days from public;
grant execute on function ensure_webhook_days, drop_webhook_days to carillon_system;
select ensure_webhook_days(current_date - 1, current_date + 7);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['webhook_endpoints', 'webhook_lanes', 'webhook_queue', 'webhook_deliveries'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;
