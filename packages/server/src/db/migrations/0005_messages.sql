-- The engine's tables. Recipients are immutable; a message row is written once, when it was handed over, and then only
-- moved forward by reports. A recipient of a started campaign without a row is still queued.

-- In the order of rank: evidence moves a message only to the right.
create type message_status as enum ('queued', 'skipped', 'cancelled', 'unknown', 'unconfirmed', 'sent', 'failed', 'delivered', 'read');

-- What a message in this status costs. Money follows the status, so that no order of reports can change a charge.
create function charge_of(status message_status, price bigint, billable_on text) returns bigint language sql immutable parallel safe
  return case
    when status in ('sent', 'delivered', 'read') then price
    when status = 'failed' and billable_on = 'sent' then price
    else 0
  end;

-- Whether a campaign with these sending hours {start, end, timezone} may send now; hours may run over midnight.
create function in_send_window(hours jsonb) returns boolean language sql stable parallel safe
  return hours is null or case
    when hours->>'start' <= hours->>'end'
      then to_char(now() at time zone (hours->>'timezone'), 'HH24:MI') >= hours->>'start'
       and to_char(now() at time zone (hours->>'timezone'), 'HH24:MI') < hours->>'end'
    else to_char(now() at time zone (hours->>'timezone'), 'HH24:MI') >= hours->>'start'
      or to_char(now() at time zone (hours->>'timezone'), 'HH24:MI') < hours->>'end'
  end;

-- The plan of a campaign: about 1,000 consecutive recipients each, [lo, hi).
create table chunks (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  chunk_no int not null,
  sender_id uuid not null,
  lo int not null,
  hi int not null,
  -- Where the chunk stands in the lane's fair queue.
  vtime double precision not null,
  -- Which ownership of the lane works on it; 0 while it waits.
  lane_epoch bigint not null default 0,
  -- The write-ahead mark: everything below it may have been handed over, nothing from it on was.
  mark int not null,
  -- Everything below it has its result. What lies between and nobody works on was lost in a crash.
  recorded int not null,
  -- What its messages cost so far, in ledger units; captured in one entry when it is done.
  charged bigint not null default 0,
  done_at timestamptz,
  primary key (organization_id, campaign_id, leg, chunk_no),
  check (lo <= recorded and recorded <= mark and mark <= hi and lo < hi)
) with (fillfactor = 50);
-- The head of each campaign's queue on a lane; a paused campaign costs the others nothing.
create index on chunks (organization_id, sender_id, campaign_id, leg, chunk_no) where done_at is null;

-- A definite no that may be tried again, with its time. submitting_epoch is its write-ahead mark.
create table retries (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  seq int not null,
  sender_id uuid not null,
  due_at timestamptz not null,
  attempt smallint not null,
  submitting_epoch bigint,
  reason text not null,
  code text not null,
  primary key (organization_id, campaign_id, leg, seq)
);
create index on retries (organization_id, sender_id, due_at);

