-- Single sends are stored by day, like messages, and a day is dropped with its texts when it is no longer retained.

-- Creates one partition.
create function create_partition(parent text, first date, behind date, options text default '') returns void
language plpgsql as $$
declare
  name constant text := parent || '_' || to_char(first, 'YYYYMMDD');
begin
  execute format('create table if not exists %I partition of %I for values from (%L) to (%L) %s', name, parent, first, behind, options);
  -- Read through the parent only, which has the policies.
  execute format('revoke all on %I from carillon_app, carillon_system', name);
end $$;
revoke all on function create_partition from public;

alter table single_sends rename to single_sends_before;
create table single_sends (
  organization_id uuid not null,
  id uuid not null,
  created_on date not null,
  sender_id uuid not null,
  account_id uuid not null,
  path ltree not null,
  kind text not null,
  campaign_id uuid,
  phone bigint,
  header text not null,
  text text not null,
  reference text,
  -- The hold with which the message was accepted.
  hold_id uuid,
  created_at timestamptz not null default now(),
  conversation_id uuid,
  -- The person as the channel identifies them, if that is not their number.
  identity text,
  -- What the message shows besides its text, as the inbox presents it.
  content jsonb,
  author_id uuid,
  impersonated_by uuid,
  -- Chosen by the browser: a reply that is submitted twice is accepted once (`reply_client_ids`).
  client_id text,
  -- The provider's id of the message that it replies to.
  in_reply_to text,
  -- Given by the caller of the API, and returned to it.
  metadata jsonb,
  -- When it is to be sent, if not at once.
  send_at timestamptz,
  xid xid8 not null default pg_current_xact_id()
) partition by range (created_on);

-- The days on which a conversation has single sends: its thread is read from the partitions of these days only.
create table conversation_days (
  organization_id uuid not null,
  conversation_id uuid not null,
  day date not null,
  -- One of the messages of the day. Two concurrent transactions store one each, so that neither waits for the other.
  message_id uuid not null,
  primary key (organization_id, conversation_id, day, message_id)
) partition by range (day);

-- Client ids of replies of all days: of two replies with the same one the second is refused.
create table reply_client_ids (
  organization_id uuid not null,
  conversation_id uuid not null,
  client_id text not null,
  message_id uuid not null,
  created_on date not null,
  primary key (organization_id, conversation_id, client_id)
);
create index on reply_client_ids (created_on);

create or replace function ensure_partitions(from_day date, to_day date) returns void language plpgsql security definer set search_path = public as $$
declare
  first date;
  parent text;
begin
  for first in select generate_series(from_day, to_day, interval '1 day')::date loop
    foreach parent in array array['messages', 'message_parts', 'provider_events', 'domain_events', 'single_sends'] loop
      perform create_partition(parent, first, first + 1, case when parent in ('messages', 'message_parts') then 'with (fillfactor = 45)' else '' end);
    end loop;
  end loop;
  for first in select generate_series(date_trunc('month', from_day), to_day, interval '1 month')::date loop
    perform create_partition('conversation_days', first, (first + interval '1 month')::date);
  end loop;
end $$;

create or replace function drop_partitions(keep_days int) returns void language plpgsql security definer set search_path = public as $$
declare
  old text;
begin
  for old in
    select name from (
      select inhrelid::regclass::text as name, to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') as first,
        inhparent = 'conversation_days'::regclass as is_month
      from pg_inherits
      where inhparent in ('messages'::regclass, 'message_parts'::regclass, 'provider_events'::regclass, 'single_sends'::regclass,
        'conversation_days'::regclass)
    ) part
    where case when is_month then first + interval '1 month' else first + interval '1 day' end <= current_date - keep_days
  loop
    execute format('drop table %s', old);
  end loop;
