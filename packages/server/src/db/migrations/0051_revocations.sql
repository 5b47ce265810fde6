-- Messages that were not delivered in time are revoked before their recipients move on to the next leg.

alter table campaign_legs
  -- The leg's provider can revoke messages; its reports of expiry and delivery may take this long. Null: it cannot.
  add column revoke_grace_seconds smallint check (revoke_grace_seconds >= 0),
  -- The next leg may be entered after 30 seconds.
  drop constraint campaign_legs_ttl_seconds_check,
  add constraint campaign_legs_ttl_seconds_check check (ttl_seconds between 10 and 172800);

-- Messages to be revoked, from the decision until they have failed or were delivered.
create table revocations (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  seq int not null,
  sender_id uuid not null,
  -- When the provider is asked; once the outcome is `given_up`, when the message fails.
  due_at timestamptz not null,
  attempt smallint not null default 0,
  -- An earlier request may have been carried out: the provider not knowing the message proves nothing any more.
  asked boolean not null default false,
  -- Epoch of the lane that is asking.
  submitting_epoch bigint,
  -- `given_up`: the message fails at `due_at`, unless it was delivered by then. `kept`: the provider says that it was delivered.
  outcome text check (outcome in ('given_up', 'kept')),
  code text,
  detail text,
  primary key (organization_id, campaign_id, leg, seq),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);
create index revocations_due_idx on revocations (organization_id, sender_id, due_at) where outcome is null;
create index revocations_given_up_idx on revocations (due_at) where outcome = 'given_up';
create index revocations_open_idx on revocations (organization_id, campaign_id) where outcome is distinct from 'kept';

-- Stopped campaigns whose messages without a delivery report are being queued for revocation, in ranges of the audience.
create table revocation_scans (
  organization_id uuid not null,
  campaign_id uuid not null,
  -- The next position.
  seq int not null default 0,
  primary key (organization_id, campaign_id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);

do $$
declare
  tenant_table text;
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  foreach tenant_table in array array['revocations', 'revocation_scans'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %1$I to carillon_app using (%2$s) with check (%2$s)', tenant_table, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', tenant_table);
    execute format('create policy owner on %I to %I using (true) with check (true)', tenant_table, current_user);
  end loop;
end $$;
revoke insert, update, delete on revocations, revocation_scans from carillon_app;

-- Takes back entries into a leg whose recipients were reached by an earlier message before the leg's message was sent, as if they
-- had never moved on.
create function withdraw_entries(organization uuid, campaign uuid, of_leg smallint, seqs int[]) returns bigint
language sql as $$
  with withdrawn as (
    delete from leg_entries entry
    where entry.organization_id = organization and entry.campaign_id = campaign and entry.leg = of_leg and entry.seq = any(seqs)
      and not exists (
        select from campaigns own
        join messages message on message.organization_id = organization and message.created_on = own.created_on
          and message.campaign_id = campaign and message.seq = entry.seq and message.leg = of_leg
        where own.organization_id = organization and own.id = campaign)
    returning leg, before, after, before_accepted and after_accepted as twice
  ), counted as (
    insert into failover_deltas (organization_id, campaign_id, leg, before, after, twice, entries)
    select organization, campaign, leg, before, after, twice, -count(*) from withdrawn group by leg, before, after, twice
  )
  select count(*) from withdrawn;
$$;

-- As before, but until revocable messages can have been revoked.
create or replace function watch_range(organization uuid, campaign uuid, from_leg smallint, number int, first int, behind int) returns bigint
language sql as $$
  with terms as (
    select min(later.enter_after_seconds) as seconds, bool_and(later.enter_delay_seconds > 0) as only_waits,
      (select coalesce(revoke_grace_seconds, 0) from campaign_legs own
       where own.organization_id = organization and own.campaign_id = campaign and own.leg = from_leg) as grace
    from campaign_legs later
    where later.organization_id = organization and later.campaign_id = campaign and later.leg > from_leg
      and (later.enter_reasons <> '{}' or later.enter_after_seconds is not null)
      and (later.lo is null or (later.lo < behind and later.hi > first))
    having count(*) > 0
  ), watched as (
    insert into leg_watches (organization_id, campaign_id, leg, chunk_no, lo, hi, due_at, until)
    select organization, campaign, from_leg, number, first, behind,
      now() + make_interval(secs => least(seconds, 5)),
      now() + case when only_waits then interval '15 minutes'
        else greatest(interval '1 day', make_interval(secs => coalesce(seconds, 0))) + make_interval(secs => 2 * grace) end
    from terms
    on conflict (organization_id, campaign_id, leg, chunk_no) do update set until = greatest(leg_watches.until, excluded.until)
    returning 1
  )
  select count(*) from watched;
$$;
