-- Money through the tree: moves between accounts, what messages earn and cost the organisations above their sender, prices.
-- Functions that look or reach above what the asking account sees run as the owner and check the asking scope themselves.

-- Whether whoever asks may act for an organisation: the engine and jobs for all, a request for its own and those below.
create function app_reaches(organization uuid) returns boolean language sql stable security definer set search_path = public
  return app_scope() is null or organization = app_organization() or (app_descend() is not null and app_descends_to(organization));

-- Moves money from one ledger account to another, at most what is free; null when that was done, else what is available.
-- Between organisations there are two entries that meet over the clearing accounts, both here and in one transaction.
create function move_money(
  from_organization uuid, from_account uuid, to_organization uuid, to_account uuid, units bigint,
  key text, entry_kind text, from_note text, to_note text
) returns bigint language plpgsql as $$
declare
  source ledger_accounts;
  from_clearing uuid;
  to_clearing uuid;
begin
  if from_organization <> to_organization then
    from_clearing := ledger_account_of(from_organization, from_organization, 'clearing');
    to_clearing := ledger_account_of(to_organization, to_organization, 'clearing');
  end if;
  perform from ledger_accounts locked
    where (organization_id = from_organization and id in (from_account, from_clearing))
      or (organization_id = to_organization and id in (to_account, to_clearing))
    order by (select nlevel(path) from accounts where accounts.id = locked.organization_id) desc,
      organization_id, kind = 'clearing', kind, id
    for update;
  if exists (select from ledger_entries where organization_id = from_organization and op_key = key || ':out') then return null; end if;
  select * into strict source from ledger_accounts where organization_id = from_organization and id = from_account;
  if source.kind = 'balance' and source.posted - source.held < units then return source.posted - source.held; end if;
  if from_organization = to_organization then
    perform post_entry(from_organization, key || ':out', entry_kind, from_account, to_account, units, to_note);
  else
    perform post_entry(from_organization, key || ':out', case source.kind when 'issuance' then 'issue' else 'transfer_out' end,
      from_account, from_clearing, units, from_note);
    perform post_entry(to_organization, key || ':in', entry_kind, to_clearing, to_account, units, to_note);
  end if;
  return null;
end $$;

-- Fixes what each reseller above the sender pays for a part from now on, beside the price of the leg itself.
create function freeze_shares(
  organization uuid, campaign uuid, leg_no smallint, payer_price bigint, channel text, category text, country text
) returns void language plpgsql security definer set search_path = public as $$
begin
  if not app_reaches(organization) then return; end if;
  delete from campaign_leg_shares where organization_id = organization and campaign_id = campaign and leg = leg_no;
  if payer_price = 0 then return; end if;
  insert into campaign_leg_shares (organization_id, campaign_id, leg, level, ancestor_id, child_id, payer_price, child_price, price)
  select organization, campaign, leg_no, row_number() over nearest_first, id, lag(id, 1, organization) over nearest_first,
    payer_price, lag(own_price, 1, payer_price) over nearest_first, own_price
  from (
    select above.id, above.path,
      coalesce((select price from find_rate(above.id, channel, category, country)), 0) as own_price
    from accounts sender join accounts above on above.path @> sender.path
    where sender.id = organization and above.id <> organization and above.role = 'reseller'
  ) reseller
  window nearest_first as (order by nlevel(path) desc);
end $$;

-- Sets aside, on each reseller above, what its own price for the held units is beyond what it is paid for them. False, and
-- whoever asks must give everything up, when one of them cannot afford it.
create function hold_shares(organization uuid, campaign uuid, own_hold uuid, units bigint) returns boolean
language plpgsql security definer set search_path = public as $$
declare
  share record;
  placed uuid;
begin
  if not app_reaches(organization) then return false; end if;
  for share in
    select * from campaign_leg_shares
    where organization_id = organization and campaign_id = campaign and price > child_price
    order by level
  loop
    placed := place_hold(share.ancestor_id, gen_random_uuid(), ledger_account_of(share.ancestor_id, share.ancestor_id, 'balance'),
      coalesce(nullif((select estimated from campaign_legs leg
        where leg.organization_id = organization and leg.campaign_id = campaign and leg.leg = share.leg), 0), units)
        / share.payer_price * (share.price - share.child_price), 'share:' || own_hold || ':' || share.leg);
    if placed is null then return false; end if;
    update holds set for_organization = organization, for_hold = own_hold where organization_id = share.ancestor_id and id = placed;
    update campaign_leg_shares set hold_id = placed
      where organization_id = organization and campaign_id = campaign and leg = share.leg and level = share.level;
  end loop;
  return true;
