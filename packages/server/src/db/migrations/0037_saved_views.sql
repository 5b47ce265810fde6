-- Filters, order and columns of a list that an account keeps under a name.
create table saved_views (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  list text not null,
  name text not null,
  query text not null,
  columns jsonb not null default '{}',
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);
create unique index on saved_views (organization_id, account_id, list, lower(name));
create unique index on saved_views (organization_id, account_id, list) where is_default;

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table saved_views enable row level security;
  alter table saved_views force row level security;
  execute format('create policy tenant on saved_views to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on saved_views to carillon_system using (true) with check (true);
  execute format('create policy owner on saved_views to %I using (true) with check (true)', current_user);
end $$;
