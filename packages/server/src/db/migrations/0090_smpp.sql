-- Customers send by SMPP: their credentials, sessions, and what waits for its receipt.

create table smpp_credentials (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  -- Sessions act as this key: its owner, environment, config and limits.
  api_key_id uuid not null,
  system_id text not null unique check (length(system_id) between 1 and 15),
  -- A keyed hash: a password has eight characters at most.
  password_hash bytea not null,
  addresses text[] not null check (cardinality(addresses) > 0),
  maximum_sessions smallint not null check (maximum_sessions between 1 and 10),
  created_at timestamptz not null default now(),
  last_bound_at timestamptz,
  deactivated_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade,
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id) on delete cascade
);
create index on smpp_credentials (organization_id, account_id);
create index on smpp_credentials (organization_id, api_key_id);

-- Bound sessions of all processes. One that was not seen for a while belonged to a process that died.
create table smpp_sessions (
  organization_id uuid not null,
  credential_id uuid not null,
  id uuid not null,
  bound_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (organization_id, credential_id, id),
  foreign key (organization_id, credential_id) references smpp_credentials (organization_id, id) on delete cascade
);
create index on smpp_sessions (seen_at);

-- Long messages of which parts are missing, or that were not accepted yet.
create table smpp_long_messages (
  organization_id uuid not null,
  credential_id uuid not null,
  -- Addresses, character set, reference and number of parts.
  key text not null,
  -- The id of the message and its first part.
  id uuid not null,
  total smallint not null,
  -- By number: {text: base64, registered}.
  parts jsonb not null,
  -- What the parts have in common.
  message jsonb not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (organization_id, credential_id, key),
  foreign key (organization_id, credential_id) references smpp_credentials (organization_id, id) on delete cascade
);
create unique index on smpp_long_messages (organization_id, id);
create index on smpp_long_messages (changed_at);

-- Accepted messages whose final status is to be reported.
create table smpp_messages (
  organization_id uuid not null,
  message_id uuid not null,
  credential_id uuid not null,
  source jsonb not null,
  destination jsonb not null,
  -- The parts that asked for a receipt: {id, registered}.
  parts jsonb not null,
  submitted_at timestamptz not null,
  primary key (organization_id, message_id),
  foreign key (organization_id, credential_id) references smpp_credentials (organization_id, id) on delete cascade
);
create index on smpp_messages (organization_id, credential_id);
create index on smpp_messages (submitted_at);

-- Receipts until a receiver has confirmed them.
create table smpp_receipts (
  organization_id uuid not null,
  credential_id uuid not null,
  id uuid not null,
  -- The body of the deliver_sm.
  body bytea not null,
  due_at timestamptz not null,
  -- After three days without a receiver.
  expires_at timestamptz not null,
  -- Sent to a session that has not answered yet.
  leased_until timestamptz,
  attempts smallint not null default 0,
  primary key (organization_id, credential_id, id),
  foreign key (organization_id, credential_id) references smpp_credentials (organization_id, id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
create index on smpp_receipts (credential_id, due_at);
create index on smpp_receipts (expires_at);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['smpp_credentials', 'smpp_sessions', 'smpp_long_messages', 'smpp_messages', 'smpp_receipts'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;