end $$;

-- Gives back what is left of holds whose sender's own hold has ended; a few at a time.
create function release_shares() returns bigint language plpgsql as $$
declare
  ended record;
  released bigint := 0;
begin
  for ended in
    select share.organization_id, share.id
    from holds share
    join holds own on own.organization_id = share.for_organization and own.id = share.for_hold
    where share.for_hold is not null and share.released_at is null and own.released_at is not null
    order by (select nlevel(path) from accounts where accounts.id = share.organization_id) desc, share.organization_id, share.id
    limit 200
    for update of share skip locked
  loop
    released := released + release_hold(ended.organization_id, ended.id);
  end loop;
  return released;
end $$;

-- Takes what an organisation above owes for messages: from the holds that were placed for them, then from what is free, and
-- what is missing there from loss, for the messages are sent.
create function charge_share(ancestor uuid, units bigint, hold_ids uuid[], from_holds bigint[], key text, note text) returns void
language plpgsql as $$
declare
  balance uuid := ledger_account_of(ancestor, ancestor, 'balance');
  spent uuid := ledger_account_of(ancestor, ancestor, 'spent');
  freed bigint;
  from_balance bigint;
begin
  with open as materialized (
    select holds.id, least(wanted.units, holds.amount - captured) as units
    from unnest(hold_ids, from_holds) as wanted (id, units)
    join holds on holds.organization_id = ancestor and holds.id = wanted.id and released_at is null
    order by holds.id
    for update of holds
  ), taken as (
    update holds set captured = captured + open.units from open where holds.organization_id = ancestor and holds.id = open.id
  )
  select coalesce(sum(open.units), 0) into freed from open;
  update ledger_accounts set held = held - freed where organization_id = ancestor and id = balance and freed > 0;
  select least(units, posted - held) into from_balance from ledger_accounts where organization_id = ancestor and id = balance;
  perform post_entry(ancestor, key || ':usage', 'capture', balance, spent, from_balance, note);
  perform post_entry(ancestor, key || ':loss', 'capture', ledger_account_of(ancestor, ancestor, 'loss'), spent, units - from_balance, note)
  where units > from_balance;
end $$;

-- What was charged for messages goes up the tree: each organisation pays the one above what was agreed, which earns that and
-- is charged its own price. The last thing a transaction does: the balances above are everybody's.
create function pass_up(organization uuid, campaigns uuid[], legs smallint[], charged bigint[], key text) returns void
language plpgsql as $$
declare
  share record;
begin
  for share in
    select level, ancestor_id as ancestor, child_id as child,
      sum(unit.charged / payer_price * child_price)::bigint as paid, sum(unit.charged / payer_price * price)::bigint as owed,
      array_agg(hold_id) filter (where hold_id is not null) as hold_ids,
      array_agg(unit.charged / payer_price * (price - child_price)) filter (where hold_id is not null) as from_holds,
      organization || case when count(*) = 1 then ':' || min(campaign_id::text) else '' end as note
    from unnest(campaigns, legs, charged) as unit (campaign, leg, charged)
    join campaign_leg_shares shares
      on shares.organization_id = organization and shares.campaign_id = unit.campaign and shares.leg = unit.leg
    where unit.charged > 0
    group by level, ancestor_id, child_id
    order by level, ancestor_id
  loop
    perform post_entry(share.child, key || ':up', 'passed_on', ledger_account_of(share.child, share.child, 'spent'),
      ledger_account_of(share.child, share.child, 'clearing'), share.paid, share.note);
    perform from ledger_accounts where organization_id = share.ancestor and account_id = share.ancestor
      and kind in ('balance', 'spent', 'clearing') order by kind = 'clearing', kind, id for update;
    perform post_entry(share.ancestor, key || ':margin', 'margin', ledger_account_of(share.ancestor, share.ancestor, 'clearing'),
      ledger_account_of(share.ancestor, share.ancestor, 'balance'), share.paid, share.note);
    perform charge_share(share.ancestor, share.owed, share.hold_ids, share.from_holds, key, share.note);
  end loop;
