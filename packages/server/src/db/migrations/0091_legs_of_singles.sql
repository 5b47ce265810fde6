-- Further messages of a single send, which are sent if the one before does not arrive. A row exists as long as one of them may still
-- be sent.
create table single_failovers (
  organization_id uuid not null,
  -- The first message, whose id the caller knows.
  message_id uuid not null,
  account_id uuid not null,
  -- The message that was sent last, and the day of its partition.
  current_id uuid not null,
  current_on date not null default current_date,
  entered_at timestamptz not null,
  -- The messages that may follow, in their order, with their entry conditions. They may contain one-time passwords.
  legs jsonb not null,
  check_at timestamptz not null,
  -- No message is sent after this time.
  ends_at timestamptz not null,
  primary key (organization_id, message_id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);
create index on single_failovers (check_at);
create index on single_failovers (organization_id, account_id);

-- The messages that followed the first message of a single send, or why they could not be sent.
create table single_legs (
  organization_id uuid not null references accounts (id) on delete cascade,
  message_id uuid not null,
  -- 1 for the first that followed.
  leg smallint not null,
  channel text not null,
  -- How the message before ended.
  reason text not null,
  sent_as uuid,
  refusal jsonb,
  created_at timestamptz not null default now(),
  primary key (organization_id, message_id, leg),
  check ((sent_as is null) <> (refusal is null))
);
create unique index on single_legs (organization_id, sent_as) where sent_as is not null;
create index on single_legs (created_at);

-- Messages of test keys have their legs from the beginning, because it is known how each ends.
alter table test_messages add column leg_of uuid;
-- How the message before ended.
alter table test_messages add column entered_for text;
create index on test_messages (organization_id, leg_of) where leg_of is not null;

create or replace function pause_sending(reason text) returns boolean language plpgsql as $$
begin
  update installation set paused_at = now(), pause_reason = reason where paused_at is null;
  if not found then return false; end if;
  update lanes set owner = null, lease_until = null, epoch = epoch + 1000000, after_restore = true;
  -- Single messages leave within seconds, so those that wait in the copy were probably sent: they end as unknown. The same is true of
  -- their legs.
  update priority_messages set submitting_epoch = 0 where submitting_epoch is null;
  delete from single_failovers;
  insert into restored_campaigns (organization_id, campaign_id)
  select organization_id, id from campaigns where status in ('scheduled', 'queued', 'running', 'paused')
  on conflict do nothing;
  return true;
end $$;

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['single_failovers', 'single_legs'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;