end $$;

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['single_sends', 'conversation_days', 'reply_client_ids'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  execute format('create policy tenant on conversation_days to carillon_app using (%s) with check (%s)', sees, sees);
  execute format('create policy tenant on reply_client_ids to carillon_app using (%s) with check (%s)', sees, sees);
end $$;
create policy tenant on single_sends to carillon_app using (path <@ app_scope()) with check (path <@ app_scope());
-- Members who see a conversation read all its messages, including those of other members. Each query checks that they see it.
create policy conversation on single_sends for select to carillon_app
  using (conversation_id is not null and organization_id = app_organization());

-- The account and the sender of a single send. Reports and statements find them by the hold, which is not dropped with its day.
alter table holds
  add column account_id uuid,
  add column sender_id uuid;
update holds hold set account_id = single.account_id, sender_id = single.sender_id
from single_sends_before single where hold.organization_id = single.organization_id and hold.id = single.hold_id;

select create_partition('single_sends', created_on, created_on + 1) from (select distinct created_on from single_sends_before) day;
select create_partition('conversation_days', first, (first + interval '1 month')::date)
from (select distinct date_trunc('month', created_on)::date as first from single_sends_before) month;
select ensure_partitions(current_date - 1, current_date + 7);

insert into single_sends (organization_id, id, created_on, sender_id, account_id, path, kind, campaign_id, phone, header, text, reference, hold_id,
  created_at, conversation_id, identity, content, author_id, impersonated_by, client_id, in_reply_to, xid)
select organization_id, id, created_on, sender_id, account_id, path, kind, campaign_id, phone, header, text, reference, hold_id,
  created_at, conversation_id, identity, content, author_id, impersonated_by, client_id, in_reply_to, xid
from single_sends_before;
insert into conversation_days (organization_id, conversation_id, day, message_id)
select distinct on (organization_id, conversation_id, created_on) organization_id, conversation_id, created_on, id
from single_sends_before where conversation_id is not null
order by organization_id, conversation_id, created_on, id;
insert into reply_client_ids (organization_id, conversation_id, client_id, message_id, created_on)
select organization_id, conversation_id, client_id, id, created_on from single_sends_before
where client_id is not null and conversation_id is not null;
drop table single_sends_before;

alter table single_sends add primary key (organization_id, id, created_on);
create index on single_sends (organization_id, phone, created_at desc);
create index on single_sends (organization_id, conversation_id, created_at, id) where conversation_id is not null;
create index single_sends_words on single_sends using gin (organization_id, to_tsvector('simple', text)) where conversation_id is not null;
create index single_sends_parts on single_sends using gin (organization_id, text gin_trgm_ops) where conversation_id is not null;
create index single_sends_by_time on single_sends (organization_id, created_at, id) where conversation_id is not null;

create function record_singles() returns trigger language plpgsql as $$
begin
  insert into conversation_days (organization_id, conversation_id, day, message_id)
  select distinct on (organization_id, conversation_id, created_on) organization_id, conversation_id, created_on, id
  from added
  where conversation_id is not null and not exists (
    select from conversation_days known
    where known.organization_id = added.organization_id and known.conversation_id = added.conversation_id and known.day = added.created_on)
  order by organization_id, conversation_id, created_on, id;
  insert into reply_client_ids (organization_id, conversation_id, client_id, message_id, created_on)
  select organization_id, conversation_id, client_id, id, created_on from added
  where client_id is not null and conversation_id is not null
  order by organization_id, conversation_id, client_id;
  return null;
end $$;
create trigger record_singles after insert on single_sends referencing new table as added
  for each statement execute function record_singles();

-- Single sends for the search. Planning for all days takes longer than finding messages, so these statements are planned once.
create function newest_singles(organization uuid, since timestamptz, until timestamptz, before timestamptz, before_id uuid, most int)
returns table (id uuid, conversation_id uuid, text text, at timestamptz)
language plpgsql stable set search_path = public set plan_cache_mode = force_generic_plan as $$
declare
  -- Days are those of the database's time zone.
  first_day constant date := since::date - 1;
  last_day constant date := least(until, before, now())::date + 1;
begin
  return query
    select single.id, single.conversation_id, single.text, single.created_at from single_sends single
    where single.organization_id = organization and single.conversation_id is not null and single.created_on between first_day and last_day
      and single.created_at >= since and single.created_at <= until and (single.created_at, single.id) < (before, before_id)
    order by single.created_at desc, single.id desc
    limit most;
end $$;

-- Those with words, or if these are null, with texts that match all patterns.
create function singles_with(
  organization uuid, words tsquery, patterns text[], since timestamptz, until timestamptz, before timestamptz, before_id uuid
) returns table (id uuid, conversation_id uuid, text text, at timestamptz)
language plpgsql stable set search_path = public set plan_cache_mode = force_generic_plan as $$
declare
  first_day constant date := since::date - 1;
  last_day constant date := least(until, before, now())::date + 1;
  -- The index finds one of them.
  longest constant text := (select pattern from unnest(patterns) as pattern order by length(pattern) desc limit 1);
begin
  -- Times are compared afterwards: without knowing them, the planner would read all messages in the order of time.
  if words is not null then
    return query
      select found.* from (
        select single.id, single.conversation_id, single.text, single.created_at from single_sends single
        where single.organization_id = organization and single.conversation_id is not null and single.created_on between first_day and last_day
          and to_tsvector('simple', single.text) @@ words
        offset 0
      ) found
      where found.created_at >= since and found.created_at <= until and (found.created_at, found.id) < (before, before_id);
  else
    return query
      select found.* from (
        select single.id, single.conversation_id, single.text, single.created_at from single_sends single
        where single.organization_id = organization and single.conversation_id is not null and single.created_on between first_day and last_day
          and single.text ilike longest and single.text ilike all (patterns)
        offset 0
      ) found
      where found.created_at >= since and found.created_at <= until and (found.created_at, found.id) < (before, before_id);
  end if;
end $$;
revoke all on function newest_singles, singles_with from public;

-- As before, but single sends are found by the functions above, and those of a conversation by its days.
create or replace function search_inbox(
  organization uuid, sees_all boolean, accounts uuid[], teams uuid[], lines uuid[], led_teams uuid[], led_lines uuid[],
  target text, query text, patterns text[], only_channel channel, since timestamptz, until timestamptz,
  before timestamptz, before_id uuid, most int
) returns setof inbox_hit language plpgsql stable security definer set search_path = public as $$
declare
  -- The newest messages, among which a word that many have is found at once.
  newest constant int := 10000;
  most_people constant int := 20000;
  sees constant text := '($2 or conversation.assignee_id = any($3) or conversation.team_id = any($6) or conversation.sender_id = any($7)
    or (conversation.assignee_id is null and (conversation.team_id = any($4) or $5 is null or conversation.sender_id = any($5))))';
  words constant tsquery := case when target = 'words' then words_query(query) end;
  matches text;
  way text;
  statement text;
  hits inbox_hit[];
  -- The word is in many of the newest messages, of which the member sees few.
  sees_few boolean := false;
