-- A leg may be entered some time after the message before it ended, and may be there for a range of the recipients only.

alter table campaign_legs
  add column enter_delay_seconds int not null default 0 check (enter_delay_seconds >= 0),
  -- Which recipients it is for, [lo, hi); everybody where they are null.
  add column lo int,
  add column hi int,
  add check ((lo is null) = (hi is null) and lo < hi);

-- From which message somebody went on: a leg is entered from any before it.
alter table leg_entries add column from_leg smallint;
update leg_entries set from_leg = leg - 1;
alter table leg_entries alter column from_leg set not null;
-- A message leads on once, whatever ends it.
create unique index on leg_entries (organization_id, campaign_id, from_leg, seq);

-- Messages of a leg that is entered are watched as well, and those have no chunks.
alter table leg_watches
  add column lo int,
  add column hi int;
update leg_watches watch set lo = chunks.lo, hi = chunks.hi
from chunks
where chunks.organization_id = watch.organization_id and chunks.campaign_id = watch.campaign_id and chunks.leg = watch.leg
  and chunks.chunk_no = watch.chunk_no;
delete from leg_watches where lo is null;
alter table leg_watches
  alter column lo set not null,
  alter column hi set not null;

-- After this nothing of a campaign is sent: its own end, else three days after its start and as long as its legs wait.
create function campaign_end(organization uuid, campaign uuid) returns timestamptz language sql stable as $$
  select coalesce(expires_at, coalesce(started_at, now()) + interval '3 days' + make_interval(secs => (
    select coalesce(sum(enter_delay_seconds), 0) from campaign_legs
    where campaign_legs.organization_id = organization and campaign_id = campaign)))
  from campaigns where campaigns.organization_id = organization and id = campaign;
$$;

-- Messages of a leg that have ended: each goes on to the first later leg that takes its end, is for its recipient, and is due
-- before the campaign is over. In the transaction that ends them, so that nobody is forgotten and nobody written to twice. A
-- campaign that is over stays over.
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
        and (later.enter_delay_seconds = 0 or now() + make_interval(secs => later.enter_delay_seconds) < live.ends_at)
      order by later.leg limit 1
    ) next
    on conflict do nothing
    returning leg, seq, reason
  ), queued as (
    insert into retries (organization_id, campaign_id, leg, seq, sender_id, due_at, attempt, reason, code)
    select organization, campaign, entered.leg, entered.seq, next.sender_id, now() + make_interval(secs => next.enter_delay_seconds),
      0, entered.reason, ''
    from entered
    join campaign_legs next on next.organization_id = organization and next.campaign_id = campaign and next.leg = entered.leg
    on conflict do nothing
    returning 1
  )
  select count(*) from queued;
$$;

