-- Rules that decide at the time of sending who is written to, and when.

alter table campaigns
  -- Whoever got a message of another campaign on the same channel within these hours is left out.
  add column skip_recent_hours int check (skip_recent_hours between 1 and 720),
  -- No more people a day than the sender's limit allows.
  add column split_over_days boolean not null default false,
  -- When the last part of a campaign that is split over days begins.
  add column last_part_at timestamptz;
-- Campaigns that may have written to somebody lately.
create index on campaigns (organization_id, coalesce(completed_at, 'infinity')) where started_at is not null;

alter table chunks
  -- When it joins the queue of its lane; null once it has. Later chunks of a leg never join before earlier ones.
  add column not_before timestamptz;
create index on chunks (not_before) where not_before is not null and done_at is null;

-- As before, and a campaign that is split over days has its time from the beginning of its last part.
create or replace function campaign_end(organization uuid, campaign uuid) returns timestamptz language sql stable as $$
  select coalesce(expires_at, greatest(coalesce(started_at, now()), last_part_at) + interval '3 days' + make_interval(secs => (
    select coalesce(sum(enter_delay_seconds), 0) from campaign_legs
    where campaign_legs.organization_id = organization and campaign_id = campaign)))
  from campaigns where campaigns.organization_id = organization and id = campaign;
$$;
