-- Tracked links: addresses with a code for each recipient, which is computed, and what was clicked.

-- A host name of tracked links only: no brand is shown there.
alter table brand_hosts add column is_for_links boolean not null default false;
create unique index on brand_hosts (organization_id) where is_for_links;

-- Of 24 bits, as in the codes.
create sequence link_numbers as int minvalue 1 maxvalue 16777215 no cycle;
grant select on sequence link_numbers to carillon_system;

-- Frozen with the campaign.
create table campaign_links (
  organization_id uuid not null,
  campaign_id uuid not null,
  -- Of the draft.
  leg smallint not null,
  -- Among the links of the leg.
  position smallint not null,
  number int not null default nextval('link_numbers'),
  variable text not null,
  host text not null,
  url text not null check (url like 'https://%'),
  -- Recipients who clicked it.
  people int not null default 0,
  -- Recipients whose first click in the campaign was on this link.
  first_people int not null default 0,
  clicks bigint not null default 0,
  -- Requests of programs.
  previews bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (organization_id, campaign_id, leg, position),
  unique (number),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id) on delete cascade
);

create table link_clicks (
  organization_id uuid not null,
  number int not null,
  seq int not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  clicks int not null,
  -- Of the first click.
  device text not null,
  primary key (organization_id, number, seq)
);
create index on link_clicks (first_at);

-- Recipients who clicked any link of a campaign, by their first click.
create table campaign_clickers (
  organization_id uuid not null,
  campaign_id uuid not null,
  seq int not null,
  number int not null,
  first_at timestamptz not null,
  primary key (organization_id, campaign_id, seq)
);
create index on campaign_clickers (first_at);

-- The host name of an organization's links: its own, else that of the nearest brand above; null: the installation's.
create function link_host(organization uuid) returns text language sql stable security definer set search_path = public as $$
  select coalesce(
    (select host from brand_hosts where organization_id = organization and is_for_links),
    (select min(host) from brand_hosts shown
      join (
        select founder.id from accounts own
        join accounts founder on founder.path @> own.path and founder.organization_id = founder.id
        join brands on brands.organization_id = founder.id
        where own.id = organization
        order by nlevel(founder.path) desc limit 1
      ) nearest on nearest.id = shown.organization_id
      where not shown.is_for_links))
  where app_reaches(organization);
$$;
revoke execute on function link_host from public;
grant execute on function link_host to carillon_app, carillon_system;

-- A host name that another organization uses for its brand or its links meanwhile no longer serves earlier links of this one.
create function may_use_host(organization uuid, name text) returns boolean language sql stable security definer set search_path = public as $$
  select not exists (
    select from brand_hosts used
    where used.host = name and not exists (
      select from accounts own join accounts above on above.path @> own.path
      where own.id = organization and above.id = used.organization_id));
$$;
revoke execute on function may_use_host from public;
grant execute on function may_use_host to carillon_app, carillon_system;

-- As before, with the recipient's position in the audience.
drop function campaign_messages_of_line;
create function campaign_messages_of_line(organization uuid, line uuid, number bigint, since timestamptz, until timestamptz, until_campaign uuid, chosen uuid[], most int)
returns table (campaign_id uuid, name text, channel channel, content jsonb, columns text[], variables text[], seq int, status message_status,
  reason text, code text, parts smallint, cost bigint, sent_at timestamptz, delivered_at timestamptz, failed_at timestamptz,
  provider_message_id text, at timestamptz)
language sql stable security definer set search_path = public as $$
  select campaign.id, campaign.name, leg.channel, leg.content, audience.columns, recipient.variables, recipient.seq, message.status,
    message.reason, message.code, message.parts, charge_of(message.status, message.price, message.billable_on),
    message.sent_at, message.delivered_at, message.failed_at, message.provider_message_id, place.at
  from campaigns campaign
  join audiences audience on audience.organization_id = campaign.organization_id and audience.id = campaign.audience_id
  cross join lateral (
    select seq, variables from recipients recipient
    where recipient.organization_id = campaign.organization_id and recipient.audience_id = campaign.audience_id and recipient.phone = number
    order by seq limit 1
  ) recipient
  cross join lateral (
    select sent.* from messages sent
    join campaign_legs own on own.organization_id = sent.organization_id and own.campaign_id = sent.campaign_id and own.leg = sent.leg
    where sent.organization_id = campaign.organization_id and sent.created_on = campaign.created_on and sent.campaign_id = campaign.id
      and sent.seq = recipient.seq and own.sender_id = line and sent.status not in ('queued', 'skipped', 'cancelled')
    order by sent.leg desc limit 1
  ) message
  join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id and leg.leg = message.leg
  cross join lateral (select coalesce(message.sent_at, message.failed_at, message.unknown_at, campaign.started_at) as at) place
  where campaign.organization_id = organization and app_reaches(organization) and campaign.started_at is not null
    and coalesce(campaign.completed_at, 'infinity') >= since and campaign.started_at <= until
    and (chosen is null or campaign.id = any(chosen))
    and exists (select from campaign_legs used
      where used.organization_id = campaign.organization_id and used.campaign_id = campaign.id and used.sender_id = line)
    and place.at >= since and (place.at, campaign.id) < (until, until_campaign)
  order by place.at desc, campaign.id desc
  limit most
$$;
revoke all on function campaign_messages_of_line from public;
grant execute on function campaign_messages_of_line to carillon_app, carillon_system;

drop function campaign_messages_by_provider;
create function campaign_messages_by_provider(organizations uuid[], lines uuid[], provider_ids text[])
returns table (organization_id uuid, sender_id uuid, phone bigint, campaign_id uuid, name text, channel channel, content jsonb, columns text[],
  variables text[], seq int, status message_status, reason text, code text, parts smallint, cost bigint, sent_at timestamptz,
  delivered_at timestamptz, failed_at timestamptz, provider_message_id text, at timestamptz)
language sql stable security definer set search_path = public as $$
  select message.organization_id, message.sender_id, message.phone, campaign.id, campaign.name, leg.channel, leg.content, audience.columns,
    recipient.variables, message.seq, message.status, message.reason, message.code, message.parts,
    charge_of(message.status, message.price, message.billable_on), message.sent_at, message.delivered_at, message.failed_at,
    message.provider_message_id, coalesce(message.sent_at, message.failed_at, message.unknown_at, campaign.started_at)
  from unnest(organizations, lines, provider_ids) as asked (organization_id, sender_id, provider_message_id)
  join messages message on message.organization_id = asked.organization_id and message.sender_id = asked.sender_id
    and message.provider_message_id = asked.provider_message_id
  join campaigns campaign on campaign.organization_id = message.organization_id and campaign.id = message.campaign_id
  join campaign_legs leg on leg.organization_id = message.organization_id and leg.campaign_id = message.campaign_id and leg.leg = message.leg
  join audiences audience on audience.organization_id = campaign.organization_id and audience.id = campaign.audience_id
  join recipients recipient on recipient.organization_id = campaign.organization_id and recipient.audience_id = campaign.audience_id
    and recipient.seq = message.seq
  where app_reaches(asked.organization_id);
$$;
revoke all on function campaign_messages_by_provider from public;
grant execute on function campaign_messages_by_provider to carillon_app, carillon_system;

do $$
declare
  name text;
begin
  foreach name in array array['campaign_links', 'link_clicks', 'campaign_clickers'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id)))', name);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;
