-- What happened, for processes that did not do it: written in the transaction of the change, read behind a snapshot
-- (events/follow-events.ts). One row for each change or batch; the subjects are read from their own tables.
create table domain_events (
  organization_id uuid not null,
  created_on date not null default current_date,
  id bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  subject_ids uuid[] not null,
  payload jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, created_on, id)
) partition by range (created_on);
create index on domain_events (xid);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table domain_events enable row level security;
  alter table domain_events force row level security;
  execute format('create policy tenant on domain_events to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on domain_events to carillon_system using (true) with check (true);
  execute format('create policy owner on domain_events to %I using (true) with check (true)', current_user);
end $$;
revoke select, update, delete on domain_events from carillon_app;
revoke update, delete on domain_events from carillon_system;

create or replace function ensure_partitions(from_day date, to_day date) returns void language plpgsql security definer set search_path = public as $$
declare
  day date;
  parent text;
  options text;
begin
  for day in select generate_series(from_day, to_day, interval '1 day')::date loop
    foreach parent in array array['messages', 'message_parts', 'provider_events', 'domain_events'] loop
      options := case parent when 'messages' then ' with (fillfactor = 70)' when 'message_parts' then ' with (fillfactor = 70)' else '' end;
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L)%s',
        parent || '_' || to_char(day, 'YYYYMMDD'), parent, day, day + 1, options);
      -- Reached through the parent only, where the policies are.
      execute format('revoke all on %I from carillon_app, carillon_system', parent || '_' || to_char(day, 'YYYYMMDD'));
    end loop;
  end loop;
end $$;
select ensure_partitions(current_date - 1, current_date + 7);

-- Drops the days before yesterday. While a transaction uses the table for long, nothing is dropped: whoever writes next
-- would wait behind the drop.
create function drop_old_events() returns void language plpgsql security definer set search_path = public set lock_timeout = '500ms' as $$
declare
  old text;
begin
  for old in
    select inhrelid::regclass::text from pg_inherits
    where inhparent = 'domain_events'::regclass and to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') < current_date - 1
  loop
    execute format('drop table %s', old);
  end loop;
exception when lock_not_available then
  null;
end $$;
revoke all on function drop_old_events from public;
grant execute on function drop_old_events to carillon_system;

-- As before, and told to the sockets of every process.
create or replace function add_notifications(entries jsonb) returns void language sql security definer set search_path = public
  begin atomic
    with told as (
      select * from jsonb_to_recordset(entries) as entry (organization_id uuid, id uuid, account_id uuid, kind text, title text,
        description text, link jsonb, event_key text, mail_preference text, mail_default boolean)
    ), added as (
      insert into notifications (organization_id, id, account_id, kind, title, description, link, event_key)
      select account.organization_id, told.id, account.id, told.kind, told.title, told.description, told.link, told.event_key
      from told join accounts account on account.organization_id = told.organization_id and account.id = told.account_id
      where app_scope() is null or account.path @> app_scope() or account.path <@ app_scope()
      on conflict do nothing
      returning organization_id, id, account_id
    ), announced as (
      insert into domain_events (organization_id, type, subject_ids)
      select organization_id, 'notification.added', array_agg(id) from added group by organization_id
    ), mailed as (
      insert into mails (organization_id, id, recipient, subject, body, link)
      select added.organization_id, gen_random_uuid(), account.email, told.title,
        format(E'Hello %s,\n\n%s\n\nSign in to see it. Which mails you get is set under Settings, Notifications.', account.name, told.description),
        '/'
      from added join told on told.id = added.id
      join accounts account on account.organization_id = added.organization_id and account.id = added.account_id
      where coalesce((account.preferences ->> told.mail_preference)::boolean, told.mail_default, false) and account.status in ('active', 'suspended')
      returning organization_id, id
    )
    select enqueue_job('mails.deliver', json_build_object('organizationId', organization_id, 'id', id)) from mailed;
  end;
