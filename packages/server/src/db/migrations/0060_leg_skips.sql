-- Recipients whose message of a leg is skipped when the campaign starts, with the reason: 1024 to a block, as in leg_members.
create table leg_skips (
  organization_id uuid not null,
  campaign_id uuid not null,
  leg smallint not null,
  reason text not null,
  block int not null check (block >= 0),
  members bit(1024) not null,
  primary key (organization_id, campaign_id, leg, reason, block),
  foreign key (organization_id, campaign_id, leg) references campaign_legs (organization_id, campaign_id, leg) on delete cascade
);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table leg_skips enable row level security;
  alter table leg_skips force row level security;
  execute format('create policy tenant on leg_skips to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on leg_skips to carillon_system using (true) with check (true);
  execute format('create policy owner on leg_skips to %I using (true) with check (true)', current_user);
end $$;

-- Writes the results of recipients that are skipped from the start, and moves them on to a later leg that accepts the reason. Runs in
-- the transaction that starts the campaign, after its chunks are planned. Accounts may not write entries themselves. Returns the number
-- of people.
create function skip_excluded(organization uuid, campaign uuid) returns bigint
language sql security definer set search_path = public as $$
  with excluded as (
    select own.created_on, own.created_by, leg.leg, leg.sender_id, leg.channel, leg.billable_on, recipient.seq, recipient.phone, skip.reason
    from campaigns own
    join leg_skips skip on skip.organization_id = organization and skip.campaign_id = own.id
    join campaign_legs leg on leg.organization_id = organization and leg.campaign_id = own.id and leg.leg = skip.leg
    cross join generate_series(0, 1023) as place
    join recipients recipient on recipient.organization_id = organization and recipient.audience_id = own.audience_id
      and recipient.seq = skip.block * 1024 + place
    where own.organization_id = organization and own.id = campaign and app_reaches(organization) and get_bit(skip.members, place) = 1
  ), inserted as (
    insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, reason,
      left_on)
    select organization, created_on, campaign, seq, leg, sender_id, phone, 'skipped', 1, 0, billable_on, reason,
      (select organization_day(organization))
    from excluded
    on conflict do nothing
    returning leg, seq, reason, status
  ), counted as (
    insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, sender_id, skipped, left_on)
    select organization, campaign, leg, created_by, channel, sender_id, count(*), (select organization_day(organization))
    from inserted join excluded using (leg, seq)
    group by leg, created_by, channel, sender_id
  ), gone_on as materialized (
    select enter_next_leg(organization, campaign, leg, array_agg(seq), array_agg(reason), array_agg(status), array_agg(false)) as moved
    from inserted group by leg
  )
  select count(*) + 0 * (select coalesce(sum(moved), 0)::bigint from gone_on) from inserted;
$$;
revoke all on function skip_excluded from public;
grant execute on function skip_excluded to carillon_app, carillon_system;
