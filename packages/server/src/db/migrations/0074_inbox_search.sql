-- What members read of the inbox: threads, names, and the search in all messages.

-- Lists: chats without a window, the chats of a member, and unread ones.
create index conversations_without_window on conversations (organization_id, last_at, id) where status <> 'resolved' and window_expires_at is null;
create index conversations_mine on conversations (organization_id, assignee_id, window_expires_at, id) where status <> 'resolved' and assignee_id is not null;
create index conversations_unread on conversations (organization_id, id) where status <> 'resolved' and unread > 0;

-- Answers, reactions and taps by the message that they refer to.
create index on inbound_messages (organization_id, conversation_id, in_reply_to) where in_reply_to is not null;
create index on single_sends (organization_id, conversation_id, in_reply_to) where in_reply_to is not null;
-- What is new or changed in a thread since a snapshot.
create index on inbound_messages (organization_id, conversation_id, xid);
create index on single_sends (organization_id, conversation_id, xid);
create index on conversation_events (organization_id, conversation_id, xid);

-- Members who see a conversation read all its messages, including those of other members. Each query checks that they see it.
create policy conversation on single_sends for select to carillon_app
  using (conversation_id is not null and organization_id = app_organization());

-- The functions below run as the owner, because accounts and campaigns are visible only to those above them. They answer for
-- organizations that the caller reaches.

-- Of members, and of the accounts above the organization, which may impersonate them.
create function member_names(organization uuid, ids uuid[]) returns table (id uuid, name text)
language sql stable security definer set search_path = public as $$
  select account.id, account.name from accounts account
  where account.id = any(ids) and app_reaches(organization) and (account.organization_id = organization
    or account.path @> (select founder.path from accounts founder where founder.id = organization))
$$;
revoke all on function member_names from public;
grant execute on function member_names to carillon_app, carillon_system;

-- Campaign messages of a line to a number, newest first: those before a position (until, until_campaign), or the chosen ones.
-- Messages have no index on the number; audiences have one, so each campaign of the period is searched by its audience.
create function campaign_messages_of_line(organization uuid, line uuid, number bigint, since timestamptz, until timestamptz, until_campaign uuid, chosen uuid[], most int)
returns table (campaign_id uuid, name text, channel channel, content jsonb, columns text[], variables text[], status message_status,
  reason text, code text, parts smallint, cost bigint, sent_at timestamptz, delivered_at timestamptz, failed_at timestamptz,
  provider_message_id text, at timestamptz)
language sql stable security definer set search_path = public as $$
  select campaign.id, campaign.name, leg.channel, leg.content, audience.columns, recipient.variables, message.status,
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

-- The search. Full-text and pattern operators are not leakproof, so under row level security an index on them is never used: the
-- search is a function that runs as the owner and checks the organization and what the member sees itself.
create extension if not exists btree_gin;

create function person_text(name text, username text, phone bigint, identity text) returns text language sql immutable parallel safe
  return coalesce(name, '') || ' ' || coalesce(username, '') || ' ' || coalesce(phone::text, identity);

create index contact_identities_search on contact_identities using gin (organization_id, person_text(name, username, phone, identity) gin_trgm_ops);
create index contacts_search on contacts using gin (organization_id, name gin_trgm_ops);
-- Words, parts of words, and for words that most messages have, the order of time.
create index inbound_messages_words on inbound_messages using gin (organization_id, to_tsvector('simple', text)) where conversation_id is not null;
create index inbound_messages_parts on inbound_messages using gin (organization_id, text gin_trgm_ops) where conversation_id is not null;
create index inbound_messages_by_time on inbound_messages (organization_id, received_at, id) where conversation_id is not null;
create index single_sends_words on single_sends using gin (organization_id, to_tsvector('simple', text)) where conversation_id is not null;
create index single_sends_parts on single_sends using gin (organization_id, text gin_trgm_ops) where conversation_id is not null;
create index single_sends_by_time on single_sends (organization_id, created_at, id) where conversation_id is not null;
create index conversation_events_words on conversation_events using gin (organization_id, to_tsvector('simple', text)) where kind = 'note';
create index conversation_events_parts on conversation_events using gin (organization_id, text gin_trgm_ops) where kind = 'note';
create index conversation_events_by_time on conversation_events (organization_id, at, id) where kind = 'note';

-- A query for words that begin with the words of a text; null if it has none.
create function words_query(query text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery from unnest(to_tsvector('simple', query))
$$;

create type inbox_hit as (conversation_id uuid, message_id uuid, message text, author text, at timestamptz);

-- What a member finds, newest first. `target` is people (by name or number), words or parts (of messages and notes). `patterns` are
-- for `ilike`; a message matches all of them. Whose conversations: all, those of `accounts`, unassigned ones of `teams` and
-- `lines` (null for all lines), and all of `led_teams` and `led_lines`.
create function search_inbox(
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
  matches text;
  way text;
  statement text;
  hits inbox_hit[];
  -- The word is in many of the newest messages, of which the member sees few.
  sees_few boolean := false;
begin
  if not app_reaches(organization) then return; end if;
  if target = 'words' then
    matches := format('to_tsvector(''simple'', %%1$s) @@ %L::tsquery', replace(words_query(query)::text, '%', '%%'));
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
        from (select id, conversation_id, text, %2$I as at from %3$I message where organization_id = $1 and %4$s and %7$s
          order by %2$I desc, id desc limit %8$s) message
        join conversations conversation on conversation.organization_id = $1 and conversation.id = message.conversation_id
        where %5$s and %6$s and ($8 is null or conversation.channel = $8)
        order by message.at desc, message.id desc limit $13)$newest$
      when 'index' then $index$(
        with found as materialized (
          select id, conversation_id, text, %2$I as at from %3$I message where organization_id = $1 and %4$s and %7$s and %5$s)
        select conversation.id, message.id, message.text, %1$L, message.at
        from found message
        join conversations conversation on conversation.organization_id = $1 and conversation.id = message.conversation_id
        where %6$s and ($8 is null or conversation.channel = $8)
        order by message.at desc, message.id desc limit $13)$index$
      else $seen$(
        select conversation.id, message.id, message.text, %1$L, message.at
        from conversations conversation
        cross join lateral (select id, text, %2$I as at from %3$I message
          where organization_id = $1 and conversation_id = conversation.id and %4$s and %7$s and %5$s offset 0) message
        where conversation.organization_id = $1 and %6$s and ($8 is null or conversation.channel = $8)
        order by message.at desc, message.id desc limit $13)$seen$ end,
      source.author, source.time, source.name, source.condition, format(matches, 'message.text'), sees,
      format('message.%1$I >= $9 and message.%1$I <= $10 and (message.%1$I, message.id) < ($11, $12)', source.time), newest), ' union all ')
    into statement
    from (values
      ('person', 'received_at', 'inbound_messages', 'message.conversation_id is not null'),
      ('member', 'created_at', 'single_sends', 'message.conversation_id is not null'),
      ('note', 'at', 'conversation_events', 'message.kind = ''note''')
    ) source (author, time, name, condition);
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
revoke all on function search_inbox from public;
grant execute on function search_inbox to carillon_app;
