-- Single sends are accepted in arrays, and counted as they are accepted: a limit is checked against counters instead of counting them.

-- Accepted single sends and what was held for them. Folded each second.
create table accepted_deltas (
  organization_id uuid not null,
  account_id uuid not null,
  at timestamptz not null default now(),
  id bigint generated always as identity,
  messages int not null,
  cost bigint not null,
  primary key (organization_id, account_id, at, id)
);
-- The same by quarter of an hour: days begin at one in every time zone.
create table accepted_quarters (
  organization_id uuid not null,
  account_id uuid not null,
  at timestamptz not null,
  messages int not null,
  cost bigint not null,
  primary key (organization_id, account_id, at)
) with (fillfactor = 50);
-- The same by day in UTC.
create table accepted_days (
  organization_id uuid not null,
  account_id uuid not null,
  day date not null,
  messages int not null,
  cost bigint not null,
  primary key (organization_id, account_id, day)
) with (fillfactor = 50);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['accepted_deltas', 'accepted_quarters', 'accepted_days'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;

insert into accepted_days (organization_id, account_id, day, messages, cost)
select single.organization_id, single.account_id, (single.created_at at time zone 'UTC')::date, count(*), coalesce(sum(hold.amount), 0)
from single_sends single
left join holds hold on hold.organization_id = single.organization_id and hold.id = single.hold_id
group by 1, 2, 3;
insert into accepted_quarters (organization_id, account_id, at, messages, cost)
select single.organization_id, single.account_id, date_bin('15 minutes', single.created_at, 'epoch'), count(*), coalesce(sum(hold.amount), 0)
from single_sends single
left join holds hold on hold.organization_id = single.organization_id and hold.id = single.hold_id
where single.created_at >= now() - interval '40 days'
group by 1, 2, 3;

-- Single sends that an account and those below it have accepted since the beginning of a day, and their cost.
create function accepted_since(account_path ltree, since timestamptz, out messages bigint, out cost bigint)
language sql stable security definer set search_path = public as $$
  with account as (
    select organization_id, id from accounts where path <@ account_path
  ), midnight as (
    -- The first whole day in UTC.
    select (date_trunc('day', since at time zone 'UTC' - interval '1 microsecond') + interval '1 day') as at
  )
  select coalesce(sum(accepted.messages), 0)::bigint, coalesce(sum(accepted.cost), 0)::bigint
  from (
    select quarter.messages, quarter.cost from midnight, account
    join accepted_quarters quarter on quarter.organization_id = account.organization_id and quarter.account_id = account.id
    where quarter.at >= since and quarter.at < midnight.at at time zone 'UTC'
    union all
    select whole.messages, whole.cost from midnight, account
    join accepted_days whole on whole.organization_id = account.organization_id and whole.account_id = account.id
    where whole.day >= midnight.at::date
    union all
    select delta.messages, delta.cost from account
    join accepted_deltas delta on delta.organization_id = account.organization_id and delta.account_id = account.id
    where delta.at >= since
  ) accepted
$$;
revoke all on function accepted_since from public;

create or replace function limit_used(limit_key text, account_path ltree, zone text) returns bigint
language plpgsql stable security definer set search_path = public as $$
declare
  since timestamptz := date_trunc(case when limit_key = 'messages_per_month' then 'month' else 'day' end, now() at time zone zone) at time zone zone;
begin
  case limit_key
  when 'users' then
    return (select count(*) from accounts where path <@ account_path and path <> account_path
      and role in ('user', 'department_head') and organization_id <> id and status <> 'closed');
  when 'sub_accounts' then
    return (select count(*) from accounts where path <@ account_path and path <> account_path and organization_id = id and status <> 'closed');
  when 'sms_accounts' then
    return (select count(*) from senders join accounts owner on owner.id = senders.created_by
      where owner.path <@ account_path and senders.channel = 'sms' and senders.deleted_at is null);
  when 'templates' then
    return (select count(*) from templates join accounts owner on owner.id = templates.created_by where owner.path <@ account_path
      and templates.deleted_at is null);
  when 'campaigns_running' then
    return (select count(*) from campaigns where path <@ account_path and status in ('queued', 'running', 'paused'));
  when 'messages_per_day', 'messages_per_month' then
    return (select coalesce(sum(case when status = 'cancelled' then least(total, (campaign_used(organization_id, id)).people) else total end), 0)
      from campaigns where path <@ account_path and started_at >= since)
      + (select messages from accepted_since(account_path, since));
  when 'spend_per_day' then
    return (select coalesce(sum(case when status = 'cancelled' then (campaign_used(organization_id, id)).cost else estimated_cost end), 0)
      from campaigns where path <@ account_path and started_at >= since)
      + (select cost from accepted_since(account_path, since));
  when 'storage_mb' then
    return (select coalesce(sum(size_bytes), 0) from files join accounts owner on owner.id = files.created_by where owner.path <@ account_path);
  else
    return 0;
  end case;
end $$;

-- The limits of accounts and of those above them, with what may still be added, in base units. Locks the limits like
-- `first_limit_exceeded`, until the transaction ends.
create function limit_rooms(account_paths ltree[], keys text[])
returns table (limit_key text, account_path ltree, allowed bigint, room bigint)
language plpgsql security definer set search_path = public set plan_cache_mode = force_generic_plan as $$
declare
  bound record;
begin
  for bound in
    select account.id, account.path, account.timezone, account_limits.key, account_limits.value
    from (
      select distinct subpath(asked.path, 0, level) as path
      from unnest(account_paths) as asked (path) cross join generate_series(1, nlevel(asked.path)) as level
    ) above
    join accounts account on account.path = above.path
    join account_limits on account_limits.organization_id = account.organization_id and account_limits.account_id = account.id
      and account_limits.key = any(keys)
    where account_limits.value is not null
    order by nlevel(account.path), account.path, account_limits.key
  loop
    perform pg_advisory_xact_lock(hashtextextended(bound.id || bound.key, 0));
    return query select bound.key, bound.path, bound.value,
      bound.value * limit_unit(bound.key) - limit_used(bound.key, bound.path, bound.timezone);
  end loop;
end $$;

-- Single sends of moved accounts are on the days on which these accepted some, by a clock in UTC.
create or replace function settle_paths(subtree ltree) returns void language plpgsql security definer set search_path = public as $$
declare
  owned record;
  sent_on date;
begin
  for owned in select * from (values
    ('campaigns', 'created_by'), ('audiences', 'created_by'), ('invitations', 'created_by'), ('priority_messages', 'account_id'),
    ('topup_requests', 'account_id'), ('support_requests', 'account_id')) as t (name, owner)
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

-- A single send with its price.
create type new_single as (
  id uuid,
  hold_id uuid,
  account_id uuid,
  path ltree,
  sender_id uuid,
  kind text,
  campaign_id uuid,
  phone bigint,
  identity text,
  header text,
  text text,
  conversation_id uuid,
  content jsonb,
  reference text,
  author_id uuid,
  impersonated_by uuid,
  client_id text,
  in_reply_to text,
  metadata jsonb,
  send_at timestamptz,
  -- Instead of text and content in single_sends, which keeps no secrets.
  stored_text text,
  stored_content jsonb,
  priority smallint,
  details jsonb,
  parts smallint,
  price bigint,
  billable_on text,
  expires_at timestamptz,
  channel text,
  category text,
  country text
);

-- Fixes what each reseller above the organization pays for these messages, like `freeze_shares` for a campaign. Prices depend on
-- channel, category and country only.
create function freeze_single_shares(organization uuid, singles new_single[]) returns void
language plpgsql security definer set search_path = public as $$
begin
  if not app_reaches(organization) then return; end if;
  insert into campaign_leg_shares (organization_id, campaign_id, leg, level, ancestor_id, child_id, payer_price, child_price, price)
  select organization, single.id, 0, share.level, share.ancestor_id, share.child_id, single.price, share.child_price, share.price
  from (select distinct price, channel, category, country from unnest(singles) where price > 0) priced
  cross join lateral (
    select row_number() over nearest_first as level, reseller.id as ancestor_id, lag(reseller.id, 1, organization) over nearest_first as child_id,
      lag(reseller.price, 1, priced.price) over nearest_first as child_price, reseller.price
    from (
      select above.id, above.path,
        coalesce((select found.price from find_rate(above.id, priced.channel, priced.category, priced.country) found), 0) as price
      from accounts founder
      cross join generate_series(1, nlevel(founder.path) - 1) as place
      join accounts above on above.path = subpath(founder.path, 0, place)
      where founder.id = organization and above.role = 'reseller'
    ) reseller
    window nearest_first as (order by nlevel(reseller.path) desc)
  ) share
  join unnest(singles) single on single.price = priced.price and single.channel = priced.channel and single.category = priced.category
    and single.country = priced.country;
end $$;

-- Holds on each reseller above what its own price for these messages is beyond what it is paid for them, like `hold_shares` for a
-- campaign. Returns the messages that a balance does not cover, in the order given; then nothing is held, and the caller must
-- roll back.
create function hold_single_shares(organization uuid, singles new_single[]) returns uuid[]
language plpgsql security definer set search_path = public as $$
declare
  resellers uuid[];
  balances uuid[];
  rooms bigint[];
  share record;
  uncovered uuid[] := '{}';
begin
  if not app_reaches(organization) then return array(select id from unnest(singles)); end if;
  select array_agg(id), array_agg(ledger_account_of(id, id, 'balance')) into resellers, balances
  from (
    select distinct ancestor_id as id from campaign_leg_shares
    where organization_id = organization and campaign_id = any(array(select id from unnest(singles))) and price > child_price
  ) reseller;
  if resellers is null then return '{}'; end if;

  perform from ledger_accounts locked
    where organization_id = any(resellers) and id = any(balances)
    order by (select nlevel(path) from accounts where accounts.id = locked.organization_id) desc, organization_id, id
    for update;
  select array_agg(case when closed_at is null and frozen_at is null then posted - held else -1 end order by place) into rooms
  from unnest(resellers, balances) with ordinality as reseller (organization_id, id, place)
  join ledger_accounts using (organization_id, id);
  for share in
    select single.id, array_agg(array_position(resellers, ancestor_id)) as places, array_agg(single.parts * (shares.price - child_price)) as units
    from unnest(singles) with ordinality as single
    join campaign_leg_shares shares on shares.organization_id = organization and shares.campaign_id = single.id and shares.price > child_price
    group by single.ordinality, single.id
    order by single.ordinality
  loop
    if exists (select from unnest(share.places, share.units) as due (place, units) where due.units > rooms[due.place]) then
      uncovered := uncovered || share.id;
      continue;
    end if;
    for place in 1 .. cardinality(share.places) loop
      rooms[share.places[place]] := rooms[share.places[place]] - share.units[place];
    end loop;
  end loop;
  if cardinality(uncovered) > 0 then return uncovered; end if;

  with due as (
    select shares.ancestor_id, shares.level, single.id as single_id, single.hold_id as own_hold, gen_random_uuid() as hold_id,
      balances[array_position(resellers, shares.ancestor_id)] as balance, single.parts * (shares.price - shares.child_price) as units
    from unnest(singles) single
    join campaign_leg_shares shares on shares.organization_id = organization and shares.campaign_id = single.id and shares.price > shares.child_price
  ), placed as (
    insert into holds (organization_id, id, ledger_account, amount, op_key, for_organization, for_hold)
    select ancestor_id, hold_id, balance, units, 'share:' || own_hold || ':0', organization, own_hold from due
  ), marked as (
    update campaign_leg_shares shares set hold_id = due.hold_id from due
    where shares.organization_id = organization and shares.campaign_id = due.single_id and shares.leg = 0 and shares.level = due.level
  )
  update ledger_accounts account set held = held + sums.units
  from (select ancestor_id, balance, sum(units) as units from due group by ancestor_id, balance) sums
  where account.organization_id = sums.ancestor_id and account.id = sums.balance;
  return '{}';
end $$;

-- What the balances of accounts have left.
create function single_balances(organization uuid, payers uuid[], balances uuid[]) returns jsonb language sql as $$
  select jsonb_build_object('balances', jsonb_agg(jsonb_build_object('accountId', payer.account_id, 'balanceId', account.id,
    'available', account.posted - account.held, 'isFrozen', account.frozen_at is not null)))
  from unnest(payers, balances) as payer (account_id, balance)
  join ledger_accounts account on account.organization_id = organization and account.id = payer.balance
$$;

-- Accepts single sends of one organization, all of them or none: holds the cost of each, stores it, and queues it. Balances are
-- locked last. Null if they are accepted; else the balances of the accounts, or the messages that a reseller's balance does not cover.
create function accept_singles(organization uuid, entries jsonb) returns jsonb language plpgsql as $$
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
      hold_id, priority, details, parts, price, billable_on, expires_at, due_at)
    select organization, id, current_date, sender_id, account_id, path, kind, campaign_id, phone, identity, header, text,
      hold_id, priority, details, parts, price, billable_on, expires_at, coalesce(send_at, now())
    from unnest(singles);
    insert into accepted_deltas (organization_id, account_id, messages, cost)
    select organization, account_id, count(*), sum(parts * price) from unnest(singles) group by account_id;
    perform freeze_single_shares(organization, singles);

    -- Holds follow the locks: their foreign key locks the balance as well, but for less.
    perform from ledger_accounts where organization_id = organization and id = any(owing) order by id for no key update;
    insert into holds (organization_id, id, ledger_account, amount, op_key, account_id, sender_id)
    select organization, single.hold_id, payer.balance, single.parts * single.price, 'single:' || single.id, single.account_id, single.sender_id
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
