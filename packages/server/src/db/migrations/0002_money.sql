-- Double entry in units of 1/10,000 rupee. A paired row cannot be unbalanced; corrections are new rows.
-- Every entry stays inside one organisation; money crosses organisations in two entries over a clearing account.

create table ledger_accounts (
  organization_id uuid not null,
  id uuid not null,
  -- The account whose money it is; the organisation's own account unless a user was given a balance of his own.
  account_id uuid not null,
  kind text not null check (kind in ('balance', 'spent', 'clearing', 'issuance', 'loss')),
  posted bigint not null default 0,
  held bigint not null default 0,
  -- A balance of one's own that was taken back: its owner draws on the organisation's again.
  closed_at timestamptz,
  -- Set while what is available is low, so that one fall is told once.
  low_since timestamptz default now(),
  -- Set when the ledger did not add up: nothing can be held until somebody has looked into it.
  frozen_at timestamptz,
  -- Up to when the entries were added up, and to what, so that the next proof reads only what came after.
  proved_at timestamptz not null default '-infinity',
  proved bigint not null default 0,
  primary key (organization_id, id),
  unique (organization_id, account_id, kind),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  check (kind <> 'balance' or posted >= 0),
  check (held >= 0),
  check (kind <> 'balance' or held <= posted),
  check (closed_at is null or (posted = 0 and held = 0))
);

create table ledger_entries (
  organization_id uuid not null,
  id uuid not null,
  debit_account uuid not null,
  credit_account uuid not null,
  amount bigint not null check (amount > 0),
  -- What makes an entry happen once: 'capture:<campaign>:<leg>:<chunk>', 'refund:<batch>', …
  op_key text not null,
  kind text not null check (kind in (
    'issue', 'transfer_out', 'transfer_in', 'topup', 'capture', 'refund', 'recharge', 'margin', 'margin_back', 'passed_on', 'passed_back',
    'adjustment')),
  -- Of messages: the campaign or single send; above the organisation that sent them: that organisation, and the campaign.
  -- Of moves: in words, from whom or to whom and why.
  reference text,
  at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, op_key),
  foreign key (organization_id, debit_account) references ledger_accounts (organization_id, id),
  foreign key (organization_id, credit_account) references ledger_accounts (organization_id, id),
  check (debit_account <> credit_account)
);
create index on ledger_entries (organization_id, debit_account, at);
create index on ledger_entries (organization_id, credit_account, at);

create table holds (
  organization_id uuid not null,
  id uuid not null,
  ledger_account uuid not null,
  amount bigint not null check (amount >= 0),
  captured bigint not null default 0 check (captured >= 0),
  -- Set when the rest was given back; nothing can be captured afterwards.
  released_at timestamptz,
  op_key text not null,
  -- Whose hold it stands beside, when messages of an organisation below cost more than that pays for them; it ends with it.
  for_organization uuid,
  for_hold uuid,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, op_key),
  foreign key (organization_id, ledger_account) references ledger_accounts (organization_id, id),
  check (captured <= amount)
);
create index on holds (for_organization, for_hold) where for_hold is not null and released_at is null;
create index on holds (organization_id, ledger_account) where released_at is null;

create table rate_cards (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  currency text not null default 'INR',
  valid_from timestamptz not null default now(),
  -- How it was made from the prices above it: {type, value}.
  markup jsonb,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, id)
);

create table rates (
  organization_id uuid not null,
  rate_card_id uuid not null,
  channel text not null,
  -- '*' for every category, every country.
  category text not null default '*',
  country text not null default '*',
  price bigint not null check (price >= 0),
  -- When the message is paid for: as soon as the provider took it, or only when it was delivered.
  billable_on text not null default 'sent' check (billable_on in ('sent', 'delivered')),
  primary key (organization_id, rate_card_id, channel, category, country),
  foreign key (organization_id, rate_card_id) references rate_cards (organization_id, id) on delete cascade
);

-- What each organisation above the sender pays for a part, as it was when the campaign was validated or the message accepted.
-- Purchase prices: no request reads them.
create table campaign_leg_shares (
  organization_id uuid not null,
  -- The campaign's id, or the single send's.
  campaign_id uuid not null,
  leg smallint not null,
  -- 1 is the next above the organisation that sends.
  level smallint not null,
  -- Who is charged, and the organisation below it on the way to the sender.
  ancestor_id uuid not null,
  child_id uuid not null,
  payer_price bigint not null check (payer_price > 0),
  child_price bigint not null check (child_price >= 0),
  price bigint not null check (price >= 0),
  -- The ancestor's hold, when the child pays less than the ancestor does.
  hold_id uuid,
  primary key (organization_id, campaign_id, leg, level)
);

-- How money moves. Functions, so that a charge takes one round trip inside the statement that records what it is for.
-- Locks are always taken in this order: the hold; then ledger accounts, of the deepest organisation first, in one organisation
-- balances before the rest and the clearing account last. What was done under an op_key is not done again.

create function ledger_account_of(organization uuid, account uuid, account_kind text) returns uuid language plpgsql as $$
declare
  found_id uuid;
begin
  select id into found_id from ledger_accounts where organization_id = organization and account_id = account and kind = account_kind;
  if found_id is null then
    insert into ledger_accounts (organization_id, id, account_id, kind) values (organization, gen_random_uuid(), account, account_kind)
      on conflict do nothing;
    select id into found_id from ledger_accounts where organization_id = organization and account_id = account and kind = account_kind;
  end if;
  return found_id;
end $$;

