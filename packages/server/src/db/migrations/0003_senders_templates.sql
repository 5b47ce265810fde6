create type channel as enum ('sms', 'rcs', 'whatsapp', 'voice', 'email');

create table channel_flags (
  organization_id uuid primary key,
  flags jsonb not null default '{}'
);

-- The customer's standing with a provider. Secrets are AES-256-GCM, bound to this row.
create table provider_accounts (
  organization_id uuid not null,
  id uuid not null,
  channel channel not null,
  provider text not null,
  name text not null,
  config jsonb not null,
  secrets bytea,
  secret_names text[] not null default '{}',
  -- In the path of this account's callback address; a provider that cannot sign is known by it.
  callback_key text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (callback_key)
);

-- What the recipient sees as origin, and one sending lane: its own queue, rate, connections and breaker.
-- An SMS account is one sender with several headers, because the operator counts the rate of the account.
create table senders (
  organization_id uuid not null,
  id uuid not null,
  provider_account_id uuid not null,
  channel channel not null,
  name text not null,
  headers text[] not null default '{}',
  entity_id text,
  rate_per_second int not null default 30 check (rate_per_second > 0),
  is_active boolean not null default false,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, provider_account_id) references provider_accounts (organization_id, id)
);

-- Who may send on a sender now. The epoch fences a former owner; time is PostgreSQL's.
create table lanes (
  organization_id uuid not null,
  sender_id uuid not null,
  owner text,
  epoch bigint not null default 0,
  lease_until timestamptz,
  -- Virtual time of the fair queue: what the last leased chunk carried.
  vtime double precision not null default 0,
  state jsonb not null default '{}',
  state_at timestamptz,
  primary key (organization_id, sender_id),
  foreign key (organization_id, sender_id) references senders (organization_id, id) on delete cascade
);

create table templates (
  organization_id uuid not null,
  id uuid not null,
  channel channel not null,
  sender_id uuid,
  name text not null,
  status text not null,
  category text not null,
  language text not null,
  -- Typed by the channel: for SMS header, body, variables, entityId, dltTemplateId, encoding, parts, worstParts.
  content jsonb not null,
  used_count int not null default 0,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, channel, sender_id, name),
  foreign key (organization_id, sender_id) references senders (organization_id, id)
);
create index on templates (organization_id, channel, updated_at desc);

create table template_events (
  organization_id uuid not null,
  id uuid not null,
  template_id uuid not null,
  at timestamptz not null default now(),
  actor_id uuid,
  event text not null,
  details jsonb not null default '{}',
  primary key (organization_id, id),
  foreign key (organization_id, template_id) references templates (organization_id, id) on delete cascade
);

create table opt_outs (
  organization_id uuid not null,
  channel channel not null,
  phone bigint not null,
  keyword text not null,
  sender_id uuid,
  at timestamptz not null default now(),
  primary key (organization_id, channel, phone)
);

-- What people wrote to us. The dedupe key is the provider's id, or a hash of the words when it gives none.
create table inbound_messages (
  organization_id uuid not null,
  id uuid not null,
  channel channel not null,
  sender_id uuid not null,
  phone bigint not null,
  sent_to text not null,
  text text not null,
  dedupe_key text not null,
  received_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, sender_id, dedupe_key)
);
create index on inbound_messages (organization_id, phone, received_at desc);
