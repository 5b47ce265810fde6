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
  primary key (organization_id, id),
  unique (organization_id, account_id, kind),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  check (kind <> 'balance' or posted >= 0),
  check (held >= 0),
  check (kind <> 'balance' or held <= posted)
);

create table ledger_entries (
  organization_id uuid not null,
  id uuid not null,
  debit_account uuid not null,
  credit_account uuid not null,
  amount bigint not null check (amount > 0),
  -- What makes an entry happen once: 'capture:<campaign>:<leg>:<chunk>', 'refund:<batch>', …
  op_key text not null,
  kind text not null check (kind in ('issue', 'transfer_out', 'transfer_in', 'capture', 'refund', 'recharge', 'adjustment')),
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
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, op_key),
  foreign key (organization_id, ledger_account) references ledger_accounts (organization_id, id),
  check (captured <= amount)
);

create table rate_cards (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  currency text not null default 'INR',
  valid_from timestamptz not null default now(),
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
