-- Report files: what was requested, how far it is, and what the finished file contains.
create table reports (
  organization_id uuid not null,
  id uuid not null,
  -- Of the account that requested it; follows the account.
  path ltree not null,
  account_id uuid not null,
  -- The path of the account at its request, which is what the report covers.
  scope_path ltree not null,
  type text not null,
  name text not null,
  -- A channel or 'all'.
  channel text not null,
  first_day date not null,
  last_day date not null,
  timezone text not null,
  campaign_id uuid,
  campaign_name text,
  format text not null check (format in ('csv', 'xlsx', 'json')),
  status text not null default 'queued' check (status in ('queued', 'processing', 'ready', 'failed', 'expired')),
  -- Identifies equal requests.
  request_key text not null,
  -- One of the places in which reports of an organisation are prepared, one after the other in each.
  place smallint not null,
  -- Counts how often its preparation began. An earlier run that still works writes nothing more.
  run int not null default 0,
  progress smallint not null default 0,
  rows bigint not null default 0,
  file_id uuid,
  size_bytes bigint,
  checksum bytea,
  error text,
  notes jsonb not null default '[]',
  summary jsonb not null default '[]',
  daily jsonb not null default '[]',
  columns jsonb not null default '[]',
  preview jsonb not null default '[]',
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  expires_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade,
  check ((status = 'ready') = (file_id is not null))
);
create index on reports using gist (path);
create index on reports (organization_id, created_at desc, id desc);
create index on reports (organization_id, status) where status in ('queued', 'processing');
create index on reports (expires_at) where status = 'ready';

-- Of the whole organisation, of which an account sees only its own part.
create function count_unfinished_reports(organization uuid) returns table (place smallint, count bigint)
language sql stable security definer set search_path = public as $$
  select place, count(*) from reports
  where organization_id = organization and status in ('queued', 'processing') and organization_id = app_organization()
  group by place;
$$;
revoke execute on function count_unfinished_reports from public;
grant execute on function count_unfinished_reports to carillon_app;

-- As before, with reports.
create or replace function settle_paths(subtree ltree) returns void language plpgsql security definer set search_path = public as $$
declare
  owned record;
  sent_on date;
begin
  for owned in select * from (values
    ('campaigns', 'created_by'), ('audiences', 'created_by'), ('invitations', 'created_by'), ('priority_messages', 'account_id'),
    ('topup_requests', 'account_id'), ('support_requests', 'account_id'), ('reports', 'account_id')) as t (name, owner)
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
begin
  alter table reports enable row level security;
  alter table reports force row level security;
  create policy tenant on reports to carillon_app using (path <@ app_scope()) with check (path <@ app_scope());
  create policy system on reports to carillon_system using (true) with check (true);
  execute format('create policy owner on reports to %I using (true) with check (true)', current_user);
end $$;
