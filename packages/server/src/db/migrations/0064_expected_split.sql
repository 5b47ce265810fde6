-- What the review of a campaign over several channels showed: people and cost per leg, and the range of the cost.
alter table campaigns add column expected_split jsonb;

alter table campaign_legs
  -- Position of the leg in the draft, of which several legs are made: one for each country, category, and later try.
  add column draft_leg smallint not null default 0,
  -- Recipients who begin with it; null if the campaign was validated before this was counted.
  add column starters int;

update campaign_legs leg set draft_leg = coalesce((
  select (place - 1)::smallint from jsonb_array_elements(campaign.draft -> 'legs') with ordinality as drafted (content, place)
  where content ->> 'channel' = leg.channel::text order by place limit 1), 0)
from campaigns campaign
where campaign.organization_id = leg.organization_id and campaign.id = leg.campaign_id and jsonb_typeof(campaign.draft -> 'legs') = 'array';
