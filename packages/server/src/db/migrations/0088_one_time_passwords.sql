-- One-time passwords of customers' users. A code is stored as a keyed hash only, and the texts of its messages without it.
create table one_time_passwords (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  path ltree not null,
  environment text not null check (environment in ('live', 'test')),
  phone bigint not null,
  country text not null,
  channel text not null,
  -- The request, which a further message repeats.
  request jsonb not null,
  code_hash bytea not null,
  tries smallint not null default 0,
  sends smallint not null default 1,
  message_id uuid not null,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  verified_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);
create index one_time_passwords_of_number on one_time_passwords (organization_id, phone, created_at);
create index one_time_passwords_of_country on one_time_passwords (organization_id, country, created_at);
create index one_time_passwords_by_time on one_time_passwords (created_at);
create index on one_time_passwords (organization_id, account_id);

-- Numbers to which an organisation sends no one-time passwords for a while: too many of them were not verified.
create table otp_stops (
  organization_id uuid not null,
  -- `country:IN`, or `prefix:` and a number without its last four digits.
  scope text not null,
  until timestamptz not null,
  primary key (organization_id, scope)
);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['one_time_passwords', 'otp_stops'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;
