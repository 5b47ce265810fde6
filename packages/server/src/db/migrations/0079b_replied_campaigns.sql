-- The newest campaign of the last week that reached each number from a line; where it is known, only that one. `messages` has a
-- partition for each day, and planning a join with all of them takes longer than storing a reply, so the plan is kept.
create function replied_campaigns(organization uuid, line uuid, numbers bigint[], known uuid[] default null)
returns table (phone bigint, id uuid, leg smallint, created_by uuid, channel channel, started_at timestamptz, left_on date)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select reply.phone, newest.*
    from (select distinct on (phone) phone, campaign_id from unnest(numbers, known) as asked (phone, campaign_id)) reply
    cross join lateral (
      select campaign.id, entry.leg, campaign.created_by, campaign.channel, coalesce(campaign.started_at, campaign.created_at), message.left_on
      from campaigns campaign
      join campaign_legs entry on entry.organization_id = organization and entry.campaign_id = campaign.id and entry.sender_id = line
      join recipients recipient on recipient.organization_id = organization and recipient.audience_id = campaign.audience_id
        and recipient.phone = reply.phone
      join messages message on message.organization_id = organization and message.created_on = campaign.created_on
        and message.campaign_id = campaign.id and message.seq = recipient.seq and message.leg = entry.leg and message.status >= 'sent'
      where campaign.organization_id = organization and campaign.created_on >= current_date - 7
        and (reply.campaign_id is null or campaign.id = reply.campaign_id)
      order by campaign.created_on desc, campaign.created_at desc
      limit 1
    ) newest;
end $$;
revoke all on function replied_campaigns from public;
grant execute on function replied_campaigns to carillon_system;
