-- What an invited person gets as an agent once they accept the invitation.
create table invited_agents (
  organization_id uuid not null,
  invitation_id uuid not null,
  name text not null,
  skills text[] not null default '{}',
  team_ids uuid[] not null default '{}',
  line_ids uuid[] not null default '{}',
  capacity int check (capacity > 0),
  channel_capacity jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (organization_id, invitation_id),
  foreign key (organization_id, invitation_id) references invitations (organization_id, id) on delete cascade
);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table invited_agents enable row level security;
  alter table invited_agents force row level security;
  execute format('create policy tenant on invited_agents to carillon_app using (%s) with check (%s)', sees, sees);
  execute 'create policy system on invited_agents to carillon_system using (true) with check (true)';
  execute format('create policy owner on invited_agents to %I using (true) with check (true)', current_user);
end $$;

-- When the queue last gave them a conversation.
alter table live_agents add column assigned_at timestamptz;
create index on live_agents (last_seen_at) where availability <> 'offline' and goes_offline;

-- When it was recorded that the answer of this wait is late.
alter table conversations add column overdue_at timestamptz;
drop index conversations_due_at_idx;
create index conversations_overdue on conversations (due_at) where due_at is not null and (overdue_at is null or overdue_at < due_at);

-- What the queue may give to agents.
create index conversations_queue on conversations (organization_id, priority desc, due_at, waiting_since)
  where assignee_id is null and status = 'open' and held_by <> 'bot' and waiting_since is not null;
create index conversations_labelled on conversations (organization_id, last_at) where labels <> '{}';

-- The members of an organization by name. An account sees only the rows of those below it.
create function members_of(organization uuid)
returns table (id uuid, name text, email text, role role, path ltree, status account_status)
language sql stable security definer set search_path = public
  begin atomic
    select account.id, account.name, account.email::text, account.role, account.path, account.status from accounts account
    where account.organization_id = organization and app_reaches(organization);
  end;
revoke all on function members_of from public;
grant execute on function members_of to carillon_app, carillon_system;

-- The zone of business hours, and of days in metrics.
create function inbox_timezone(organization uuid) returns text language sql stable security definer set search_path = public
  return (select coalesce((select settings.timezone from inbox_settings settings where settings.organization_id = organization), account.timezone)
    from accounts account where account.id = organization and app_reaches(organization));
revoke all on function inbox_timezone from public;
grant execute on function inbox_timezone to carillon_app, carillon_system;

-- The business hours of a day; nulls if it has none. An end of 00:00 is the end of the day.
create function opening_hours(business_hours jsonb, timezone text, day date, out opens timestamptz, out closes timestamptz)
language plpgsql stable as $$
declare
  hours constant jsonb := business_hours -> (extract(isodow from day)::int - 1);
begin
  opens := (day + (hours ->> 'start')::time) at time zone timezone;
  closes := (day + case when hours ->> 'end' = '00:00' then 1 else 0 end + (hours ->> 'end')::time) at time zone timezone;
end $$;

-- When `minutes` of business hours have passed. Null without a target, or if the hours do not suffice within a year.
create function business_due(settings inbox_settings, since timestamptz, minutes int) returns timestamptz language plpgsql stable as $$
declare
  missing interval := minutes * interval '1 minute';
  hours record;
begin
  if minutes is null or settings.business_hours is null then return since + missing; end if;
  for ahead in 0..366 loop
    hours := opening_hours(settings.business_hours, settings.timezone, (since at time zone settings.timezone)::date + ahead);
    hours.opens := greatest(hours.opens, since);
    continue when hours.closes is null or hours.closes <= hours.opens;
    if hours.closes - hours.opens >= missing then return hours.opens + missing; end if;
    missing := missing - (hours.closes - hours.opens);
  end loop;
  return null;
end $$;

-- The seconds of business hours between two instants; all seconds without such hours.
create function business_seconds(organization uuid, since timestamptz, until timestamptz) returns int language plpgsql stable as $$
declare
  settings inbox_settings;
begin
  select * into settings from inbox_settings where organization_id = organization;
  if settings.business_hours is null then return greatest(0, extract(epoch from until - since))::int; end if;
  return (
    select coalesce(sum(extract(epoch from least(hours.closes, until) - greatest(hours.opens, since))), 0)::int
    from generate_series((since at time zone settings.timezone)::date::timestamp, (until at time zone settings.timezone)::date::timestamp,
      interval '1 day') as day
    cross join lateral opening_hours(settings.business_hours, settings.timezone, day::date) hours
    where hours.closes is not null and least(hours.closes, until) > greatest(hours.opens, since));
end $$;

-- A wait ends with its answer. One that ended late counts as a breach, if no job has recorded it yet.
create function end_wait() returns trigger language plpgsql as $$
begin
  if old.due_at < clock_timestamp() and (old.overdue_at is null or old.overdue_at < old.due_at) and old.assignee_id is not null then
    insert into agent_facts (organization_id, account_id, kind, conversation_id)
    values (old.organization_id, old.assignee_id, 'sla_breach', old.id);
  end if;
  new.due_at := null;
  new.overdue_at := null;
  return new;
