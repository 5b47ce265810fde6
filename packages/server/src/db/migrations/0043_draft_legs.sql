-- One shape of draft for all channels: sender, template and values are fields of a leg, not fields named by the channel.
update campaigns set draft = (draft - array['smsAccountId', 'templateId', 'variables', 'waba_id', 'numberId', 'values',
    'smsFailover', 'smsFailoverConditions', 'smsTemplate', 'smsCustomParams', 'splitOverDays'])
  || jsonb_build_object('splitOverDays', coalesce(draft -> 'splitOverDays', 'false'))
  || jsonb_build_object('legs', case channel
    when 'whatsapp' then jsonb_build_array(
      jsonb_build_object('channel', 'whatsapp', 'senderId', draft -> 'numberId', 'templateId', draft -> 'templateId',
        'values', coalesce(draft -> 'values', '{}'), 'isEnabled', true, 'entryConditions', '[]'::jsonb),
      jsonb_build_object('channel', 'sms', 'senderId', draft -> 'smsAccountId', 'templateId', draft -> 'smsTemplate',
        'values', jsonb_build_object('variables', coalesce(draft -> 'smsCustomParams', '[]')),
        'isEnabled', coalesce(draft -> 'smsFailover', 'false'),
        'entryConditions', coalesce(draft -> 'smsFailoverConditions', '[]')))
    else jsonb_build_array(
      jsonb_build_object('channel', channel, 'senderId', draft -> 'smsAccountId', 'templateId', draft -> 'templateId',
        'values', jsonb_build_object('variables', coalesce(draft -> 'variables', '[]')),
        'isEnabled', true, 'entryConditions', '[]'::jsonb))
    end)
  where not draft ? 'legs';

-- Campaigns of the whole organisation that need an SMS account or template, also those that the caller may not see, locked until
-- the end of the transaction. Where none of them is about to send, they lose it: a ready campaign becomes a draft again.
create or replace function free_from_campaigns(organization uuid, senders uuid[], wanted uuid[])
returns table (campaign_name text, campaign_path ltree) language plpgsql security definer set search_path = public as $$
declare
  needing uuid[];
begin
  if not (organization = app_organization() or (app_descend() is not null and app_descends_to(organization))) then
    raise exception 'outside the scope' using errcode = 'insufficient_privilege';
  end if;
  needing := array(
    select campaign.id from campaigns campaign
    where campaign.organization_id = organization and campaign.started_at is null and campaign.status <> 'discarded'
        and exists (select from jsonb_array_elements(campaign.draft -> 'legs') leg
          where leg ->> 'senderId' = any(senders::text[]) or leg ->> 'templateId' = any(wanted::text[]))
      or campaign.organization_id = organization
        and campaign.status in ('validating', 'ready', 'pending_approval', 'scheduled', 'queued', 'running', 'paused')
        and exists (select from campaign_legs leg where leg.organization_id = organization and leg.campaign_id = campaign.id
          and (leg.sender_id = any(senders) or leg.template_id = any(wanted)))
    order by campaign.id
    for update);
  return query select campaign.name, campaign.path from campaigns campaign
    where campaign.organization_id = organization and campaign.id = any(needing)
      and campaign.status in ('validating', 'scheduled', 'queued', 'running', 'paused')
    order by campaign.schedule_at nulls last, campaign.created_at;
  if found then
    return;
  end if;
  update campaigns campaign set updated_at = clock_timestamp(), validated_at = null,
    status = case when campaign.status in ('ready', 'pending_approval') then 'draft' else campaign.status end,
    draft = jsonb_set(campaign.draft, '{legs}', (
      select coalesce(jsonb_agg(leg
        || case when leg ->> 'senderId' = any(senders::text[]) then '{"senderId": null}' else '{}' end::jsonb
        || case when leg ->> 'templateId' = any(wanted::text[]) then '{"templateId": null, "values": {}}' else '{}' end::jsonb
        order by position), '[]')
      from jsonb_array_elements(campaign.draft -> 'legs') with ordinality as legs (leg, position)))
    where campaign.organization_id = organization and campaign.id = any(needing) and campaign.started_at is null;
end $$;
