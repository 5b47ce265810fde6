-- People and money: ways in, limits, requests for balance, invoices, support, notifications, brands.

-- A link that sets a password: one use, bound to the account and to the password it had when it was asked for.
create table password_resets (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  token_hash bytea not null,
  password_version int not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (token_hash),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);
create index on password_resets (organization_id, account_id);

-- organization_id: the inviting account's; path: the inviting account's, whose subtree sees it.
create table invitations (
  organization_id uuid not null,
  id uuid not null,
  path ltree not null,
  parent_id uuid not null,
  token_hash bytea not null,
  email citext not null,
  role role not null,
  modules text[] not null default '{}',
  own_balance boolean not null default false,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id),
  unique (token_hash)
);
create index on invitations (organization_id, created_at desc);

-- What is to be mailed, written with the deed that asks for it. Readable in demo mode; what was sent is kept thirty days.
create table mails (
  organization_id uuid not null,
  id uuid not null,
  recipient text not null,
  from_name text,
  reply_to text,
  subject text not null,
  body text not null,
  -- What the body's one link leads to, if it has one.
  link text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  attempts int not null default 0,
  error text,
  primary key (organization_id, id)
);
create index on mails (created_at);

-- A limit set for an account; it binds everyone below it as well. A missing row means: as above.
create table account_limits (
  organization_id uuid not null,
  account_id uuid not null,
  key text not null,
  -- Null lifts what is set further up no higher than that.
  value bigint check (value >= 0),
  set_by uuid not null,
  set_at timestamptz not null default now(),
  primary key (organization_id, account_id, key),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);

create type topup_status as enum ('pending', 'approved', 'rejected', 'cancelled');

create table topup_requests (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  path ltree not null,
  -- Who is asked: the account that the money would come from.
  answerer_id uuid not null,
  amount bigint not null check (amount > 0),
  approved bigint check (approved > 0),
  status topup_status not null default 'pending',
  note text not null default '',
  answer text,
  answered_by uuid,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id),
  check ((status = 'approved') = (approved is not null))
);
create index on topup_requests (answerer_id, status, created_at desc);
create index on topup_requests (organization_id, account_id, created_at desc);

create table billing_details (
  organization_id uuid primary key,
  details jsonb not null
);

-- One a month for each account that was billed, by the one above it. Numbers run without gaps for each issuer.
create table invoice_numbers (
  organization_id uuid not null,
  year int not null,
  last_number int not null,
  primary key (organization_id, year)
);
create table invoices (
  -- The organisation that is billed.
  organization_id uuid not null,
  id uuid not null,
  issuer_id uuid not null,
  number text not null,
  month date not null,
  lines jsonb not null,
  -- Names, addresses and tax numbers as they were.
  issuer jsonb not null,
  billed jsonb not null,
  subtotal bigint not null,
  tax bigint not null,
  total bigint not null check (total = subtotal + tax),
  issued_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, issuer_id, month)
);
create index on invoices (issuer_id, month desc);

create type support_status as enum ('open', 'in_progress', 'waiting_on_customer', 'resolved', 'closed', 'reopened');

create table support_requests (
  organization_id uuid not null,
  id uuid not null,
  -- Counted for each organisation.
  number int not null,
  kind text not null check (kind in ('support', 'feedback')),
  subject text not null,
  category text not null,
  priority text not null,
  status support_status not null default 'open',
  account_id uuid not null,
  path ltree not null,
  -- Whose turn it is: the account above the opener, or further up after an escalation.
  answerer_id uuid,
  -- Everybody it was put to so far; they go on seeing it.
  put_to uuid[] not null default '{}',
  escalated_at timestamptz,
  campaign_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, number),
  foreign key (organization_id, account_id) references accounts (organization_id, id)
);
create index on support_requests using gin (put_to);
create index on support_requests (organization_id, account_id, updated_at desc);

create table support_messages (
  organization_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  author_id uuid,
  author_name text not null,
  author_role role,
  direction text not null check (direction in ('customer', 'staff', 'system')),
  visibility text not null default 'public' check (visibility in ('public', 'internal')),
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, id),
  foreign key (organization_id, request_id) references support_requests (organization_id, id) on delete cascade
);
create index on support_messages (organization_id, request_id, created_at);

create table support_reads (
  organization_id uuid not null,
  request_id uuid not null,
  account_id uuid not null,
  read_at timestamptz not null,
  primary key (organization_id, request_id, account_id),
  foreign key (organization_id, request_id) references support_requests (organization_id, id) on delete cascade
);