end $$;
create trigger end_wait before update on conversations for each row
  when (old.due_at is not null and new.waiting_since is null) execute function end_wait();

-- An agent with what they can still take. Null places: any number.
create type free_agent as (
  account_id uuid,
  skills text[],
  teams uuid[],
  -- Null: all lines.
  lines uuid[],
  held int,
  places int,
  channel_places jsonb,
  assigned_at timestamptz
);

-- Agents who are online and hold less than their capacity.
create function free_agents(organization uuid, settled interval) returns table (account_id uuid, held int, held_by_channel jsonb)
language sql stable as $$
  select agent.account_id, coalesce(load.held, 0), coalesce(load.by_channel, '{}')
  from live_agents agent
  left join lateral (
    select sum(count)::int as held, jsonb_object_agg(channel, count) as by_channel from (
      select channel, count(*) from conversations
      where organization_id = organization and assignee_id = agent.account_id and status = 'open' group by channel) held) load on true
  where agent.organization_id = organization and agent.availability = 'online'
    and agent.available_since <= clock_timestamp() - settled and (agent.capacity is null or agent.capacity > coalesce(load.held, 0));
$$;

-- Agents who can take conversations. Rows of agents are locked in order, so that of several calls at once each sees what the
-- earlier ones gave.
create function lock_free_agents(organization uuid, settled interval) returns free_agent[] language plpgsql as $$
declare
  locked uuid[];
begin
  -- Mostly all are at their capacity: then nothing is locked.
  if not exists (select from free_agents(organization, settled)) then return '{}'; end if;
  locked := array(
    select account_id from live_agents where organization_id = organization and availability = 'online' order by account_id for update);
  return array(
    select row(agent.account_id, agent.skills, teams.ids, nullif(lines.ids, '{}'), free.held, agent.capacity - free.held,
      places.by_channel, agent.assigned_at)::free_agent
    from free_agents(organization, settled) free
    join live_agents agent on agent.organization_id = organization and agent.account_id = free.account_id
    join accounts account on account.organization_id = organization and account.id = free.account_id
    cross join lateral (
      select array(select team_id from team_members member
        where member.organization_id = organization and member.account_id = free.account_id) as ids) teams
    cross join lateral (
      select array(
        select sender_id from live_agent_lines line where line.organization_id = organization and line.account_id = free.account_id
        union select sender_id from team_lines line where line.organization_id = organization and line.team_id = any (teams.ids)) as ids) lines
    cross join lateral (
      select coalesce(jsonb_object_agg(key, value::int - coalesce((free.held_by_channel ->> key)::int, 0)), '{}') as by_channel
      from jsonb_each_text(agent.channel_capacity)) places
    where free.account_id = any (locked) and account_status_of(account.path) = 'active' and 'chat' = any (effective_modules(account.id))
    order by agent.account_id);
end $$;

-- The agent who takes a conversation: of those who may answer it and have a place for it, the one who holds the least, then the
-- one whose last assignment is the longest ago. A conversation of a team is answered by its members. Null if there is none.
create function find_taker(agents free_agent[], channel text, line uuid, team uuid, needed text[]) returns int language sql stable as $$
  select number::int from unnest(agents) with ordinality
    as agent (account_id, skills, teams, lines, held, places, channel_places, assigned_at, number)
  where agent.skills @> needed
    and case when team is not null then team = any (agent.teams) else agent.lines is null or line = any (agent.lines) end
    and coalesce(agent.places > 0, true) and coalesce((agent.channel_places ->> channel)::int > 0, true)
  order by agent.held, agent.assigned_at nulls first, number limit 1
$$;

-- Gives waiting conversations to agents: the most urgent first, to the agent who holds the least. Returns how many. Those that
-- are left have no agent, or are locked by a transaction whose commit causes another call. With `settled`, only conversations
-- and agents that have waited for that long.
create function assign_waiting(organization uuid, settled interval default '0') returns int language plpgsql as $$
declare
  agents free_agent[];
  waiting conversations;
  place int;
  given uuid[] := '{}';
  takers uuid[] := '{}';
  notifications jsonb;
