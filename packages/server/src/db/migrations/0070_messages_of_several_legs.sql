-- Recipients with messages on several legs count by the best of them: one that was read, else one that was delivered, else the last. And
-- those who were accepted or reached by two messages are counted whichever legs these are of, not only where one leg follows the other.
-- This is counted where the entries of changed messages are written anyway.

-- Changes in flight are committed before the entries are counted again below.
lock table leg_entries in access exclusive mode;

alter table leg_entries
  -- Of the recipient's messages before this leg: the status of the best, whether a provider accepted any, and how many were delivered.
  add column earlier message_status not null default 'queued',
  add column earlier_accepted boolean not null default false,
  add column earlier_delivered smallint not null default 0;

with path as (
  select organization_id, campaign_id, leg, seq,
    coalesce(max(before) filter (where before in ('delivered', 'read')) over path, before, 'queued') as earlier,
    bool_or(before_accepted) over path as accepted,
    count(*) filter (where before in ('delivered', 'read')) over path as delivered
  from leg_entries
  window path as (partition by organization_id, campaign_id, seq order by leg)
)
update leg_entries entry set earlier = path.earlier, earlier_accepted = path.accepted, earlier_delivered = path.delivered
from path
where entry.organization_id = path.organization_id and entry.campaign_id = path.campaign_id and entry.leg = path.leg
  and entry.seq = path.seq;

-- Leads to the second of the recipient's messages that was delivered: one entry of each recipient who got two or more.
alter table leg_entries add column is_second boolean not null
  generated always as (after in ('delivered', 'read') and earlier_delivered = 1) stored;
create index leg_entries_second_idx on leg_entries (organization_id, campaign_id, seq) where is_second;

-- A recipient's entries are read together, in the order of the audience.
drop index leg_entries_organization_id_campaign_id_from_leg_seq_idx;
create unique index leg_entries_of_recipient_idx on leg_entries (organization_id, campaign_id, seq, from_leg);

-- From here on `before` is the `earlier` of the entries; `twice`: accepted, as was an earlier message.
alter table failover_deltas add column seconds int not null default 0;
alter table failover_counts add column seconds int not null default 0;

delete from failover_deltas;
delete from failover_counts;
insert into failover_counts (organization_id, campaign_id, leg, before, after, twice, entries, seconds)
select organization_id, campaign_id, leg, earlier, after, after_accepted and earlier_accepted, count(*), count(*) filter (where is_second)
from leg_entries
group by 1, 2, 3, 4, 5, 6;

