-- Requests for bots, and what is known of a bot besides its sender: the brand, its documents and test phones. The sender of a
-- bot that was created has the same id; its verification and launches are in the facts of the sender.
create table rcs_bots (
  organization_id uuid not null,
  id uuid not null,
  state text not null check (state in ('requested', 'rejected', 'created')),
  -- As entered: name, brand, images, contacts, use case.
  details jsonb not null,
  testers jsonb not null default '[]',
  -- Why the request was rejected.
  reason text,
  requested_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, requested_by) references accounts (organization_id, id) on delete set null (requested_by)
);
create index on rcs_bots (organization_id, state);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table rcs_bots enable row level security;
  alter table rcs_bots force row level security;
  execute format('create policy tenant on rcs_bots to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on rcs_bots to carillon_system using (true) with check (true);
  execute format('create policy owner on rcs_bots to %I using (true) with check (true)', current_user);
end $$;

-- A bot belongs to one organisation: its callbacks, and the messages sent in its name, are those of that organisation.
create function is_bot_connected(bot text, except_sender uuid) returns boolean language sql stable security definer set search_path = public as $$
  select exists (
    select 1 from senders where channel = 'rcs' and external_id = bot and deleted_at is null and id <> except_sender
  );
$$;

-- The administrators above the caller, for notifications. Row level security hides them from the caller.
create function administrators_above() returns table (organization_id uuid, id uuid) language sql stable security definer set search_path = public as $$
  select account.organization_id, account.id from accounts account
  where account.role = 'admin' and account.path @> app_scope() and account.status = 'active';
$$;
