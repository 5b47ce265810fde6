-- Accounts, sessions, audit. Every tenant table carries organization_id first in its keys; row level security is the wall
-- behind the queries. Two settings say who is asking, always set inside the transaction:
--   app.organization  the organisation of the asking account (its own id above organisations)
--   app.scope         its path; it sees this subtree of accounts
--   app.descend       its path again, only for admins and resellers, who see the organisations below them
-- An unset setting comes back as an empty string after the first transaction of a connection: hence every nullif.

create extension if not exists ltree;
create extension if not exists citext;
create extension if not exists pg_trgm;

-- The roles exist: see ensure-roles.ts. An installation may give them other names, which replace these here (roles.ts).
grant usage on schema public to carillon_app, carillon_system;
alter default privileges in schema public grant select, insert, update, delete on tables to carillon_app, carillon_system;
alter default privileges in schema public grant usage on sequences to carillon_app, carillon_system;

create function app_organization() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.organization', true), '')::uuid;
create function app_scope() returns ltree language sql stable parallel safe
  return nullif(current_setting('app.scope', true), '')::ltree;
create function app_descend() returns ltree language sql stable parallel safe
  return nullif(current_setting('app.descend', true), '')::ltree;

create type role as enum ('admin', 'reseller', 'manager', 'user', 'department_head');
-- pending waits for its parent; suspended signs in and looks but sends nothing; locked may not sign in; closed is for good.
-- What stands above counts as well: see account_standing.
create type account_status as enum ('pending', 'active', 'suspended', 'locked', 'closed');

create table accounts (
  id uuid primary key,
  -- The organisation it belongs to: its manager's account, or itself for managers, resellers and admins.
  organization_id uuid not null,
  parent_id uuid references accounts (id),
  path ltree not null unique,
  role role not null,
  status account_status not null default 'active',
  username citext not null unique,
  email citext not null unique,
  name text not null,
  password_hash text not null,
  -- Raised with every password change; what was signed in before is signed out.
  password_version int not null default 1,
  is_first_login boolean not null default false,
  timezone text not null default 'Asia/Kolkata',
  phone text,
  preferences jsonb not null default '{}',
  status_reason text,
  -- The second factor's secret, encrypted and bound to this row; it counts once it was confirmed with a code.
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  -- The last time step a code was used for: a code works once.
  totp_last_step bigint not null default 0,
  recovery_codes bytea[] not null default '{}',
  -- How people may register below it: allowRegistration, autoApprove, defaultModules. Of admins and resellers.
  sign_up jsonb not null default '{}',
  -- Whether a reseller may open the accounts below it; an admin always may.
  may_impersonate boolean not null default false,
  last_active_at timestamptz,
  -- One of 1,024 logical shards, fixed at birth: what lets an organisation move to another cluster.
  shard smallint not null generated always as (abs(hashtextextended(organization_id::text, 0) % 1024)) stored,
  created_at timestamptz not null default now(),
  unique (organization_id, id)
);
create index on accounts using gist (path);

-- Whether an organisation lies below an asking admin or reseller. Runs as the owner: it is part of other tables' policies.
create function app_descends_to(organization uuid) returns boolean language sql stable security definer set search_path = public
  return exists (select from accounts where id = organization and path <@ app_descend());

-- The worst of an account's own status and those above it: what is suspended or locked above counts below.
create function account_standing(account_path ltree) returns account_status language sql stable security definer set search_path = public
  return (
    select case when max(status) = 'active' and bool_or(status = 'pending' and path = account_path) then 'pending' else max(status) end
    from accounts where path @> account_path and not (status = 'pending' and path <> account_path));

create table account_modules (
  organization_id uuid not null,
  account_id uuid not null,
  module text not null check (module in ('campaign', 'template', 'chat', 'api', 'agent')),
  primary key (organization_id, account_id, module),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);

create table sessions (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  token_hash bytea not null,
  -- Who really acts, when an admin or reseller is inside another account; why, and the handle that ends it.
  actor_id uuid,
  reason text,
  exit_hash bytea,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ip inet,
  user_agent text,
  primary key (organization_id, id),
  unique (token_hash),
  unique (exit_hash),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);
create index on sessions (organization_id, account_id);

-- Socket tickets: read and deleted in one statement, valid for 30 seconds.
create table socket_tickets (
  organization_id uuid not null,
  token_hash bytea not null,
  session_id uuid not null,
  expires_at timestamptz not null,
  primary key (organization_id, token_hash),
  unique (token_hash)
);

-- Failed sign-ins by account name and by address; kept in the database so that a restart does not clear them.
create table login_attempts (
  key text primary key,
  failures int not null,
  blocked_until timestamptz,
  last_at timestamptz not null default now()
);

create table audit_heads (
  organization_id uuid primary key,
  seq bigint not null,
  hash bytea not null
);

create table audit_log (
  organization_id uuid not null,
  seq bigint not null,
  at timestamptz not null,
  actor_id uuid,
  subject_id uuid,
  action text not null,
  object_type text,
  object_id text,
  details jsonb not null default '{}',
  previous_hash bytea not null,
  hash bytea not null,
  primary key (organization_id, seq)
);

-- The only way into the audit log: numbers the line and chains it to the one before.
create function append_audit(
  organization uuid, actor uuid, subject uuid, action text, object_type text, object_id text, details jsonb
) returns bigint language plpgsql security definer set search_path = public as $$
declare
  head audit_heads;
  line_at timestamptz := clock_timestamp();
  line_seq bigint;
  line_hash bytea;
begin
  insert into audit_heads (organization_id, seq, hash) values (organization, 0, '\x') on conflict do nothing;
  select * into head from audit_heads where organization_id = organization for update;
  line_seq := head.seq + 1;
  line_hash := sha256(head.hash || convert_to(concat_ws('|', organization, line_seq, extract(epoch from line_at), actor, subject,
    action, object_type, object_id, details), 'UTF8'));
  insert into audit_log values (organization, line_seq, line_at, actor, subject, action, object_type, object_id, details, head.hash, line_hash);
  update audit_heads set seq = line_seq, hash = line_hash where organization_id = organization;
  return line_seq;
end $$;

-- True when every line of the organisation still carries the hash it was written with, continues the line before, and the
-- last one is where the head says that the log ends.
create function audit_is_whole(organization uuid) returns boolean language sql stable security definer set search_path = public as $$
  select coalesce(bool_and(hash = expected and previous_hash = coalesce(hash_before, '\x')), true)
    and coalesce(max(seq), 0) = coalesce((select head.seq from audit_heads head where head.organization_id = organization), 0)
  from (
    select seq, hash, previous_hash, lag(hash) over (order by seq) as hash_before,
      sha256(previous_hash || convert_to(concat_ws('|', organization_id, seq, extract(epoch from at), actor_id, subject_id,
        action, object_type, object_id, details), 'UTF8')) as expected
    from audit_log
    where organization_id = organization
  ) lines
$$;

create table idempotency_keys (
  organization_id uuid not null,
  account_id uuid not null,
  endpoint text not null,
  key text not null,
  request_hash bytea not null,
  status int,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (organization_id, account_id, endpoint, key)
);
create index on idempotency_keys (created_at);

create table system_state (
  key text primary key,
  value jsonb not null
);
