-- Calls of the public API that send, made with an API key (modules/request-log). Stored by day, like the messages, and dropped with them.
create table api_requests (
  organization_id uuid not null,
  id uuid not null,
  created_on date not null,
  created_at timestamptz not null,
  account_id uuid not null,
  api_key_id uuid not null,
  environment text not null,
  -- The name of the call in the contract.
  call text not null,
  method text not null,
  path text not null,
  http_status smallint not null,
  -- Of the error.
  code text,
  message text,
  duration_ms int not null,
  client_address inet not null,
  -- The first characters of the Idempotency-Key.
  idempotency_key text,
  -- The answer was that of an earlier call with the same key.
  is_replay boolean not null,
  -- Null if the messages have several.
  channel text,
  messages int not null,
  accepted int not null,
  refused int not null,
  -- Of the accepted messages, in the order of the call.
  message_ids uuid[] not null,
  -- Of the accepted messages; null if the answer did not contain it.
  cost bigint,
  -- As the privacy of the key allows. Cut bodies end in the middle.
  request_body text,
  is_request_cut boolean not null default false,
  response_body text,
  is_response_cut boolean not null default false
) partition by range (created_on);

create or replace function ensure_partitions(from_day date, to_day date) returns void language plpgsql security definer set search_path = public as $$
declare
  first date;
  parent text;
begin
  for first in select generate_series(from_day, to_day, interval '1 day')::date loop
    foreach parent in array array['messages', 'message_parts', 'provider_events', 'domain_events', 'single_sends', 'api_requests'] loop
      perform create_partition(parent, first, first + 1, case when parent in ('messages', 'message_parts') then 'with (fillfactor = 45)' else '' end);
    end loop;
  end loop;
  for first in select generate_series(date_trunc('month', from_day), to_day, interval '1 month')::date loop
    perform create_partition('conversation_days', first, (first + interval '1 month')::date);
  end loop;
end $$;

create or replace function drop_partitions(keep_days int) returns void language plpgsql security definer set search_path = public as $$
declare
  old text;
begin
  for old in
    select name from (
      select inhrelid::regclass::text as name, to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') as first,
        inhparent = 'conversation_days'::regclass as is_month
      from pg_inherits
      where inhparent in ('messages'::regclass, 'message_parts'::regclass, 'provider_events'::regclass, 'single_sends'::regclass,
        'api_requests'::regclass, 'conversation_days'::regclass)
    ) part
    where case when is_month then first + interval '1 month' else first + interval '1 day' end <= current_date - keep_days
  loop
    execute format('drop table %s', old);
  end loop;
end $$;

select ensure_partitions(current_date - 1, current_date + 7);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table api_requests enable row level security;
  alter table api_requests force row level security;
  execute format('create policy tenant on api_requests to carillon_app using (%s) with check (%s)', sees, sees);
  create policy system on api_requests to carillon_system using (true) with check (true);
  execute format('create policy owner on api_requests to %I using (true) with check (true)', current_user);
end $$;

alter table api_requests add primary key (organization_id, id, created_on);
-- Lists read the newest requests of each account, or of one key, and stop at the end of the page. Ids are in the order of time.
create index api_requests_of_account on api_requests (organization_id, account_id, created_on, id);
create index api_requests_of_key on api_requests (organization_id, api_key_id, created_on, id);
