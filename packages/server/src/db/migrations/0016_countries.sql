-- Each recipient is charged by his own country: the people of a country stand together in an audience, and a leg of a campaign
-- to several countries is for those of one.

-- The countries of a file that was read and where their people are, one behind the other: [{country, lo, hi}], [lo, hi).
alter table audiences add column countries jsonb not null default '[]';
update audiences set countries = jsonb_build_array(jsonb_build_object('country', default_country, 'lo', 0, 'hi', accepted))
where status = 'ready' and accepted > 0;

-- Whose price the leg has; of legs that were planned before, the default of their audience.
alter table campaign_legs add column country text;

-- As before, but a recipient waits in the legs of his own country only.
create or replace function campaign_end(organization uuid, campaign uuid) returns timestamptz language sql stable as $$
  select coalesce(expires_at, greatest(coalesce(started_at, now()), last_part_at) + interval '3 days' + make_interval(secs => (
    select coalesce(max(delay), 0) from (
      select sum(enter_delay_seconds) as delay from campaign_legs
      where campaign_legs.organization_id = organization and campaign_id = campaign
      group by lo) delays)))
  from campaigns where campaigns.organization_id = organization and id = campaign;
$$;

-- As before, but a leg that waits spends what was set aside for the leg of the same recipients, and a leg of one country has no
-- more set aside than it can cost.
create or replace function hold_shares(organization uuid, campaign uuid, own_hold uuid, units bigint) returns boolean
language plpgsql security definer set search_path = public as $$
declare
  share record;
  placed uuid;
begin
  if not app_reaches(organization) then return false; end if;
  for share in
    select shares.*, coalesce(own.enter_delay_seconds, 0) > 0 as waits, own.lo,
      case when own.lo is null then coalesce(nullif(own.estimated, 0), units) else own.estimated end as estimated
    from campaign_leg_shares shares
    left join campaign_legs own on own.organization_id = organization and own.campaign_id = campaign and own.leg = shares.leg
    where shares.organization_id = organization and shares.campaign_id = campaign and shares.price > shares.child_price
    order by shares.level, shares.leg
  loop
    if share.waits then
      select before.hold_id into placed from campaign_leg_shares before
        join campaign_legs own on own.organization_id = organization and own.campaign_id = campaign and own.leg = before.leg
        where before.organization_id = organization and before.campaign_id = campaign and before.level = share.level
          and before.leg < share.leg and before.hold_id is not null and own.lo is not distinct from share.lo
        order by before.leg desc limit 1;
    elsif share.estimated > 0 then
      placed := place_hold(share.ancestor_id, gen_random_uuid(), ledger_account_of(share.ancestor_id, share.ancestor_id, 'balance'),
        share.estimated / share.payer_price * (share.price - share.child_price), 'share:' || own_hold || ':' || share.leg);
      if placed is null then return false; end if;
      update holds set for_organization = organization, for_hold = own_hold where organization_id = share.ancestor_id and id = placed;
    else
      placed := null;
    end if;
    update campaign_leg_shares set hold_id = placed
      where organization_id = organization and campaign_id = campaign and leg = share.leg and level = share.level;
  end loop;
  return true;
end $$;