-- From now on these recipients of a leg are watched, where it has another behind it: a message that ends leads on. Without a
-- time limit a day is waited for its end; a quarter of an hour where only legs that wait are behind it, for the refusals that
-- lead there come at once.
create function watch_range(organization uuid, campaign uuid, from_leg smallint, number int, first int, behind int) returns bigint
language sql as $$
  with terms as (
    select min(later.enter_after_seconds) as seconds, bool_and(later.enter_delay_seconds > 0) as only_waits
    from campaign_legs later
    where later.organization_id = organization and later.campaign_id = campaign and later.leg > from_leg
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

-- A chunk is done.
create or replace function watch_chunk(organization uuid, campaign uuid, from_leg smallint, chunk int) returns bigint language sql as $$
  select coalesce(sum(watch_range(organization, campaign, from_leg, chunk, lo, hi)), 0)::bigint from chunks
  where chunks.organization_id = organization and campaign_id = campaign and leg = from_leg and chunk_no = chunk;
$$;

-- Messages of a leg that somebody entered have left: they are watched with the others of their chunk, by where that begins.
create function watch_entered(organization uuid, campaign uuid, from_leg smallint, seqs int[]) returns bigint language sql as $$
  select coalesce(sum(watch_range(organization, campaign, from_leg, lo, lo, hi)), 0)::bigint from (
    select distinct lo, hi from chunks
    where chunks.organization_id = organization and campaign_id = campaign
      and exists (select from unnest(seqs) as left_now (seq) where seq >= lo and seq < hi)
  ) touched;
$$;

-- Money that came back from messages which are tried again later stays set aside for them. In the transaction that gave it
-- back, after whoever calls has locked the hold.
create function hold_again(organization uuid, hold uuid, units bigint) returns boolean language plpgsql as $$
declare
  balance uuid;
begin
  select ledger_account into balance from holds where organization_id = organization and id = hold and released_at is null for update;
  if not found or units <= 0 then return false; end if;
  update ledger_accounts set held = held + units
    where organization_id = organization and id = balance and posted - held >= units and closed_at is null;
  if not found then return false; end if;
  update holds set amount = amount + units where organization_id = organization and id = hold;
  return true;
end $$;

-- The same for the organisations above that pay more than they get, after their part of the money came back.
create function hold_shares_again(organization uuid, campaign uuid, of_leg smallint, units bigint) returns bigint language sql as $$
  select count(*) filter (where hold_again(ancestor_id, hold_id, units / payer_price * (price - child_price)))
  from (
    select * from campaign_leg_shares
    where organization_id = organization and campaign_id = campaign and leg = of_leg and hold_id is not null
    order by level
  ) shares;
$$;

-- As before, but legs that wait spend what was set aside for the leg before them.
create or replace function hold_shares(organization uuid, campaign uuid, own_hold uuid, units bigint) returns boolean
language plpgsql security definer set search_path = public as $$
declare
  share record;
  placed uuid;
begin
  if not app_reaches(organization) then return false; end if;
  for share in
    select shares.*, coalesce(own.enter_delay_seconds, 0) > 0 as waits, own.estimated
    from campaign_leg_shares shares
    left join campaign_legs own on own.organization_id = organization and own.campaign_id = campaign and own.leg = shares.leg
    where shares.organization_id = organization and shares.campaign_id = campaign and shares.price > shares.child_price
    order by shares.level, shares.leg
  loop
    if share.waits then
      select hold_id into placed from campaign_leg_shares
        where organization_id = organization and campaign_id = campaign and level = share.level and leg < share.leg and hold_id is not null
        order by leg desc limit 1;
    else
      placed := place_hold(share.ancestor_id, gen_random_uuid(), ledger_account_of(share.ancestor_id, share.ancestor_id, 'balance'),
        coalesce(nullif(share.estimated, 0), units) / share.payer_price * (share.price - share.child_price),
        'share:' || own_hold || ':' || share.leg);
      if placed is null then return false; end if;
      update holds set for_organization = organization, for_hold = own_hold where organization_id = share.ancestor_id and id = placed;
    end if;
    update campaign_leg_shares set hold_id = placed
      where organization_id = organization and campaign_id = campaign and leg = share.leg and level = share.level;
  end loop;
  return true;
end $$;

-- As before, but several legs may spend the same hold.
create or replace function charge_share(ancestor uuid, units bigint, hold_ids uuid[], from_holds bigint[], key text, note text) returns void
language plpgsql as $$
declare
  balance uuid := ledger_account_of(ancestor, ancestor, 'balance');
  spent uuid := ledger_account_of(ancestor, ancestor, 'spent');
  freed bigint;
  from_balance bigint;
begin
  with open as materialized (
    select holds.id, least(wanted.units, holds.amount - captured) as units
    from (select id, sum(unit.units)::bigint as units from unnest(hold_ids, from_holds) as unit (id, units) group by id) wanted
    join holds on holds.organization_id = ancestor and holds.id = wanted.id and released_at is null
    order by holds.id
    for update of holds
  ), taken as (
    update holds set captured = captured + open.units from open where holds.organization_id = ancestor and holds.id = open.id
  )
  select coalesce(sum(open.units), 0) into freed from open;
  update ledger_accounts set held = held - freed where organization_id = ancestor and id = balance and freed > 0;
  select least(units, posted - held) into from_balance from ledger_accounts where organization_id = ancestor and id = balance;
  perform post_entry(ancestor, key || ':usage', 'capture', balance, spent, from_balance, note);
  perform post_entry(ancestor, key || ':loss', 'capture', ledger_account_of(ancestor, ancestor, 'loss'), spent, units - from_balance, note)
  where units > from_balance;
end $$;
