-- Messages by the day on which they left, at the grain of reports. What becomes of a message later changes the figures of that day.

-- Of campaigns. Channel, sender, template, category and country are those of the leg.
create table leg_days (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  day date not null,
  submitted int not null default 0,
  sent int not null default 0,
  delivered int not null default 0,
  read int not null default 0,
  failed int not null default 0,
  skipped int not null default 0,
  unknown int not null default 0,
  unconfirmed int not null default 0,
  parts int not null default 0,
  cost bigint not null default 0,
  refunded bigint not null default 0,
  primary key (organization_id, campaign_id, leg, day)
) with (fillfactor = 50);
create index on leg_days (organization_id, day);

-- Of single messages.
create table single_days (
  organization_id uuid not null,
  day date not null,
  -- The partition of the messages.
  created_on date not null,
  account_id uuid not null,
  sender_id uuid not null,
  channel channel not null,
  kind text not null,
  -- As rate cards name it. Both are empty for messages that are older than these columns; a country also if it is unknown.
  category text not null,
  country text not null,
  submitted int not null default 0,
  sent int not null default 0,
  delivered int not null default 0,
  read int not null default 0,
  failed int not null default 0,
  skipped int not null default 0,
  unknown int not null default 0,
  unconfirmed int not null default 0,
  parts int not null default 0,
  cost bigint not null default 0,
  refunded bigint not null default 0,
  primary key (organization_id, day, created_on, account_id, sender_id, kind, category, country)
) with (fillfactor = 50);

-- Of single messages only.
alter table counter_deltas add column created_on date;
alter table counter_deltas add column kind text;
alter table counter_deltas add column category text;
alter table counter_deltas add column country text;
alter table priority_messages add column country text;
-- Of single messages, so that their reports are counted without looking for the messages.
alter table holds add column created_on date;
alter table holds add column kind text;
alter table holds add column category text;
alter table holds add column country text;

-- The days of messages whose figures were compared with the messages. `changes`: how often rows of the partition had been written then.
create table proved_days (
  created_on date primary key,
  changes bigint not null default -1,
  -- The messages are older than `leg_days`: their figures are counted once.
  is_old boolean not null default false,
  counted_at timestamptz,
  proved_at timestamptz
);

revoke all on proved_days from carillon_app;

-- Figures that differ from what they are made of, until they are counted again.
create table report_mismatches (
  organization_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- `messages`: leg_days or single_days differ from the messages. `campaigns`, `days`: counters or daily_counters differ from leg_days and
  -- single_days. `ledger`: daily_counters differ from the ledger.
  source text not null check (source in ('messages', 'campaigns', 'days', 'ledger')),
  -- The partition of the messages, if the difference is in one.
  created_on date,
  campaign_id uuid,
  leg smallint,
  account_id uuid,
  sender_id uuid,
  -- The day of the figures.
  day date,
  -- By column: what the figures say, and what was counted.
  differences jsonb not null,
  found_at timestamptz not null default now(),
  mended_at timestamptz,
  primary key (organization_id, id)
);
create unique index report_mismatches_open on report_mismatches (organization_id, source, created_on, campaign_id, leg, account_id, sender_id, day)
  nulls not distinct where mended_at is null;

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['leg_days', 'single_days', 'report_mismatches'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;

-- Days with messages already.
do $$
declare
  part regclass;
  has_messages boolean;
begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'messages'::regclass loop
    execute format('select exists (select from %s)', part) into has_messages;
    if has_messages then insert into proved_days (created_on, is_old) values (to_date(right(part::text, 8), 'YYYYMMDD'), true); end if;
  end loop;
end $$;

-- Accepts single sends of one organization, all of them or none: holds the cost of each, stores it, and queues it. Balances are
-- locked last. Null if they are accepted; else the balances of the accounts, or the messages that a reseller's balance does not cover.
create or replace function accept_singles(organization uuid, entries jsonb) returns jsonb language plpgsql as $$
declare
  singles constant new_single[] := array(select row(entry.*)::new_single from jsonb_populate_recordset(null::new_single, entries) entry);
  -- The accounts and the balance of each.
  payers uuid[];
  balances uuid[];
  -- Balances and what they owe.
  owing uuid[];
  owed bigint[];
  updated int;
  uncovered uuid[] := '{}';
begin
  select array_agg(account_id), array_agg(coalesce(paying_balance(organization, account_id), ledger_account_of(organization, organization, 'balance')))
  into payers, balances
  from (select distinct account_id from unnest(singles)) payer;
  select array_agg(balance), array_agg(units) into owing, owed
  from (
    select balance, sum(parts * price) as units from unnest(singles) single
    join unnest(payers, balances) as payer (account_id, balance) on payer.account_id = single.account_id
    group by balance having sum(parts * price) > 0
  ) due;
  -- Without this check, the messages of an account without balance would be written and rolled back.
  if exists (
    select from ledger_accounts account left join unnest(owing, owed) as due (balance, units) on due.balance = account.id
    where account.organization_id = organization and account.id = any(balances)
      and (due.units > posted - held or closed_at is not null or frozen_at is not null)
  ) then
    return single_balances(organization, payers, balances);
  end if;

  begin
    insert into single_sends (organization_id, id, created_on, sender_id, account_id, path, kind, campaign_id, phone, identity, header, text,
      reference, hold_id, conversation_id, content, author_id, impersonated_by, client_id, in_reply_to, metadata, send_at)
    select organization, id, current_date, sender_id, account_id, path, kind, campaign_id, phone, identity, header, coalesce(stored_text, text),
      reference, hold_id, conversation_id, coalesce(stored_content, content), author_id, impersonated_by, client_id, in_reply_to, metadata, send_at
    from unnest(singles);
    insert into priority_messages (organization_id, id, created_on, sender_id, account_id, path, kind, campaign_id, phone, identity, header, text,
      hold_id, priority, details, parts, price, billable_on, expires_at, due_at, country)
    select organization, id, current_date, sender_id, account_id, path, kind, campaign_id, phone, identity, header, text,
      hold_id, priority, details, parts, price, billable_on, expires_at, coalesce(send_at, now()), country
    from unnest(singles);
    insert into accepted_deltas (organization_id, account_id, messages, cost)
    select organization, account_id, count(*), sum(parts * price) from unnest(singles) group by account_id;
    perform freeze_single_shares(organization, singles);

    -- Holds follow the locks: their foreign key locks the balance as well, but for less.
    perform from ledger_accounts where organization_id = organization and id = any(owing) order by id for no key update;
    insert into holds (organization_id, id, ledger_account, amount, op_key, account_id, sender_id, created_on, kind, category, country)
    select organization, single.hold_id, payer.balance, single.parts * single.price, 'single:' || single.id, single.account_id, single.sender_id,
      current_date, single.kind, single.category, single.country
    from unnest(singles) single join unnest(payers, balances) as payer (account_id, balance) on payer.account_id = single.account_id;
    update ledger_accounts account set held = held + due.units
      from unnest(owing, owed) as due (balance, units)
      where account.organization_id = organization and account.id = due.balance and posted - held >= due.units
        and closed_at is null and frozen_at is null;
    get diagnostics updated = row_count;
    if updated = coalesce(cardinality(owing), 0) then
      uncovered := hold_single_shares(organization, singles);
      if uncovered = '{}' then return null; end if;
    end if;
    raise exception using errcode = 'CR001';
  exception when sqlstate 'CR001' then
    null;
  end;
  if uncovered <> '{}' then return jsonb_build_object('uncovered', uncovered); end if;
  return single_balances(organization, payers, balances);
end $$;
