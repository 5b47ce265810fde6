-- A cancelled campaign counts against the limits of the day and the month with what it sent, not with what it had planned.

-- What left, or may have left, of a campaign. Counters that are not added up yet are read as they are.
create function campaign_used(organization uuid, campaign uuid, out people bigint, out cost bigint)
language sql stable security definer set search_path = public as $$
  select coalesce(sum(sent + delivered + read + failed + unknown + unconfirmed), 0)::bigint, coalesce(sum(cost - refunded), 0)::bigint
  from (
    select sent, delivered, read, failed, unknown, unconfirmed, counters.cost, refunded from counters
      where organization_id = organization and campaign_id = campaign
    union all
    select sent, delivered, read, failed, unknown, unconfirmed, counter_deltas.cost, refunded from counter_deltas
      where organization_id = organization and campaign_id = campaign
  ) counted (sent, delivered, read, failed, unknown, unconfirmed, cost, refunded)
$$;

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
      where owner.path <@ account_path and senders.channel = 'sms');
  when 'templates' then
    return (select count(*) from templates join accounts owner on owner.id = templates.created_by where owner.path <@ account_path);
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

-- Names have no line breaks and control characters any more. Those that are stored are cleaned, so that they still can be read.
update campaigns set draft = jsonb_set(draft, '{campaignName}', to_jsonb(regexp_replace(draft ->> 'campaignName', '[[:cntrl:]\u2028\u2029]+', ' ', 'g')))
  where draft ->> 'campaignName' ~ '[[:cntrl:]\u2028\u2029]';
update brands set brand = brand || (
    select jsonb_object_agg(key, regexp_replace(value, '[[:cntrl:]\u2028\u2029]+', ' ', 'g')) from jsonb_each_text(brand)
    where key in ('name', 'certification', 'mailSenderName'))
  where concat(brand ->> 'name', brand ->> 'certification', brand ->> 'mailSenderName') ~ '[[:cntrl:]\u2028\u2029]';
