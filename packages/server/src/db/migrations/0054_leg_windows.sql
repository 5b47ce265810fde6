-- Hours in which a leg sends. Those of the campaign remain as the hours by which its start is planned.
alter table campaign_legs add column send_window jsonb;
update campaign_legs leg set send_window = campaign.send_window
from campaigns campaign
where campaign.organization_id = leg.organization_id and campaign.id = leg.campaign_id and campaign.send_window is not null;

-- Whether it is between these times in a time zone. Times that are equal mean the whole day.
create function is_between(opens text, closes text, zone text) returns boolean language sql stable parallel safe
  return opens = closes or case
    when opens < closes then to_char(now() at time zone zone, 'HH24:MI') >= opens and to_char(now() at time zone zone, 'HH24:MI') < closes
    else to_char(now() at time zone zone, 'HH24:MI') >= opens or to_char(now() at time zone zone, 'HH24:MI') < closes
  end;

-- With several time zones, the hours must be open in all of them.
create or replace function in_send_window(hours jsonb) returns boolean language sql stable parallel safe
  return hours is null or case
    when hours ? 'timezones' then not exists (
      select from jsonb_array_elements_text(hours->'timezones') as zone where not is_between(hours->>'start', hours->>'end', zone))
    else is_between(hours->>'start', hours->>'end', hours->>'timezone')
  end;
