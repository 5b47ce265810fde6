-- Recipients that enter a later leg are gathered into chunks of that leg, which take turns with those of other campaigns.

-- The recipients of a chunk that is not for all of [lo, hi), ascending; null for all of them.
alter table chunks
  add column members int[],
  -- When the chunk was added to a campaign under way.
  add column queued_at timestamptz;

-- Recipients from `watermark` on.
create function chunk_rest(chunk chunks) returns int language sql immutable as $$
  select case when chunk.members is null then chunk.hi - chunk.watermark
    when chunk.watermark = chunk.lo then cardinality(chunk.members)
    else (select count(*) from unnest(chunk.members) as seq where seq >= chunk.watermark)::int end;
$$;

-- A first message of the leg, to be gathered into a chunk; the others are sent again one by one.
alter table retries add column is_entry boolean not null default false;

-- Claimed for each running campaign, so that rows of paused campaigns are not read.
drop index retries_organization_id_sender_id_due_at_idx;
create index retries_due_idx on retries (organization_id, sender_id, campaign_id, is_entry, due_at);

-- The recipients that a leg is for, 1024 to a block: bit i of block b stands for seq 1024 * b + i. A leg without rows
-- includes all recipients; in a leg with rows, a missing block includes none.
create table leg_members (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  block int not null check (block >= 0),
  members bit(1024) not null,
  primary key (organization_id, campaign_id, leg, block),
  foreign key (organization_id, campaign_id, leg) references campaign_legs (organization_id, campaign_id, leg) on delete cascade
);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table leg_members enable row level security;
  alter table leg_members force row level security;
  execute format('create policy tenant on leg_members to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on leg_members to carillon_system using (true) with check (true);
  execute format('create policy owner on leg_members to %I using (true) with check (true)', current_user);
end $$;

create function is_leg_member(organization uuid, campaign uuid, of_leg smallint, seq int) returns boolean language sql stable as $$
  select coalesce(
    (select get_bit(members, is_leg_member.seq % 1024) = 1 from leg_members
     where organization_id = organization and campaign_id = campaign and leg = of_leg and block = is_leg_member.seq / 1024),
    not exists (select from leg_members where organization_id = organization and campaign_id = campaign and leg = of_leg));
$$;

-- Moves ended messages of a leg on: each to the first later leg that accepts its reason, is for its recipient, and is due before
-- the campaign ends. Runs in the transaction that ends them, so that no recipient is lost or messaged twice. Does nothing for a
-- campaign that is over.
create or replace function enter_next_leg(organization uuid, campaign uuid, from_leg smallint, seqs int[], reasons text[]) returns bigint
language sql as $$
  with live as materialized (
    select campaign_end(organization, campaign) as ends_at from campaigns
    where campaigns.organization_id = organization and id = campaign and status in ('queued', 'running', 'paused') for share
  ), entered as (
    insert into leg_entries (organization_id, campaign_id, leg, seq, reason, from_leg)
    select organization, campaign, next.leg, ended.seq, ended.reason, enter_next_leg.from_leg
    from live cross join unnest(seqs, reasons) as ended (seq, reason)
    cross join lateral (
      select later.leg from campaign_legs later
      where later.organization_id = organization and later.campaign_id = campaign and later.leg > enter_next_leg.from_leg
        and ended.reason = any(later.enter_reasons) and (later.lo is null or (ended.seq >= later.lo and ended.seq < later.hi))
        and is_leg_member(organization, campaign, later.leg, ended.seq)
        and (later.enter_delay_seconds = 0 or now() + make_interval(secs => later.enter_delay_seconds) < live.ends_at)
      order by later.leg limit 1
    ) next
    on conflict do nothing
    returning leg, seq, reason
  ), queued as (
    insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code, is_entry)
    select organization, campaign, entered.leg, entered.seq, next.sender_id, now() + make_interval(secs => next.enter_delay_seconds),
      0, entered.reason, '', true
    from entered
    join campaign_legs next on next.organization_id = organization and next.campaign_id = campaign and next.leg = entered.leg
    on conflict do nothing
    returning 1
  )
  select count(*) from queued;
$$;

-- Watches messages that were sent outside of a whole chunk, in blocks of 1024 recipients. Blocks count down from -1, so that they
-- do not collide with chunks.
create or replace function watch_entered(organization uuid, campaign uuid, from_leg smallint, seqs int[]) returns bigint language sql as $$
  select coalesce(sum(watch_range(organization, campaign, from_leg, -1 - block, block * 1024, (block + 1) * 1024)), 0)::bigint
  from (select distinct seq / 1024 as block from unnest(seqs) as seq order by 1) blocks;
$$;

create or replace function watch_chunk(organization uuid, campaign uuid, from_leg smallint, chunk int) returns bigint language sql as $$
  select coalesce(sum(case when members is null then watch_range(organization, campaign, from_leg, chunk, lo, hi)
    else watch_entered(organization, campaign, from_leg, members) end), 0)::bigint
  from chunks
  where chunks.organization_id = organization and campaign_id = campaign and leg = from_leg and chunk_no = chunk;
$$;

-- Watches messages of a leg for a later leg that can be entered: until the messages end, for a day if the later leg has no time
-- limit, for 15 minutes if it only waits, because the refusals that lead there come at once.
create or replace function watch_range(organization uuid, campaign uuid, from_leg smallint, number int, first int, behind int) returns bigint
language sql as $$
  with terms as (
    select min(later.enter_after_seconds) as seconds, bool_and(later.enter_delay_seconds > 0) as only_waits
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
        else greatest(interval '1 day', make_interval(secs => coalesce(seconds, 0))) end
    from terms
    on conflict (organization_id, campaign_id, leg, chunk_no) do update set until = greatest(leg_watches.until, excluded.until)
    returning 1
  )
  select count(*) from watched;
$$;
