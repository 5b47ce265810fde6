-- A restored copy of the database does not know what was sent after the copy was taken. It is recognised before anything is
-- sent from it, and sending stays paused until an admin has decided about each campaign that was under way.

-- One row. It belongs to the installation, not to an organisation.
create table installation (
  only_row boolean primary key default true check (only_row),
  -- Replaced when a restore is confirmed.
  incarnation uuid not null default gen_random_uuid(),
  -- The incarnations before it, whose restores were confirmed.
  confirmed uuid[] not null default '{}',
  -- Grows while senders run. A process that knows a higher value looks at an older copy.
  counter bigint not null default 0,
  advanced_at timestamptz,
  -- The database that the senders last worked on; null until the first one starts, and where the server does not tell.
  system_identifier text,
  timeline text,
  database_oid bigint,
  paused_at timestamptz,
  pause_reason text
);
insert into installation default values;
revoke insert, update, delete on installation from carillon_app;
revoke insert, delete on installation from carillon_system;

-- The campaigns that were under way in the copy and that nobody has decided about yet.
create table restored_campaigns (
  organization_id uuid not null,
  campaign_id uuid not null,
  primary key (organization_id, campaign_id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);
do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table restored_campaigns enable row level security;
  alter table restored_campaigns force row level security;
  execute format('create policy tenant on restored_campaigns to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on restored_campaigns to carillon_system using (true) with check (true);
  execute format('create policy owner on restored_campaigns to %I using (true) with check (true)', current_user);
end $$;
revoke insert, update, delete on restored_campaigns from carillon_app;

-- What was in flight in the copy becomes unknown when the lane is next opened, also where the provider recognises a repeat.
alter table lanes add column after_restore boolean not null default false;

-- Which database this is. A server that does not tell one of the three leaves it null, and null is never compared.
create function database_identity(out system_identifier text, out timeline text, out database_oid bigint)
language plpgsql stable as $$
begin
  database_oid := (select oid from pg_database where datname = current_database());
  begin
    system_identifier := (select control.system_identifier from pg_control_system() control);
  exception when others then null;
  end;
  begin
    -- The file that is written now names the timeline; the control file names that of the last checkpoint.
    timeline := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
  exception when others then null;
  end;
end $$;

create function is_same_database(own installation) returns boolean language sql stable as $$
  select coalesce(own.system_identifier = live.system_identifier, true) and coalesce(own.timeline = live.timeline, true)
    and coalesce(own.database_oid = live.database_oid, true)
  from database_identity() live
$$;

-- Whether a process that knows this incarnation and this counter may take lanes here. Null knows nothing.
create function may_send(own installation, known_incarnation uuid, known_counter bigint) returns boolean language sql stable as $$
  select own.paused_at is null and is_same_database(own)
    and (known_incarnation is null or (own.incarnation = known_incarnation and own.counter >= known_counter))
$$;

-- Pauses sending for the whole installation; true for the call that did it. The row is locked first: claims of lanes share
-- it, so none is under way, and later ones see the pause. Raising the epochs ends every ownership. The step is large because
-- a process may still own a lane at an epoch that the copy has not reached.
create function pause_sending(reason text) returns boolean language plpgsql as $$
begin
  update installation set paused_at = now(), pause_reason = reason where paused_at is null;
  if not found then return false; end if;
  update lanes set owner = null, lease_until = null, epoch = epoch + 1000000, after_restore = true;
  -- Single messages leave within seconds, so those that wait in the copy were probably sent: they end as unknown.
  update express_messages set submitting_epoch = 0 where submitting_epoch is null;
  insert into restored_campaigns (organization_id, campaign_id)
  select organization_id, id from campaigns where status in ('scheduled', 'queued', 'running', 'paused')
  on conflict do nothing;
  return true;
end $$;

-- Ends the pause and takes the database as it is now for this installation's own. False when there is nothing to resume, or
-- when a campaign of the copy is still under way that is not among those to be sent.
create function resume_sending(to_send uuid[]) returns boolean language plpgsql security definer set search_path = public as $$
declare
  live record;
begin
  perform from installation where paused_at is not null for update;
  if not found or exists (
    select from restored_campaigns restored
    join campaigns on campaigns.organization_id = restored.organization_id and campaigns.id = restored.campaign_id
    where campaigns.status in ('scheduled', 'queued', 'running', 'paused') and campaigns.id <> all (to_send)
  ) then
    return false;
  end if;
  select * into live from database_identity();
  update installation set confirmed = confirmed || incarnation, incarnation = gen_random_uuid(), counter = counter + 1,
    system_identifier = live.system_identifier, timeline = live.timeline, database_oid = live.database_oid,
    paused_at = null, pause_reason = null;
  delete from restored_campaigns;
  perform pg_notify('carillon_lanes', '');
  return true;
end $$;
revoke execute on function pause_sending, resume_sending from public;
grant execute on function pause_sending to carillon_system;
grant execute on function resume_sending to carillon_app, carillon_system;