-- Single sends until they are handed over: tests, the API, one-time passwords, replies. Front of the lane.
create table express_messages (
  organization_id uuid not null,
  id uuid not null,
  sender_id uuid not null,
  created_on date not null,
  priority smallint not null default 1,
  -- The account that pays and is shown as sender; its path for reach.
  account_id uuid not null,
  path ltree not null,
  kind text not null check (kind in ('test', 'api', 'reply')),
  campaign_id uuid,
  phone bigint not null,
  header text not null,
  text text not null,
  -- {category, entityId, dltTemplateId, reference}
  details jsonb not null default '{}',
  parts smallint not null,
  price bigint not null,
  billable_on text not null default 'sent',
  hold_id uuid,
  attempt smallint not null default 0,
  due_at timestamptz not null default now(),
  expires_at timestamptz not null,
  submitting_epoch bigint,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on express_messages (organization_id, sender_id, priority, due_at, id);

-- One row per outbound message and leg. campaign_id is the campaign's, or the message's own id for a single send (seq 0).
-- No index mentions status or any column a report changes: that would end HOT updates.
create table messages (
  organization_id uuid not null,
  created_on date not null,
  campaign_id uuid not null,
  seq int not null,
  leg smallint not null default 0,
  sender_id uuid not null,
  phone bigint not null,
  status message_status not null,
  -- What the status was before the last change: whoever changes it learns exactly what it changed from.
  previous_status message_status,
  parts smallint not null,
  -- What it costs in ledger units; 0 when it is not charged.
  price bigint not null,
  billable_on text not null default 'sent',
  attempt smallint not null default 1,
  -- The provider's id when there is one part; several parts stand in message_parts.
  provider_message_id text,
  reason text,
  code text,
  detail text,
  -- When the answer to the submit was found to be lost.
  unknown_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  primary key (organization_id, campaign_id, seq, leg, created_on)
) partition by range (created_on);
create index on messages (organization_id, sender_id, provider_message_id) where provider_message_id is not null;
-- Set once, by the insert, and never by a report: it keeps the few lost ones findable without an index on the status.
create index on messages (unknown_at) where unknown_at is not null;
-- Why messages of a campaign failed is asked with every look at it. Only a failure writes these columns: other reports stay HOT.
create index on messages (organization_id, campaign_id, reason, code) where reason is not null;

-- The parts of a long SMS, each with an id and a report of its own.
create table message_parts (
  organization_id uuid not null,
  created_on date not null,
  sender_id uuid not null,
  provider_message_id text not null,
  campaign_id uuid not null,
  seq int not null,
  leg smallint not null,
  part smallint not null,
  status message_status not null default 'sent',
  primary key (organization_id, sender_id, provider_message_id, created_on)
) partition by range (created_on);
create index on message_parts (organization_id, campaign_id, seq, leg);

-- The text of single sends, kept beside their row.
create table single_sends (
  organization_id uuid not null,
  id uuid not null,
  created_on date not null,
  sender_id uuid not null,
  account_id uuid not null,
  path ltree not null,
  kind text not null,
  campaign_id uuid,
  phone bigint not null,
  header text not null,
  text text not null,
  reference text,
  -- Who pays: the hold the message was accepted with.
  hold_id uuid,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on single_sends (organization_id, phone, created_at desc);

-- Reports that came before the answer they belong to; joined by the insert of the result, dropped after a while.
create table early_reports (
  organization_id uuid not null,
  sender_id uuid not null,
  provider_message_id text not null,
  status message_status not null,
  reason text,
  code text,
  detail text,
  at timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (organization_id, sender_id, provider_message_id, status)
);
create index on early_reports (received_at);

-- The providers' raw words, append-only, kept for a set time: one row for each batch and kind, for a row of its own for each
-- report would cost a third as much again as applying it. Nothing but a person looking into a case reads them.
create table provider_events (
  organization_id uuid not null,
  received_on date not null,
  sender_id uuid not null,
  received_at timestamptz not null default now(),
  kind text not null,
  -- An array of texts.
  raws json not null
) partition by range (received_on);

-- Every batch inserts what it changed; folded into counters each second. Counts are by current status,
-- submitted is cumulative: everything the provider ever took.
create table counter_deltas (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  -- Null for single sends, which count by account only.
  campaign_id uuid,
  leg smallint not null,
  account_id uuid not null,
  channel channel not null,
  at timestamptz not null default now(),
  submitted int not null default 0,
  sent int not null default 0,
  delivered int not null default 0,
  read int not null default 0,
  failed int not null default 0,
  skipped int not null default 0,
  unknown int not null default 0,
  unconfirmed int not null default 0,
  replied int not null default 0,
  opted_out int not null default 0,
  parts int not null default 0,
  cost bigint not null default 0,
  refunded bigint not null default 0
);

create table counters (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  submitted int not null default 0,
  sent int not null default 0,
  delivered int not null default 0,
  read int not null default 0,
  failed int not null default 0,
  skipped int not null default 0,
  unknown int not null default 0,
  unconfirmed int not null default 0,
  replied int not null default 0,
  parts int not null default 0,
  cost bigint not null default 0,
  refunded bigint not null default 0,
  primary key (organization_id, campaign_id, leg)
) with (fillfactor = 50);

-- The same by five minutes, for the curve of a campaign.
create table counter_points (
  organization_id uuid not null,
  campaign_id uuid not null,
  at timestamptz not null,
  submitted int not null default 0,
  delivered int not null default 0,
  failed int not null default 0,
  primary key (organization_id, campaign_id, at)
) with (fillfactor = 50);

-- The same by day of the account's messages, for dashboards.
create table daily_counters (
  organization_id uuid not null,
  account_id uuid not null,
  day date not null,
  channel channel not null,
  submitted int not null default 0,
  sent int not null default 0,
  delivered int not null default 0,
  read int not null default 0,
  failed int not null default 0,
  skipped int not null default 0,
  unknown int not null default 0,
  unconfirmed int not null default 0,
  replied int not null default 0,
  opted_out int not null default 0,
  parts int not null default 0,
  cost bigint not null default 0,
  refunded bigint not null default 0,
  primary key (organization_id, account_id, day, channel)
) with (fillfactor = 50);

-- Makes the day's partition of every partitioned table; called by the worker for the days ahead.
create function ensure_partitions(from_day date, to_day date) returns void language plpgsql security definer set search_path = public as $$
declare
  day date;
  parent text;
  options text;
begin
  for day in select generate_series(from_day, to_day, interval '1 day')::date loop
    foreach parent in array array['messages', 'message_parts', 'provider_events'] loop
      options := case parent when 'messages' then ' with (fillfactor = 70)' when 'message_parts' then ' with (fillfactor = 70)' else '' end;
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L)%s',
        parent || '_' || to_char(day, 'YYYYMMDD'), parent, day, day + 1, options);
      -- Reached through the parent only, where the policies are.
      execute format('revoke all on %I from carillon_app, carillon_system', parent || '_' || to_char(day, 'YYYYMMDD'));
    end loop;
  end loop;
end $$;

-- Lets go of the days that are kept no longer.
create function drop_partitions(keep_days int) returns void language plpgsql security definer set search_path = public as $$
declare
  old text;
begin
  for old in
    select inhrelid::regclass::text from pg_inherits
    where inhparent in ('messages'::regclass, 'message_parts'::regclass, 'provider_events'::regclass)
      and to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') < current_date - keep_days
  loop
    execute format('drop table %s', old);
  end loop;
end $$;
revoke all on function drop_partitions from public;

-- Takes the statistics of what has more than doubled since they were taken last. Autovacuum comes by once a minute, and until
-- then a fresh day's hot statements run on plans made for an empty table: a campaign of 100,000 took three times as long.
create function analyze_grown() returns void language plpgsql security definer set search_path = public as $$
declare
  grown text;
begin
  for grown in
    select oid::regclass::text from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and (not relispartition or to_date(right(relname, 8), 'YYYYMMDD') >= current_date - 1)
      and pg_relation_size(oid) > greatest(1048576, 2 * relpages::bigint * current_setting('block_size')::int)
  loop
    execute format('analyze (skip_locked) %s', grown);
  end loop;
end $$;
revoke all on function analyze_grown from public;
grant execute on function drop_partitions, analyze_grown to carillon_system;
select ensure_partitions(current_date - 1, current_date + 7);