-- The account's own balance when it was given one, else its organisation's.
create function paying_balance(organization uuid, account uuid) returns uuid language sql stable
  return coalesce(
    (select id from ledger_accounts where organization_id = organization and account_id = account and kind = 'balance' and closed_at is null),
    (select id from ledger_accounts where organization_id = organization and account_id = organization and kind = 'balance'));

create function post_entry(organization uuid, key text, entry_kind text, debit uuid, credit uuid, units bigint, note text)
returns boolean language plpgsql as $$
begin
  if units <= 0 then return false; end if;
  perform from ledger_accounts where organization_id = organization and id in (debit, credit) order by kind = 'clearing', kind, id for update;
  insert into ledger_entries (organization_id, id, debit_account, credit_account, amount, op_key, kind, reference)
    values (organization, gen_random_uuid(), debit, credit, units, key, entry_kind, note)
    on conflict (organization_id, op_key) do nothing;
  if not found then return false; end if;
  update ledger_accounts set posted = posted + case id when credit then units else -units end
    where organization_id = organization and id in (debit, credit);
  return true;
end $$;

-- Sets money aside; null when the balance does not suffice. The same op_key gives the same hold.
create function place_hold(organization uuid, new_id uuid, balance uuid, units bigint, key text) returns uuid language plpgsql as $$
declare
  earlier uuid;
begin
  insert into holds (organization_id, id, ledger_account, amount, op_key) values (organization, new_id, balance, units, key)
    on conflict (organization_id, op_key) do nothing;
  if not found then
    select id into earlier from holds where organization_id = organization and op_key = key;
    return earlier;
  end if;
  update ledger_accounts set held = held + units
    where organization_id = organization and id = balance and posted - held >= units and closed_at is null and frozen_at is null;
  if found then return new_id; end if;
  delete from holds where organization_id = organization and id = new_id;
  return null;
end $$;

-- Takes money that the hold set aside. More than it holds comes from the free balance, and what is missing there from loss:
-- the message is sent already. False when that was done before.
create function capture_hold(organization uuid, hold uuid, units bigint, key text, note text) returns boolean language plpgsql as $$
declare
  held_for holds;
  payer uuid;
  spent uuid;
  loss uuid;
  from_hold bigint;
  from_balance bigint;
begin
  if units <= 0 or hold is null then return false; end if;
  select * into strict held_for from holds where organization_id = organization and id = hold for update;
  if exists (select from ledger_entries where organization_id = organization and op_key in (key, key || ':loss')) then return false; end if;
  select account_id into payer from ledger_accounts where organization_id = organization and id = held_for.ledger_account;
  spent := ledger_account_of(organization, payer, 'spent');
  from_hold := case when held_for.released_at is null then least(units, held_for.amount - held_for.captured) else 0 end;

  perform from ledger_accounts where organization_id = organization and id in (held_for.ledger_account, spent) order by kind = 'clearing', kind, id for update;
  if from_hold > 0 then
    update holds set captured = captured + from_hold where organization_id = organization and id = hold;
    update ledger_accounts set held = held - from_hold where organization_id = organization and id = held_for.ledger_account;
  end if;
  from_balance := from_hold;
  if units > from_hold and
    (select posted - held - from_hold from ledger_accounts where organization_id = organization and id = held_for.ledger_account) >= units - from_hold
  then
    from_balance := units;
  end if;
  perform post_entry(organization, key, 'capture', held_for.ledger_account, spent, from_balance, note);
  if units > from_balance then
    loss := ledger_account_of(organization, organization, 'loss');
    perform post_entry(organization, key || ':loss', 'capture', loss, spent, units - from_balance, note);
  end if;
  return true;
end $$;

-- Gives the rest of a hold back; afterwards nothing is held for it. Answers what was given back.
create function release_hold(organization uuid, hold uuid) returns bigint language plpgsql as $$
declare
  held_for holds;
begin
  update holds set released_at = now() where organization_id = organization and id = hold and released_at is null returning * into held_for;
  if not found then return 0; end if;
  update ledger_accounts set held = held - (held_for.amount - held_for.captured)
    where organization_id = organization and id = held_for.ledger_account;
  return held_for.amount - held_for.captured;
end $$;

-- Where money goes that belongs to a balance which was taken back meanwhile: to the organisation's.
create function open_balance(organization uuid, balance uuid) returns uuid language sql stable
  return coalesce(
    (select paying_balance(organization, account_id) from ledger_accounts
      where organization_id = organization and id = balance and closed_at is not null),
    balance);

create function refund_spent(organization uuid, balance uuid, units bigint, key text, note text) returns void language plpgsql as $$
declare
  payer uuid;
begin
  if units <= 0 then return; end if;
  balance := open_balance(organization, balance);
  select account_id into payer from ledger_accounts where organization_id = organization and id = balance;
  perform post_entry(organization, key, 'refund', ledger_account_of(organization, payer, 'spent'), balance, units, note);
end $$;

-- A message that was given back was delivered after all. Never below zero: what the balance lacks is our loss.
create function recharge_spent(organization uuid, balance uuid, units bigint, key text, note text) returns void language plpgsql as $$
declare
  payer uuid;
  spent uuid;
  source uuid;
begin
  if units <= 0 then return; end if;
  balance := open_balance(organization, balance);
  select account_id into payer from ledger_accounts where organization_id = organization and id = balance;
  spent := ledger_account_of(organization, payer, 'spent');
  source := ledger_account_of(organization, organization, 'loss');
  perform from ledger_accounts where organization_id = organization and id in (balance, spent, source) order by kind = 'clearing', kind, id for update;
  if (select posted - held from ledger_accounts where organization_id = organization and id = balance) >= units then source := balance; end if;
  perform post_entry(organization, key, 'recharge', source, spent, units, note);
end $$;