begin
  if not exists (select from inbox_settings where organization_id = organization and assigns_automatically)
    -- In the order of the index, which is used then however many conversations waited lately.
    or (select true from conversations where organization_id = organization and assignee_id is null and status = 'open'
      and held_by <> 'bot' and waiting_since is not null order by priority desc, due_at, waiting_since limit 1) is null then
    return 0;
  end if;
  agents := lock_free_agents(organization, settled);
  if cardinality(agents) = 0 then return 0; end if;

  for waiting in
    with needs as materialized (
      select distinct channel, sender_id, team_id, skills from conversations
      where organization_id = organization and assignee_id is null and status = 'open' and held_by <> 'bot' and waiting_since is not null
    ), met as materialized (
      select * from needs where find_taker(agents, channel::text, sender_id, team_id, skills) is not null
    )
    select conversation.* from conversations conversation
    where organization_id = organization and assignee_id is null and status = 'open' and held_by <> 'bot'
      and waiting_since is not null and waiting_since <= clock_timestamp() - settled
      -- A value, not a join: the index gives the order, so that few rows are read if few agents have a place.
      and (select true from met where met.channel = conversation.channel and met.sender_id = conversation.sender_id
        and met.team_id is not distinct from conversation.team_id and met.skills = conversation.skills limit 1)
    order by priority desc, due_at, waiting_since, id limit 500 for update of conversation skip locked
  loop
    place := find_taker(agents, waiting.channel::text, waiting.sender_id, waiting.team_id, waiting.skills);
    continue when place is null;
    given := given || waiting.id;
    takers := takers || agents[place].account_id;
    agents[place].held := agents[place].held + 1;
    agents[place].places := agents[place].places - 1;
    agents[place].assigned_at := clock_timestamp();
    if agents[place].channel_places ? waiting.channel::text then
      agents[place].channel_places := agents[place].channel_places
        || jsonb_build_object(waiting.channel, (agents[place].channel_places ->> waiting.channel::text)::int - 1);
    end if;
    exit when agents[place].places = 0 and not exists (select from unnest(agents) agent where coalesce(agent.places > 0, true));
  end loop;

  if given = '{}' then return 0; end if;
  with taken as (
    update conversations conversation set assignee_id = taker.account_id, assigned_at = clock_timestamp()
    from unnest(given, takers) as taker (id, account_id)
    where conversation.organization_id = organization and conversation.id = taker.id
    returning conversation.id, conversation.assignee_id, conversation.revision, conversation.channel, conversation.identity, conversation.last_text
  ), events as (
    insert into conversation_events (organization_id, conversation_id, id, kind, details, revision)
    select organization, taken.id, uuidv7(), 'assigned', jsonb_build_object('assignee', account.name, 'assigneeId', account.id), taken.revision
    from taken join accounts account on account.organization_id = organization and account.id = taken.assignee_id
    returning id, conversation_id
  ), announced as (
    insert into domain_events (organization_id, type, subject_ids, payload)
    select organization, 'thread.changed', array[id], jsonb_build_object('chatId', conversation_id) from events
  ), facts as (
    insert into agent_facts (organization_id, account_id, kind, conversation_id)
    select organization, assignee_id, 'assigned', id from taken
  ), agents as (
    update live_agents set assigned_at = clock_timestamp() where organization_id = organization and account_id = any (takers)
  )
  select jsonb_agg(jsonb_build_object('organization_id', organization, 'id', uuidv7(), 'account_id', taken.assignee_id,
    'kind', 'conversation_assigned', 'title', 'A conversation was assigned to you',
    'description', left(concat_ws(': ', coalesce(contact.name, known.name, '+' || known.phone, known.username, taken.identity),
      nullif(taken.last_text, '')), 200),
    'link', jsonb_build_object('type', 'conversation', 'id', taken.id),
    'event_key', format('conversation_assigned:%s:%s', taken.id, taken.revision)))
  into notifications
  from taken
  left join contact_identities known on known.organization_id = organization and known.channel = taken.channel
    and known.identity = taken.identity
  left join contacts contact on contact.organization_id = organization and contact.id = known.contact_id;
  perform add_notifications(notifications);
  return cardinality(given);
end $$;
revoke all on function assign_waiting from public;
grant execute on function assign_waiting to carillon_system;

-- Records conversations whose answer is late, once for each wait. Returns how many.
create function record_overdue() returns int language sql as $$
  with late as (
    select organization_id, id from conversations
    where due_at <= clock_timestamp() and (overdue_at is null or overdue_at < due_at) and status in ('open', 'snoozed')
    order by due_at limit 1000 for update skip locked
  ), marked as (
    update conversations conversation set overdue_at = clock_timestamp() from late
    where conversation.organization_id = late.organization_id and conversation.id = late.id
    returning conversation.organization_id, conversation.id, conversation.assignee_id
  ), facts as (
    insert into agent_facts (organization_id, account_id, kind, conversation_id)
    select organization_id, assignee_id, 'sla_breach', id from marked where assignee_id is not null
  )
  select count(*)::int from marked;
$$;
revoke all on function record_overdue from public;
grant execute on function record_overdue to carillon_system;

-- Agents who closed their browsers are offline since they were last seen.
create function end_absences(absent interval) returns table (organization_id uuid, account_id uuid) language sql as $$
  with gone as (
    select organization_id, account_id, greatest(last_seen_at, available_since + interval '1 second') as since from live_agents
    where goes_offline and availability <> 'offline' and greatest(last_seen_at, available_since) < clock_timestamp() - absent
    order by organization_id, account_id for update skip locked
  ), closed as (
    update live_agent_spans span set ended_at = gone.since from gone
    where span.organization_id = gone.organization_id and span.account_id = gone.account_id and span.ended_at is null
  ), opened as (
    insert into live_agent_spans (organization_id, account_id, availability, began_at)
    select organization_id, account_id, 'offline', since from gone
  )
  update live_agents agent set availability = 'offline', available_since = gone.since from gone
  where agent.organization_id = gone.organization_id and agent.account_id = gone.account_id
  returning agent.organization_id, agent.account_id;
$$;
revoke all on function end_absences from public;
grant execute on function end_absences to carillon_system;
