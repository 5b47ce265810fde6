-- What a sender's messages came to in the last two days, by 15 minutes: every zone's hours begin on one of them.
create table sender_points (
  organization_id uuid not null,
  sender_id uuid not null,
  at timestamptz not null,
  submitted int not null default 0,
  sent int not null default 0,
  delivered int not null default 0,
  read int not null default 0,
  failed int not null default 0,
  unknown int not null default 0,
  unconfirmed int not null default 0,
  primary key (organization_id, sender_id, at)
) with (fillfactor = 50);

alter table counter_deltas add column sender_id uuid;

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table sender_points enable row level security;
  alter table sender_points force row level security;
  execute format('create policy tenant on sender_points to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on sender_points to carillon_system using (true) with check (true);
  execute format('create policy owner on sender_points to %I using (true) with check (true)', current_user);
end $$;
