-- The newest campaign of the last week that reached a number from a line; if it is known, only that one. A function, because
-- `messages` has a partition for each day, and planning a join with all of them took longer than storing the reply.
create function replied_campaign(organization uuid, line uuid, number bigint, known uuid default null)
returns table (id uuid, leg smallint, created_by uuid, channel channel, started_at timestamptz, left_on date)
language plpgsql stable as $$
#variable_conflict use_column
declare
  candidate record;
begin
  for candidate in
    select campaign.id, campaign.created_on, entry.leg, campaign.created_by, campaign.channel, recipient.seq,
      coalesce(campaign.started_at, campaign.created_at) as started_at
    from campaigns campaign
    join campaign_legs entry on entry.organization_id = organization and entry.campaign_id = campaign.id and entry.sender_id = line
    join recipients recipient on recipient.organization_id = organization and recipient.audience_id = campaign.audience_id
      and recipient.phone = number
    where campaign.organization_id = organization and campaign.created_on >= current_date - 7
      and (known is null or campaign.id = known)
    order by campaign.created_on desc, campaign.created_at desc
  loop
    return query
      select candidate.id, candidate.leg, candidate.created_by, candidate.channel, candidate.started_at, message.left_on
      from messages message
      where message.organization_id = organization and message.created_on = candidate.created_on
        and message.campaign_id = candidate.id and message.seq = candidate.seq and message.leg = candidate.leg
        and message.status >= 'sent';
    exit when found;
  end loop;
end $$;
revoke all on function replied_campaign from public;
grant execute on function replied_campaign to carillon_system;
