-- A new e-mail address takes effect when its owner confirms it. Until then the old one stays in force.
create table email_changes (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  old_email citext not null,
  new_email citext not null,
  requested_by uuid not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  -- Hashes of the links: the new address confirms; the old one refuses while it waits and undoes afterwards.
  confirm_hash bytea not null,
  refuse_hash bytea not null,
  -- The undo link in the mail that tells the old address of the change.
  undo_hash bytea,
  -- How many mails went to the new address.
  mails_sent int not null default 1,
  applied_at timestamptz,
  ended_at timestamptz,
  outcome text check (outcome in ('cancelled', 'refused', 'replaced', 'undone')),
  primary key (organization_id, id),
  unique (confirm_hash),
  unique (refuse_hash),
  unique (undo_hash),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade,
  check ((ended_at is null) = (outcome is null))
);
create index on email_changes (organization_id, account_id, requested_at desc);
create unique index on email_changes (organization_id, account_id) where applied_at is null and ended_at is null;
-- The addresses that are reserved for an undo.
create index on email_changes (old_email) where applied_at is not null and ended_at is null;

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table email_changes enable row level security;
  alter table email_changes force row level security;
  execute format('create policy tenant on email_changes to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on email_changes to carillon_system using (true) with check (true);
  execute format('create policy owner on email_changes to %I using (true) with check (true)', current_user);
end $$;

-- Whether another account uses the address, or used it in the last day and can still take it back.
create function email_taken(wanted citext, asking_account uuid) returns boolean language sql stable security definer set search_path = public
  return exists (select from accounts where id is distinct from asking_account and (email = wanted or username = wanted))
    or exists (select from email_changes where account_id is distinct from asking_account and old_email = wanted
      and ended_at is null and applied_at > now() - interval '24 hours');

create or replace function names_taken(wanted_username citext, wanted_email citext) returns table (username boolean, email boolean)
language sql stable security definer set search_path = public
  return row(
    exists (select from accounts where accounts.username = wanted_username or accounts.email = wanted_username),
    email_taken(wanted_email, null));

-- A password that an account above set: it works until its owner replaces it, for a day, and only while that account may
-- still enter this one.
alter table accounts add one_time_password_by uuid, add one_time_password_until timestamptz;

create function password_holds(account accounts, asked_at timestamptz) returns boolean language sql stable security definer set search_path = public
  return account.one_time_password_by is null
    or (account.one_time_password_until > asked_at and may_enter(account.one_time_password_by, account.id));
