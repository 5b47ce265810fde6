-- What providers sent and could not be applied, one row each, so that the rest of its batch could. Looked at by people, swept
-- after thirty days.
create table poison_events (
  organization_id uuid not null,
  id uuid not null,
  -- Null for what is about the account as a whole.
  sender_id uuid,
  received_at timestamptz not null default now(),
  kind text not null,
  -- The provider's own octets.
  raw bytea not null,
  error text not null,
  primary key (organization_id, id)
);
create index on poison_events (received_at);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table poison_events enable row level security;
  alter table poison_events force row level security;
  execute format('create policy tenant on poison_events to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on poison_events to carillon_system using (true) with check (true);
  execute format('create policy owner on poison_events to %I using (true) with check (true)', current_user);
end $$;
revoke insert, update, delete on poison_events from carillon_app;