end $$;

-- The other way round, for messages that are not to be paid after all. An organisation that has spent what it earned with
-- them is not asked for more than it has.
create function pass_back(organization uuid, campaigns uuid[], legs smallint[], refunded bigint[], key text) returns void
language plpgsql as $$
declare
  share record;
  balance uuid;
  clearing uuid;
  from_balance bigint;
begin
  for share in
    select level, ancestor_id as ancestor, child_id as child,
      sum(unit.refunded / payer_price * child_price)::bigint as paid, sum(unit.refunded / payer_price * price)::bigint as owed,
      organization || case when count(*) = 1 then ':' || min(campaign_id::text) else '' end as note
    from unnest(campaigns, legs, refunded) as unit (campaign, leg, refunded)
    join campaign_leg_shares shares
      on shares.organization_id = organization and shares.campaign_id = unit.campaign and shares.leg = unit.leg
    where unit.refunded > 0
    group by level, ancestor_id, child_id
    order by level, ancestor_id
  loop
    perform post_entry(share.child, key || ':back', 'passed_back', ledger_account_of(share.child, share.child, 'clearing'),
      ledger_account_of(share.child, share.child, 'spent'), share.paid, share.note);
    balance := ledger_account_of(share.ancestor, share.ancestor, 'balance');
    clearing := ledger_account_of(share.ancestor, share.ancestor, 'clearing');
    perform from ledger_accounts where organization_id = share.ancestor and account_id = share.ancestor
      and kind in ('balance', 'spent', 'clearing') order by kind = 'clearing', kind, id for update;
    perform post_entry(share.ancestor, key || ':refund', 'refund', ledger_account_of(share.ancestor, share.ancestor, 'spent'),
      balance, share.owed, share.note);
    select least(share.paid, posted - held) into from_balance from ledger_accounts
      where organization_id = share.ancestor and id = balance;
    perform post_entry(share.ancestor, key || ':margin', 'margin_back', balance, clearing, from_balance, share.note);
    perform post_entry(share.ancestor, key || ':loss', 'margin_back', ledger_account_of(share.ancestor, share.ancestor, 'loss'),
      clearing, share.paid - from_balance, share.note)
    where share.paid > from_balance;
  end loop;
end $$;

-- A charge for messages of one campaign or single send, from the payer's hold and up the tree; once for each key.
create function charge_messages(organization uuid, hold uuid, units bigint, key text, campaign uuid, leg smallint) returns void
language plpgsql as $$
begin
  if capture_hold(organization, hold, units, key, campaign::text) then
    perform pass_up(organization, array[campaign], array[leg], array[units], key);
  end if;
end $$;

-- Prices of an organisation below, or an admin's base prices. Nobody makes prices for himself: what one pays is decided above.
create function add_rate_card(card uuid, organization uuid, card_name text, since timestamptz, made_by jsonb, author uuid, prices jsonb)
returns boolean language plpgsql security definer set search_path = public as $$
begin
  if not exists (
    select from accounts where id = organization and organization_id = organization and path <@ app_scope()
      and (path <> app_scope() or role = 'admin') and (app_descend() is not null)
  ) then return false; end if;
  insert into rate_cards (organization_id, id, name, valid_from, markup, created_by)
    values (organization, card, card_name, since, made_by, author);
  insert into rates (organization_id, rate_card_id, channel, category, country, price, billable_on)
    select organization, card, price.channel, price.category, price.country, price.price, price.billable_on
    from jsonb_to_recordset(prices) as price (channel text, category text, country text, price bigint, billable_on text);
  return true;
end $$;

-- Takes a card back that is not in force yet.
create function remove_rate_card(organization uuid, card uuid) returns boolean language plpgsql security definer set search_path = public as $$
begin
  delete from rate_cards using accounts
    where rate_cards.organization_id = organization and rate_cards.id = card and rate_cards.valid_from > now()
      and accounts.id = organization and accounts.path <@ app_scope() and app_descend() is not null
      and (accounts.path <> app_scope() or accounts.role = 'admin');
  return found;
end $$;

-- The organisation of an account on the way up or down from the asking one.
create function organization_above(account uuid) returns uuid language sql stable security definer set search_path = public
  return (select organization_id from accounts where id = account and (path @> app_scope() or path <@ app_scope()));
