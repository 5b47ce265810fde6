-- The first click of each recipient of a campaign is published for subscribers, in the transaction that writes it.
create function publish_clicks() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform publish_event(organization_id, 'message.clicked', array[campaign_id],
    jsonb_build_object('clicks', jsonb_agg(jsonb_build_object('seq', seq, 'number', number, 'at', first_at) order by seq)))
  from added
  join (
    select organization_id from (select distinct organization_id from added) own where has_subscribers(organization_id, 'message.clicked')
  ) wanted using (organization_id)
  group by organization_id, campaign_id;
  return null;
end $$;
create trigger publish_clicks after insert on campaign_clickers referencing new table as added
  for each statement execute function publish_clicks();