begin
  if not app_reaches(organization) then return; end if;
  if target = 'words' then
    matches := format('to_tsvector(''simple'', %%1$s) @@ %L::tsquery', replace(words::text, '%', '%%'));
  else
    select string_agg(format('%%1$s ilike %L', replace(pattern, '%', '%%')), ' and ') into matches from unnest(patterns) pattern;
  end if;
  if matches is null then return; end if;

  if target = 'people' then
    return query execute format($people$
      select conversation.id, null::uuid, null::text, null::text, conversation.last_at
      from (
        (select channel, identity from contact_identities where organization_id = $1 and %1$s limit %4$s)
        union
        (select identity.channel, identity.identity from contacts contact
        join contact_identities identity on identity.organization_id = contact.organization_id and identity.contact_id = contact.id
        where contact.organization_id = $1 and %2$s limit %4$s)
      ) person
      join conversations conversation on conversation.organization_id = $1 and conversation.channel = person.channel
        and conversation.identity = person.identity
      where %3$s and ($8 is null or conversation.channel = $8)
      order by conversation.last_at desc, conversation.id
      limit $9
    $people$, format(matches, 'person_text(name, username, phone, identity)'), format(matches, 'contact.name'), sees, most_people)
    using organization, sees_all, accounts, teams, lines, led_teams, led_lines, only_channel, most;
    return;
  end if;

  -- How often a word occurs cannot be estimated. So the newest messages are read first. If they do not suffice, the word is rare, and
  -- the index finds it, or the member sees few conversations, whose messages are read.
  foreach way in array array['newest', 'index', 'seen'] loop
    continue when way = 'index' and sees_few or way = 'seen' and not sees_few;
    select string_agg(format(case way
      when 'newest' then $newest$(
        select conversation.id, message.id, message.text, %1$L, message.at
        from (%2$s) message
        join conversations conversation on conversation.organization_id = $1 and conversation.id = message.conversation_id
        where %3$s and %4$s and ($8 is null or conversation.channel = $8)
        order by message.at desc, message.id desc limit $13)$newest$
      when 'index' then $index$(
        with found as materialized (%2$s)
        select conversation.id, message.id, message.text, %1$L, message.at
        from found message
        join conversations conversation on conversation.organization_id = $1 and conversation.id = message.conversation_id
        where %4$s and ($8 is null or conversation.channel = $8)
        order by message.at desc, message.id desc limit $13)$index$
      else $seen$(
        select conversation.id, message.id, message.text, %1$L, message.at
        from conversations conversation
        cross join lateral (%2$s) message
        where conversation.organization_id = $1 and %4$s and ($8 is null or conversation.channel = $8)
        order by message.at desc, message.id desc limit $13)$seen$ end,
      source.author, case way when 'newest' then source.newest when 'index' then source.found else source.seen end,
      format(matches, 'message.text'), sees), ' union all ')
    into statement
    from (
      select author,
        format('select id, conversation_id, text, %1$I as at from %2$I message where organization_id = $1 and %3$s and %4$s order by %1$I desc, id desc limit %5$s',
          time, name, condition, range, newest) as newest,
        format('select id, conversation_id, text, %1$I as at from %2$I message where organization_id = $1 and %3$s and %4$s and %5$s',
          time, name, condition, range, format(matches, 'message.text')) as found,
        format('select id, text, %1$I as at from %2$I message where organization_id = $1 and conversation_id = conversation.id and %3$s and %4$s and %5$s offset 0',
          time, name, condition, range, format(matches, 'message.text')) as seen
      from (values
        ('person', 'received_at', 'inbound_messages', 'message.conversation_id is not null'),
        ('note', 'at', 'conversation_events', 'message.kind = ''note''')
      ) stored (author, time, name, condition)
      cross join lateral format('message.%1$I >= $9 and message.%1$I <= $10 and (message.%1$I, message.id) < ($11, $12)', stored.time) as range
      union all
      select 'member', format('select * from newest_singles($1, $9, $10, $11, $12, %s)', newest),
        format('select * from singles_with($1, %L, %L, $9, $10, $11, $12)', words, patterns),
        format($of_days$
          select message.* from (
            select distinct day from conversation_days where organization_id = $1 and conversation_id = conversation.id offset 0
          ) known
          cross join lateral (
            select id, text, created_at as at from single_sends message
            where organization_id = $1 and conversation_id = conversation.id and created_on = known.day and created_at >= $9
              and created_at <= $10 and (created_at, id) < ($11, $12) and %s offset 0
          ) message$of_days$, format(matches, 'message.text'))
    ) source;
    execute format('select array_agg(row(hit.*)::inbox_hit order by hit.at desc, hit.message_id desc)
      from (select * from (%s) hit (conversation_id, message_id, message, author, at) order by at desc, message_id desc limit $13) hit', statement)
    into hits using organization, sees_all, accounts, teams, lines, led_teams, led_lines, only_channel, since, until, before, before_id, most;
    exit when way <> 'newest' or cardinality(hits) >= most;
    if not sees_all then
      execute format('select count(*) >= $6 and count(*) > 10 * $7 from (select from (
        select text from inbound_messages message where organization_id = $1 and conversation_id is not null
          and received_at >= $2 and received_at <= $3 and (received_at, id) < ($4, $5)
        order by received_at desc, id desc limit %s) message where %s limit $6) matching', newest, format(matches, 'message.text'))
      into sees_few using organization, since, until, before, before_id, most, coalesce(cardinality(hits), 0);
    end if;
  end loop;
  return query select hit.* from unnest(hits) hit;
end $$;
