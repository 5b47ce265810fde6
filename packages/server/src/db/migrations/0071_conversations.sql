-- Conversations: one charge for a person and 24 hours, beside the prices of the messages.
create extension if not exists btree_gist;

-- Category of the rate card by which conversations of the sender are charged; null if they are not charged.
alter table senders add column conversation_category text;
update senders set conversation_category = 'conversation' from rcs_bots bot
where senders.channel = 'rcs' and bot.organization_id = senders.organization_id and bot.id = senders.id
  and bot.details ->> 'billing' = 'conversational';

-- Replies that open no conversation yet: no message was delivered to the person within 24 hours before or after.
create table waiting_replies (
  organization_id uuid not null,
  sender_id uuid not null,
  phone bigint not null,
  replied_at timestamptz not null,
  country text not null,
  created_at timestamptz not null default now(),
  -- A delivery that was being stored beside the reply may have been committed without either seeing the other. Once no
  -- transaction from before this one is running, the reply is compared with the deliveries once more.
  recheck_after xid8,
  rechecked_at timestamptz,
  primary key (organization_id, sender_id, phone, replied_at),
  foreign key (organization_id, sender_id) references senders (organization_id, id) on delete cascade
);
create index on waiting_replies (organization_id) where rechecked_at is null;
create index on waiting_replies (created_at);

-- What was charged for conversations that one batch of events opened, by sender, account and country.
create table conversation_charges (
  organization_id uuid not null,
  id uuid not null,
  sender_id uuid not null,
  -- Who sent the messages that were replied to; its balance pays.
  account_id uuid not null,
  channel channel not null,
  category text not null,
  country text not null,
  -- Of one conversation; 0 if the rate card has no price.
  price bigint not null check (price >= 0),
  conversations int not null check (conversations > 0),
  at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, sender_id) references senders (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id)
);

-- The charged conversations of recent weeks. Two of a person with a sender never overlap, so neither repeated events nor
-- processes that handle them at the same time can charge twice.
create table conversations (
  organization_id uuid not null,
  sender_id uuid not null,
  phone bigint not null,
  began_at timestamptz not null,
  charge_id uuid not null,
  account_id uuid not null,
  country text not null,
  primary key (organization_id, sender_id, phone, began_at),
  foreign key (organization_id, sender_id) references senders (organization_id, id) on delete cascade,
  exclude using gist (organization_id with =, sender_id with =, phone with =,
    tsrange(began_at at time zone 'UTC', began_at at time zone 'UTC' + interval '24 hours') with &&)
);
create index on conversations (began_at);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['waiting_replies', 'conversation_charges', 'conversations'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;

-- Takes money for which nothing was set aside, because what it is for was caused by others: a reply opened a conversation. What
-- the free balance lacks comes from loss, so that a balance is never below zero.
create function charge_afterwards(organization uuid, balance uuid, units bigint, key text, note text) returns void language plpgsql as $$
declare
  payer uuid;
  spent uuid;
  from_balance bigint;
begin
  if units <= 0 or exists (select from ledger_entries where organization_id = organization and op_key in (key, key || ':loss')) then return; end if;
  balance := open_balance(organization, balance);
  select account_id into payer from ledger_accounts where organization_id = organization and id = balance;
  spent := ledger_account_of(organization, payer, 'spent');
  perform from ledger_accounts where organization_id = organization and id in (balance, spent) order by kind = 'clearing', kind, id for update;
  select least(units, posted - held) into from_balance from ledger_accounts where organization_id = organization and id = balance;
  perform post_entry(organization, key, 'capture', balance, spent, from_balance, note);
  if units > from_balance then
    perform post_entry(organization, key || ':loss', 'capture', ledger_account_of(organization, organization, 'loss'), spent,
      units - from_balance, note);
  end if;
end $$;
