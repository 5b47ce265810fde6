-- Whether a sender's provider can reach the recipients of an audience: one check, and one bitmap for each batch of numbers.
create table reach_checks (
  organization_id uuid not null,
  audience_id uuid not null,
  sender_id uuid not null,
  -- The reading of the audience whose recipients were checked.
  reading int not null,
  status text not null default 'checking' check (status in ('checking', 'done', 'unsupported', 'failed')),
  -- Attempts that failed in a row.
  failures int not null default 0,
  error text,
  requested_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, audience_id, sender_id),
  foreign key (organization_id, audience_id) references audiences (organization_id, id) on delete cascade,
  foreign key (organization_id, sender_id) references senders (organization_id, id) on delete cascade
);

create table reach_batches (
  organization_id uuid not null,
  audience_id uuid not null,
  sender_id uuid not null,
  reading int not null,
  lo int not null,
  hi int not null check (hi > lo),
  -- Recipient lo + i is bit i % 8, from the lowest, of byte i / 8.
  reachable bytea not null,
  found int not null,
  -- The provider's sample: numbers in it, and those that have RCS with any operator.
  sampled int not null,
  sample_reachable int not null,
  checked_at timestamptz not null default now(),
  primary key (organization_id, audience_id, sender_id, lo),
  foreign key (organization_id, audience_id, sender_id) references reach_checks (organization_id, audience_id, sender_id)
    on delete cascade
);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['reach_checks', 'reach_batches'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;
