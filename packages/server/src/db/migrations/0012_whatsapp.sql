-- Accounts with several lines, templates that a provider reviews, and people who write without showing a number.

-- The account's own id at the provider; how far its connection has come, a state for each step; what the provider said of it.
alter table provider_accounts
  add column external_id text,
  add column setup jsonb not null default '{}',
  add column facts jsonb not null default '{}';
create unique index on provider_accounts (organization_id, channel, external_id) where external_id is not null;

-- The line's own id at the provider, and what it last said of the line: quality, limit, name, state.
alter table senders
  add column external_id text,
  add column facts jsonb not null default '{}',
  add column checked_at timestamptz,
  add column registered_at timestamptz;
create unique index on senders (organization_id, provider_account_id, external_id) where external_id is not null;

-- A template that a provider keeps belongs to the account there, and is one row for each language.
alter table templates
  add column provider_account_id uuid,
  add column external_id text,
  -- What the provider said of it: quality, reason, how often it was paused, the category it was asked as.
  add column facts jsonb not null default '{}',
  add column paused_until timestamptz,
  add foreign key (organization_id, provider_account_id) references provider_accounts (organization_id, id) on delete cascade;
create unique index on templates (organization_id, provider_account_id, name, language) where provider_account_id is not null;
create unique index on templates (organization_id, provider_account_id, external_id) where external_id is not null;

-- A person on a channel, by the id the channel knows: a number, or an id of the business's own where the number is hidden.
create table contact_identities (
  organization_id uuid not null,
  channel channel not null,
  identity text not null,
  phone bigint,
  name text,
  username text,
  -- Asked for no more advertising in the provider's own app.
  no_marketing_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (organization_id, channel, identity)
);
create index on contact_identities (organization_id, phone) where phone is not null;

-- Until when a person may be written to freely from a line: a day after he wrote last.
create table service_windows (
  organization_id uuid not null,
  sender_id uuid not null,
  identity text not null,
  expires_at timestamptz not null,
  -- His last message, which a read receipt and a typing sign name.
  last_message_id text not null,
  primary key (organization_id, sender_id, identity),
  foreign key (organization_id, sender_id) references senders (organization_id, id) on delete cascade
);

-- What people wrote may hold more than a text, and come from somebody without a number.
alter table inbound_messages
  alter column phone drop not null,
  add column identity text,
  add column content jsonb,
  add column in_reply_to text,
  -- The media of it, once it was fetched.
  add column file_id uuid,
  add column media_state text check (media_state in ('waiting', 'stored', 'failed'));
create index on inbound_messages (received_at) where media_state = 'waiting';

do $$
declare
  tenant_table text;
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  foreach tenant_table in array array['contact_identities', 'service_windows'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %1$I to carillon_app using (%2$s) with check (%2$s)', tenant_table, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', tenant_table);
    execute format('create policy owner on %I to %I using (true) with check (true)', tenant_table, current_user);
  end loop;
end $$;
