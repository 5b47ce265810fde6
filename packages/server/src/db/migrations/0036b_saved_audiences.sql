-- An audience that was given a name can be chosen for later campaigns; without one it belongs to its own.
alter table audiences
  add column saved_name text,
  add column saved_at timestamptz,
  -- Of each column: people whose cell is empty. Null for audiences that were checked before these were counted.
  add column empty_cells int[];
create index on audiences (organization_id, saved_at desc) where saved_name is not null;
create index on campaigns (organization_id, audience_id);
