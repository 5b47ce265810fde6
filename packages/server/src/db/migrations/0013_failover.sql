-- A campaign may go on over another channel with those it did not reach: its legs are walked one by one.

alter table campaign_legs
  -- Which ends of the leg before lead here, as failure classes; empty for the first leg.
  add column enter_reasons text[] not null default '{}',
  -- Whoever the leg before has not brought this far within these seconds comes here too.
  add column enter_after_seconds int check (enter_after_seconds > 0),
  add column enter_unless message_status not null default 'delivered' check (enter_unless in ('delivered', 'read')),
  -- What the leg costs at most, in ledger units: what is set aside for it.
  add column estimated bigint not null default 0;

-- Who went on to a leg, and why: once, whatever is reported afterwards.
create table leg_entries (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  seq int not null,
  reason text not null,
  at timestamptz not null default now(),
  primary key (organization_id, campaign_id, leg, seq),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);

-- Chunks of a leg that has another behind it, until it is known of each of their messages whether it goes on. One row for
-- about a thousand messages.
create table leg_watches (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  chunk_no int not null,
  due_at timestamptz not null,
  until timestamptz not null,
  primary key (organization_id, campaign_id, leg, chunk_no),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);
create index on leg_watches (due_at);

do $$
declare
  tenant_table text;
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  foreach tenant_table in array array['leg_entries', 'leg_watches'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %1$I to carillon_app using (%2$s) with check (%2$s)', tenant_table, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', tenant_table);
    execute format('create policy owner on %I to %I using (true) with check (true)', tenant_table, current_user);
  end loop;
end $$;
revoke insert, update, delete on leg_entries, leg_watches from carillon_app;

-- Messages of a leg that have ended: those whose end leads on are queued on the lane of the next leg, each once. In the
-- transaction that ends them, so that nobody is forgotten and nobody written to twice. A campaign that is over stays over.
create function enter_next_leg(organization uuid, campaign uuid, from_leg smallint, seqs int[], reasons text[]) returns bigint
language sql as $$
  with live as materialized (
    select from campaigns where campaigns.organization_id = organization and id = campaign and status in ('queued', 'running', 'paused') for share
  ), entered as (
    insert into leg_entries (organization_id, campaign_id, leg, seq, reason)
    select organization, campaign, next.leg, ended.seq, ended.reason
    from live cross join unnest(seqs, reasons) as ended (seq, reason)
    join campaign_legs next on next.organization_id = organization and next.campaign_id = campaign and next.leg = from_leg + 1
    where ended.reason = any(next.enter_reasons)
    on conflict do nothing
    returning leg, seq, reason
  ), queued as (
    insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code)
    select organization, campaign, entered.leg, entered.seq, next.sender_id, now(), 0, entered.reason, ''
    from entered
    join campaign_legs next on next.organization_id = organization and next.campaign_id = campaign and next.leg = entered.leg
    on conflict do nothing
    returning 1
  )
  select count(*) from queued;
$$;

-- A chunk is done: from now on it is watched, where its leg has another behind it. A day is waited for ends that no time limit
-- brings about.
create function watch_chunk(organization uuid, campaign uuid, from_leg smallint, chunk int) returns bigint language sql as $$
  with watched as (
    insert into leg_watches (organization_id, campaign_id, leg, chunk_no, due_at, until)
    select organization, campaign, from_leg, chunk, now() + make_interval(secs => coalesce(next.enter_after_seconds, 60)),
      now() + greatest(interval '1 day', make_interval(secs => coalesce(next.enter_after_seconds, 0)))
    from campaign_legs next
    where next.organization_id = organization and next.campaign_id = campaign and next.leg = from_leg + 1
    on conflict do nothing
    returning 1
  )
  select count(*) from watched;
$$;