-- Moves ended messages of a leg on: each to the first later leg that accepts its reason, is for its recipient, and is due before
-- the campaign ends. Runs in the transaction that ends them, so that no recipient is lost or messaged twice. Does nothing for a
-- campaign that is over.
create or replace function enter_next_leg(
  organization uuid, campaign uuid, from_leg smallint, seqs int[], reasons text[], statuses message_status[], accepted boolean[]
) returns bigint
language sql as $$
  select from campaigns where organization_id = organization and id = campaign and status in ('queued', 'running', 'paused') for share;

  -- The next statement sees what was written while this one waited. The entries of a recipient are only written with the first of them
  -- locked, so that count_failovers misses none.
  select from leg_entries where organization_id = organization and campaign_id = campaign and seq = any(seqs) order by seq, leg for update;

  with live as materialized (
    select campaign_end(organization, campaign) as ends_at from campaigns
    where campaigns.organization_id = organization and id = campaign and status in ('queued', 'running', 'paused')
  ), entered as (
    insert into leg_entries (organization_id, campaign_id, leg, seq, reason, from_leg, before, before_accepted, earlier, earlier_accepted,
      earlier_delivered)
    select organization, campaign, next.leg, ended.seq, ended.reason, enter_next_leg.from_leg, ended.status, ended.was_accepted,
      case when own.earlier in ('delivered', 'read') then greatest(own.earlier, ended.status) else ended.status end,
      coalesce(own.earlier_accepted, false) or ended.was_accepted,
      coalesce(own.earlier_delivered, 0) + (ended.status in ('delivered', 'read'))::int
    from live cross join unnest(seqs, reasons, statuses, accepted) as ended (seq, reason, status, was_accepted)
    cross join lateral (
      select later.leg from campaign_legs later
      where later.organization_id = organization and later.campaign_id = campaign and later.leg > enter_next_leg.from_leg
        and ended.reason = any(later.enter_reasons) and (later.lo is null or (ended.seq >= later.lo and ended.seq < later.hi))
        and is_leg_member(organization, campaign, later.leg, ended.seq)
        and (later.enter_delay_seconds = 0 or now() + make_interval(secs => later.enter_delay_seconds) < live.ends_at)
      order by later.leg limit 1
    ) next
    left join leg_entries own on own.organization_id = organization and own.campaign_id = campaign
      and own.leg = enter_next_leg.from_leg and own.seq = ended.seq
    on conflict do nothing
    returning leg, seq, reason, earlier
  ), counted as (
    insert into failover_deltas (organization_id, campaign_id, leg, before, after, twice, entries)
    select organization, campaign, leg, earlier, 'queued', false, count(*) from entered group by leg, earlier
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

-- Records in the entries of these recipients that their messages of a leg have another status: of the entry that leads into the
-- leg, of the one that leads on from it, and of all later ones. The caller has the messages locked, so the last one to write knows the
-- latest status.
create or replace function count_failovers(
  organization uuid, campaign uuid, of_leg smallint, seqs int[], statuses message_status[], accepted boolean[]
) returns bigint
language sql as $$
  select from leg_entries where organization_id = organization and campaign_id = campaign and seq = any(seqs) order by seq, leg for update;

  with known as materialized (
    select entry.leg, entry.seq, entry.after as old_after, entry.earlier as old_earlier, entry.is_second as was_second,
      entry.after_accepted and entry.earlier_accepted as was_twice,
      case when entry.from_leg = of_leg then said.status else entry.before end as before,
      case when entry.from_leg = of_leg then said.was_accepted else entry.before_accepted end as before_accepted,
      case when entry.leg = of_leg then said.status else entry.after end as after,
      case when entry.leg = of_leg then said.was_accepted else entry.after_accepted end as after_accepted
    from leg_entries entry join unnest(seqs, statuses, accepted) as said (seq, status, was_accepted) on said.seq = entry.seq
    where entry.organization_id = organization and entry.campaign_id = campaign and entry.seq = any(seqs)
  ), moved as materialized (
    select * from (
      select *, coalesce(max(before) filter (where before in ('delivered', 'read')) over path, before, 'queued') as earlier,
        bool_or(before_accepted) over path as earlier_accepted,
        count(*) filter (where before in ('delivered', 'read')) over path as earlier_delivered
      from known
      window path as (partition by seq order by leg)
    ) path
    where leg >= of_leg
  ), stored as (
    update leg_entries entry set before = moved.before, before_accepted = moved.before_accepted, after = moved.after,
      after_accepted = moved.after_accepted, earlier = moved.earlier, earlier_accepted = moved.earlier_accepted,
      earlier_delivered = moved.earlier_delivered
    from moved
    where entry.organization_id = organization and entry.campaign_id = campaign and entry.leg = moved.leg and entry.seq = moved.seq
  ), counted as (
    insert into failover_deltas (organization_id, campaign_id, leg, before, after, twice, entries, seconds)
    select organization, campaign, leg, before, after, twice, sum(entries), sum(seconds) from (
      select leg, old_earlier as before, old_after as after, was_twice as twice, -1 as entries, -was_second::int as seconds from moved
      union all
      select leg, earlier, after, after_accepted and earlier_accepted, 1,
        (after in ('delivered', 'read') and earlier_delivered = 1)::int
      from moved
    ) change
    group by leg, before, after, twice
    having sum(entries) <> 0 or sum(seconds) <> 0
  )
  select count(*) from moved;
$$;

-- Takes back entries into a leg whose recipients were reached by an earlier message before the leg's message was sent, as if they
-- had never moved on.
create or replace function withdraw_entries(organization uuid, campaign uuid, of_leg smallint, seqs int[]) returns bigint
language sql as $$
  with withdrawn as (
    delete from leg_entries entry
    where entry.organization_id = organization and entry.campaign_id = campaign and entry.leg = of_leg and entry.seq = any(seqs)
      and not exists (
        select from campaigns own
        join messages message on message.organization_id = organization and message.created_on = own.created_on
          and message.campaign_id = campaign and message.seq = entry.seq and message.leg = of_leg
        where own.organization_id = organization and own.id = campaign)
    returning leg, earlier, after, earlier_accepted and after_accepted as twice
  ), counted as (
    insert into failover_deltas (organization_id, campaign_id, leg, before, after, twice, entries)
    select organization, campaign, leg, earlier, after, twice, -count(*) from withdrawn group by leg, earlier, after, twice
  )
  select count(*) from withdrawn;
$$;

-- Takes back the entries of an ended campaign that were not sent and whose recipients were reached by an earlier message: they have got
-- the campaign, so they neither failed nor wait. Runs before the campaign's open chunks and retries are ended, in the same
-- transaction; messages in flight keep their entries.
create or replace function leave_unsent_legs(organization uuid, campaign uuid) returns bigint
language sql as $$
  with reached as materialized (
    select leg, seq from leg_entries
    where organization_id = organization and campaign_id = campaign and earlier in ('delivered', 'read') and after = 'queued'
  ), waiting as (
    delete from retries using reached
    where retries.organization_id = organization and retries.campaign_id = campaign and retries.leg = reached.leg and retries.seq = reached.seq
      and is_entry and not unanswered and submitting_epoch is null
    returning retries.leg, retries.seq
  ), in_chunks as (
    select reached.leg, reached.seq from reached
    join chunks on chunks.organization_id = organization and chunks.campaign_id = campaign and chunks.leg = reached.leg
      and reached.seq >= chunks.recorded and reached.seq < chunks.hi and (chunks.members is null or reached.seq = any(chunks.members))
    where done_at is null and watermark = recorded and queued_at is not null
      and not exists (select from messages where messages.organization_id = organization and messages.campaign_id = campaign
        and messages.leg = reached.leg and messages.seq = reached.seq)
      and not exists (select from retries where retries.organization_id = organization and retries.campaign_id = campaign
        and retries.leg = reached.leg and retries.seq = reached.seq)
  ), taken_back as (
    delete from leg_entries entry using (select leg, seq from waiting union select leg, seq from in_chunks) unsent
    where entry.organization_id = organization and entry.campaign_id = campaign and entry.leg = unsent.leg and entry.seq = unsent.seq
    returning entry.leg, entry.earlier, entry.after, entry.earlier_accepted and entry.after_accepted as twice
  ), counted as (
    insert into failover_deltas (organization_id, campaign_id, leg, before, after, twice, entries)
    select organization, campaign, leg, earlier, after, twice, -count(*) from taken_back group by leg, earlier, after, twice
  )
  select count(*) from taken_back;
$$;
