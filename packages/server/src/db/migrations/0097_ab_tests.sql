-- A/B tests: several first messages on part of the recipients, and the best of them for the others.

-- Legs of a test: the variant they belong to, and whether they are for the recipients who get the winner. Those are planned once it is
-- chosen.
alter table campaign_legs
  add column variant smallint check (variant between 0 and 3),
  add column is_rest boolean not null default false;

-- Frozen with the campaign.
create table ab_tests (
  organization_id uuid not null,
  campaign_id uuid not null,
  phase text not null default 'none' check (phase in ('none', 'testing', 'awaiting_winner', 'winner_sending')),
  metric text not null check (metric in ('delivered', 'read', 'clicked', 'replied', 'cost_per_reply')),
  auto_send boolean not null,
  duration_minutes int not null check (duration_minutes > 0),
  -- Recipients who get the winner, and those who get no message.
  rest int not null check (rest >= 0),
  held_out int not null check (held_out >= 0),
  decides_at timestamptz,
  winner smallint check (winner between 0 and 3),
  decided_at timestamptz,
  -- Null if the results chose.
  decided_by uuid,
  -- The results of the variants when the winner was chosen.
  results jsonb,
  primary key (organization_id, campaign_id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade,
  check ((winner is null) = (decided_at is null))
);
create index on ab_tests (decides_at) where phase in ('testing', 'awaiting_winner');

do $$
begin
  alter table ab_tests enable row level security;
  alter table ab_tests force row level security;
  create policy tenant on ab_tests to carillon_app
    using (organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id)))
    with check (organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id)));
  create policy system on ab_tests to carillon_system using (true) with check (true);
  execute format('create policy owner on ab_tests to %I using (true) with check (true)', current_user);
end $$;

-- As before, for some legs: those that start with the campaign, or those of the winner of a test.
drop function skip_excluded;
create function skip_excluded(organization uuid, campaign uuid, legs smallint[]) returns bigint
language sql security definer set search_path = public as $$
  with excluded as (
    select own.created_on, own.created_by, leg.leg, leg.sender_id, leg.channel, leg.billable_on, recipient.seq, recipient.phone, skip.reason
    from campaigns own
    join leg_skips skip on skip.organization_id = organization and skip.campaign_id = own.id and skip.leg = any(legs)
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