create table notifications (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  title text not null,
  description text not null,
  link jsonb,
  -- Makes one event one notification, however often it is told.
  event_key text not null,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, account_id, event_key),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);
create index on notifications (organization_id, account_id, created_at desc);
create index on notifications (created_at);

create table brands (
  organization_id uuid primary key,
  brand jsonb not null,
  logo_key text,
  logo_type text,
  logo_id uuid,
  updated_at timestamptz not null default now()
);
-- A host name shows one brand: the one uniqueness across organisations besides the login.
create table brand_hosts (
  organization_id uuid not null,
  host text not null,
  primary key (organization_id, host),
  unique (host)
);

do $$
declare
  tenant_table text;
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  foreach tenant_table in array array[
    'password_resets', 'mails', 'account_limits', 'billing_details', 'invoice_numbers', 'invoices',
    'support_messages', 'support_reads', 'notifications', 'brands', 'brand_hosts'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %1$I to carillon_app using (%2$s) with check (%2$s)', tenant_table, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', tenant_table);
    execute format('create policy owner on %I to %I using (true) with check (true)', tenant_table, current_user);
  end loop;
  foreach tenant_table in array array['invitations', 'topup_requests', 'support_requests'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to carillon_app using (path <@ app_scope()) with check (path <@ app_scope())', tenant_table);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', tenant_table);
    execute format('create policy owner on %I to %I using (true) with check (true)', tenant_table, current_user);
  end loop;
end $$;

revoke update, delete on support_messages, invoices from carillon_app, carillon_system;
revoke select, insert, update, delete on password_resets from carillon_app;

-- The name of an account above, of which a person sees nothing else.
create function name_above(account uuid) returns text language sql stable security definer set search_path = public
  return (select name from accounts where id = account and (path @> app_scope() or path <@ app_scope()));

-- Who answers a question asked from here: the nearest account above that manages others.
create function next_answerer(account_path ltree) returns uuid language sql stable security definer set search_path = public
  return (select id from accounts
    where path @> account_path and path <> account_path and role in ('admin', 'reseller', 'manager') and status <> 'closed'
    order by nlevel(path) desc limit 1);

-- Numbers of an organisation run on over people who do not see each other's requests.
create function next_support_number(organization uuid) returns int language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('support_requests:' || organization, 0));
  return (select coalesce(max(number), 0) + 1 from support_requests where organization_id = organization);
end $$;

-- News goes down to accounts below and up to those above, whose own notifications nobody else reads. What an account wants
-- to have by mail as well is mailed when it is new; an entry names the preference that decides, and what holds without one.
create function add_notifications(entries jsonb) returns void language sql security definer set search_path = public
  begin atomic
    with told as (
      select * from jsonb_to_recordset(entries) as entry (organization_id uuid, id uuid, account_id uuid, kind text, title text,
        description text, link jsonb, event_key text, mail_preference text, mail_default boolean)
    ), added as (
      insert into notifications (organization_id, id, account_id, kind, title, description, link, event_key)
      select account.organization_id, told.id, account.id, told.kind, told.title, told.description, told.link, told.event_key
      from told join accounts account on account.organization_id = told.organization_id and account.id = told.account_id
      where app_scope() is null or account.path @> app_scope() or account.path <@ app_scope()
      on conflict do nothing
      returning organization_id, id, account_id
    ), mailed as (
      insert into mails (organization_id, id, recipient, subject, body, link)
      select added.organization_id, gen_random_uuid(), account.email, told.title,
        format(E'Hello %s,\n\n%s\n\nSign in to see it. Which mails you get is set under Settings, Notifications.', account.name, told.description),
        '/'
      from added join told on told.id = added.id
      join accounts account on account.organization_id = added.organization_id and account.id = added.account_id
      where coalesce((account.preferences ->> told.mail_preference)::boolean, told.mail_default, false) and account.status in ('active', 'suspended')
      returning organization_id, id
    )
    select enqueue_job('mails.deliver', json_build_object('organizationId', organization_id, 'id', id)) from mailed;
  end;

-- The brand that an account wears: its own organisation's, else the nearest above, which lies beyond what it may read itself.
create function brand_above(account_path ltree) returns setof brands language sql stable security definer set search_path = public
  begin atomic
    select brands.* from accounts founder join brands on brands.organization_id = founder.id
    where founder.path @> account_path and founder.organization_id = founder.id
      and (app_scope() is null or account_path <@ app_scope())
    order by nlevel(founder.path) desc limit 1;
  end;
