-- Templates of several channels that say the same thing.
create table template_families (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  -- The text that renditions may follow.
  text text not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index on template_families (organization_id, lower(name));

-- One template per channel.
create table family_renditions (
  organization_id uuid not null,
  family_id uuid not null,
  channel channel not null,
  template_id uuid not null,
  follows_text boolean not null default false,
  primary key (organization_id, family_id, channel),
  foreign key (organization_id, family_id) references template_families (organization_id, id) on delete cascade,
  foreign key (organization_id, template_id) references templates (organization_id, id) on delete cascade
);
create index on family_renditions (organization_id, template_id);

do $$
declare
  tenant_table text;
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  foreach tenant_table in array array['template_families', 'family_renditions'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %1$I to carillon_app using (%2$s) with check (%2$s)', tenant_table, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', tenant_table);
    execute format('create policy owner on %I to %I using (true) with check (true)', tenant_table, current_user);
  end loop;
end $$;
