alter table reports drop constraint reports_format_check;
alter table reports add constraint reports_format_check check (format in ('csv', 'xlsx', 'json', 'pdf'));

-- Reports that are prepared regularly and delivered.
create table report_schedules (
  organization_id uuid not null,
  id uuid not null,
  -- Of the account that owns it; follows the account.
  path ltree not null,
  account_id uuid not null,
  name text not null,
  type text not null,
  -- A channel or 'all'.
  channel text not null,
  campaign_id uuid,
  campaign_name text,
  format text not null,
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
  -- 1 is Monday.
  weekday smallint check (weekday between 1 and 7),
  day_of_month smallint check (day_of_month between 1 and 31),
  time_of_day text not null,
  timezone text not null,
  -- Without secrets.
  destination jsonb not null,
  secrets bytea,
  is_paused boolean not null default false,
  -- Why it was paused, unless its owner did so.
  paused_reason text,
  next_run_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade,
  check ((weekday is not null) = (frequency = 'weekly')),
  check ((day_of_month is not null) = (frequency = 'monthly'))
);
create index on report_schedules using gist (path);
create index on report_schedules (organization_id, created_at desc, id desc);
create index on report_schedules (next_run_at) where not is_paused;

create table report_runs (
  organization_id uuid not null,
  id uuid not null,
  schedule_id uuid not null,
  -- When it was due; of a run on request, the time of the request.
  due_at timestamptz not null,
  is_manual boolean not null,
  first_day date not null,
  last_day date not null,
  -- Null if it was refused, and after the report was deleted.
  report_id uuid,
  status text not null check (status in ('preparing', 'delivering', 'delivered', 'failed')),
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, schedule_id) references report_schedules (organization_id, id) on delete cascade,
  foreign key (organization_id, report_id) references reports (organization_id, id) on delete set null (report_id)
);
create index on report_runs (organization_id, schedule_id, created_at desc, id desc);
create index on report_runs (organization_id, report_id) where report_id is not null;

create table report_deliveries (
  organization_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  -- An address, a host or a bucket.
  target text not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  -- The attempts, oldest first: at, error, response.
  attempts jsonb not null default '[]',
  next_attempt_at timestamptz,
  mail_id uuid,
  primary key (organization_id, id),
  foreign key (organization_id, run_id) references report_runs (organization_id, id) on delete cascade
);
create index on report_deliveries (organization_id, run_id);
create index on report_deliveries (organization_id, mail_id) where mail_id is not null;

-- The addresses among these that belong to active members of an organisation, of which an account sees only those below it.
create function find_members(organization uuid, addresses text[]) returns setof text
language sql stable security definer set search_path = public as $$
  select lower(email) from accounts
  where organization_id = organization and organization_id = app_organization() and status = 'active' and lower(email) = any (addresses);
$$;
revoke execute on function find_members from public;
grant execute on function find_members to carillon_app;

-- As before, with schedules of reports.
create or replace function settle_paths(subtree ltree) returns void language plpgsql security definer set search_path = public as $$
declare
  owned record;
  sent_on date;
begin
  for owned in select * from (values
    ('campaigns', 'created_by'), ('audiences', 'created_by'), ('invitations', 'created_by'), ('priority_messages', 'account_id'),
    ('topup_requests', 'account_id'), ('support_requests', 'account_id'), ('reports', 'account_id'),
    ('report_schedules', 'account_id')) as t (name, owner)
  loop
    execute format('update %1$I moved set path = account.path from accounts account
      where account.path <@ $1 and moved.organization_id = account.organization_id and moved.%2$I = account.id
        and moved.path <> account.path', owned.name, owned.owner) using subtree;
  end loop;
  for sent_on in
    select distinct accepted.day + beside from accounts account
    cross join lateral (
      select day from accepted_days where organization_id = account.organization_id and account_id = account.id
      union select (at at time zone 'UTC')::date from accepted_deltas where organization_id = account.organization_id and account_id = account.id
    ) accepted
    cross join generate_series(-1, 1) as beside
    where account.path <@ subtree
  loop
    execute format('update single_sends moved set path = account.path from accounts account
      where account.path <@ $1 and moved.created_on = %L and moved.organization_id = account.organization_id
        and moved.account_id = account.id and moved.path <> account.path', sent_on) using subtree;
  end loop;
  -- An answerer who is no longer above the account is replaced by the one who now is.
  update support_requests request set answerer_id = next_answerer(request.path), put_to = array_remove(array[next_answerer(request.path)], null)
  where request.path <@ subtree and request.answerer_id is not null
    and not exists (select from accounts above where above.id = request.answerer_id and above.path @> request.path);
end $$;

do $$
declare
  owned record;
begin
  for owned in select * from (values
    ('report_schedules', 'path <@ app_scope()'),
    ('report_runs', 'exists (select from report_schedules schedule where schedule.organization_id = report_runs.organization_id
      and schedule.id = report_runs.schedule_id and schedule.path <@ app_scope())'),
    ('report_deliveries', 'exists (select from report_runs run where run.organization_id = report_deliveries.organization_id
      and run.id = report_deliveries.run_id)')) as t (name, sees)
  loop
    execute format('alter table %I enable row level security', owned.name);
    execute format('alter table %I force row level security', owned.name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', owned.name, owned.sees, owned.sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', owned.name);
    execute format('create policy owner on %I to %I using (true) with check (true)', owned.name, current_user);
  end loop;
end $$;
