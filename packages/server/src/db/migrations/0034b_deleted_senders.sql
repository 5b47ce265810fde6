-- SMS accounts and templates that were deleted keep their rows, so that campaigns of the past keep their names and late reports
-- find their messages; they are in no list and no choice, and their names are free again.
alter table senders add column deleted_at timestamptz;
alter table templates add column deleted_at timestamptz;
alter table templates drop constraint templates_organization_id_channel_sender_id_name_key;
create unique index on templates (organization_id, channel, sender_id, name) where deleted_at is null;

-- What was deleted counts against no limit.
create or replace function limit_used(limit_key text, account_path ltree, zone text) returns bigint
language plpgsql stable security definer set search_path = public as $$
declare
  since timestamptz := date_trunc(case when limit_key = 'messages_per_month' then 'month' else 'day' end, now() at time zone zone) at time zone zone;
begin
  case limit_key
  when 'users' then
    return (select count(*) from accounts where path <@ account_path and path <> account_path
      and role in ('user', 'department_head') and organization_id <> id and status <> 'closed');
  when 'sub_accounts' then
    return (select count(*) from accounts where path <@ account_path and path <> account_path and organization_id = id and status <> 'closed');
  when 'sms_accounts' then
    return (select count(*) from senders join accounts owner on owner.id = senders.created_by
      where owner.path <@ account_path and senders.channel = 'sms' and senders.deleted_at is null);
  when 'templates' then
    return (select count(*) from templates join accounts owner on owner.id = templates.created_by where owner.path <@ account_path
      and templates.deleted_at is null);
  when 'campaigns_running' then
    return (select count(*) from campaigns where path <@ account_path and status in ('queued', 'running', 'paused'));
  when 'messages_per_day', 'messages_per_month' then
    return (select coalesce(sum(case when status = 'cancelled' then least(total, (campaign_used(organization_id, id)).people) else total end), 0)
      from campaigns where path <@ account_path and started_at >= since)
      + (select count(*) from single_sends where path <@ account_path and created_at >= since);
  when 'spend_per_day' then
    return (select coalesce(sum(case when status = 'cancelled' then (campaign_used(organization_id, id)).cost else estimated_cost end), 0)
      from campaigns where path <@ account_path and started_at >= since)
      + (select coalesce(sum(holds.amount), 0) from single_sends
        join holds on holds.organization_id = single_sends.organization_id and holds.id = single_sends.hold_id
        where single_sends.path <@ account_path and single_sends.created_at >= since);
  when 'storage_mb' then
    return (select coalesce(sum(size_bytes), 0) from files join accounts owner on owner.id = files.created_by where owner.path <@ account_path);
  else
    return 0;
  end case;
end $$;

-- Campaigns of the whole organisation that need an SMS account or template, also those that the caller may not see, held until the
-- end of the transaction. Where none of them is about to send, they lose it: what was ready becomes a draft again.
create function free_from_campaigns(organization uuid, senders uuid[], wanted uuid[])
returns table (campaign_name text, campaign_path ltree) language plpgsql security definer set search_path = public as $$
declare
  needing uuid[];
begin
  if not (organization = app_organization() or (app_descend() is not null and app_descends_to(organization))) then
    raise exception 'not within reach' using errcode = 'insufficient_privilege';
  end if;
  needing := array(
    select campaign.id from campaigns campaign
    where campaign.organization_id = organization and campaign.started_at is null and campaign.status <> 'discarded'
        and (draft ->> 'smsAccountId' = any(senders::text[]) or draft ->> 'templateId' = any(wanted::text[])
          or draft ->> 'smsTemplate' = any(wanted::text[]))
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
    draft = draft
      || case when draft ->> 'smsAccountId' = any(senders::text[]) then '{"smsAccountId": null}' else '{}' end::jsonb
      || case when draft ->> 'templateId' = any(wanted::text[]) then '{"templateId": null, "variables": []}' else '{}' end::jsonb
      || case when draft ->> 'smsTemplate' = any(wanted::text[])
        then '{"smsTemplate": null, "smsCustomParams": []}' else '{}' end::jsonb
    where campaign.organization_id = organization and campaign.id = any(needing) and campaign.started_at is null;
end $$;
