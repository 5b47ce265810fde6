-- The inbox. "Conversation" is one person on one line; the charged 24 hours of a sender that is billed by conversation are renamed.
alter table conversations rename to charged_conversations;

-- A UUID (version 8) that follows from a text, so that processes that create the same record at once agree on its id.
create function hashed_id(text) returns uuid language sql immutable strict parallel safe as $$
  select encode(set_byte(set_byte(hash, 6, get_byte(hash, 6) & 15 | 128), 8, get_byte(hash, 8) & 63 | 128), 'hex')::uuid
  from substring(sha256(convert_to($1, 'UTF8')) for 16) hash
$$;

create type conversation_status as enum ('open', 'pending', 'snoozed', 'resolved');

-- A contact unites the identities of a person. It has a row here only if members named it.
create table contacts (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);

alter table contact_identities add column contact_id uuid;
insert into contact_identities (organization_id, channel, identity, phone)
select distinct organization_id, channel, coalesce(identity, phone::text), phone from inbound_messages
where coalesce(identity, phone::text) is not null
on conflict (organization_id, channel, identity) do nothing;
update contact_identities set contact_id = hashed_id(organization_id || ':' || coalesce(phone::text, channel || ':' || identity));
alter table contact_identities alter column contact_id set not null;
-- A person without a visible number opted out of all messages of the channel; for numbers there is `opt_outs`.
alter table contact_identities add column opted_out_at timestamptz;
create index on contact_identities (organization_id, contact_id);

-- Identities that moved from one contact to another, so that each move can be undone.
create table contact_changes (
  organization_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('merge', 'split')),
  from_contact_id uuid not null,
  to_contact_id uuid not null,
  -- What moved: objects of channel and identity.
  identities jsonb not null,
  -- Null if the server merged them, because a number became visible.
  actor_id uuid,
  at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by uuid,
  primary key (organization_id, id)
);
create index on contact_changes (organization_id, from_contact_id, at desc);
create index on contact_changes (organization_id, to_contact_id, at desc);

create table teams (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index on teams (organization_id, lower(name));

create table team_members (
  organization_id uuid not null,
  team_id uuid not null,
  account_id uuid not null,
  primary key (organization_id, team_id, account_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);
create index on team_members (organization_id, account_id);

-- The lines whose conversations a team answers.
create table team_lines (
  organization_id uuid not null,
  team_id uuid not null,
  sender_id uuid not null,
  primary key (organization_id, team_id, sender_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, sender_id) references senders (organization_id, id) on delete cascade
);
create index on team_lines (organization_id, sender_id);

-- Accounts that answer conversations.
create table live_agents (
  organization_id uuid not null,
  account_id uuid not null,
  -- Only those online take conversations from the queue; busy and away agents keep what they hold.
  availability text not null default 'offline' check (availability in ('online', 'busy', 'away', 'offline')),
  available_since timestamptz not null default now(),
  -- Whether they become offline when the last of their browsers has been closed for a while.
  goes_offline boolean not null default true,
  last_seen_at timestamptz,
  skills text[] not null default '{}',
  -- Conversations they may hold at once, in all and by channel; null for no limit.
  capacity int check (capacity > 0),
  channel_capacity jsonb not null default '{}',
  invited_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade
);

-- Lines that an agent answers, besides those of their teams. An agent with neither answers all lines.
create table live_agent_lines (
  organization_id uuid not null,
  account_id uuid not null,
  sender_id uuid not null,
  primary key (organization_id, account_id, sender_id),
  foreign key (organization_id, account_id) references live_agents (organization_id, account_id) on delete cascade,
  foreign key (organization_id, sender_id) references senders (organization_id, id) on delete cascade
);
create index on live_agent_lines (organization_id, sender_id);

-- How long an agent had each availability.
create table live_agent_spans (
  organization_id uuid not null,
  account_id uuid not null,
  availability text not null,
  began_at timestamptz not null,
  -- Null for the present one.
  ended_at timestamptz,
  primary key (organization_id, account_id, began_at),
  foreign key (organization_id, account_id) references live_agents (organization_id, account_id) on delete cascade
);

-- What agents did, from which their metrics are computed.
create table agent_facts (
  organization_id uuid not null,
  account_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('assigned', 'opened', 'resolved', 'reopened', 'message_in', 'message_out', 'first_response', 'response',
    'resolution', 'transfer_in', 'transfer_out', 'sla_breach', 'rating')),
  conversation_id uuid not null,
  -- Of responses and resolutions: by the clock, and within business hours. Of a rating: the number of stars.
  seconds int,
  business_seconds int
);
create index on agent_facts (organization_id, account_id, at);
create index on agent_facts (organization_id, at);

create table inbox_settings (
  organization_id uuid primary key references accounts (id) on delete cascade,
  -- Whether unassigned conversations are given to agents who are online.
  assigns_automatically boolean not null default false,
  timezone text not null default 'Asia/Kolkata',
  -- Hours of each weekday in which answers are expected, Monday first: an array of seven, each null or {start, end}. Null: always.
  business_hours jsonb,
  -- Targets of the first and of later answers; null for none.
  first_reply_minutes int check (first_reply_minutes > 0),
  next_reply_minutes int check (next_reply_minutes > 0),
  updated_at timestamptz not null default now()
);

-- One person on one line. Lists read only this table and the names of `contact_identities`.
create table conversations (
  organization_id uuid not null,
  -- hashed_id() of organization, sender and identity.
  id uuid not null,
  sender_id uuid not null,
  channel channel not null,
  -- The person as the channel identifies them: the digits of their number, or a business-scoped id.
  identity text not null,
  status conversation_status not null default 'open',
  held_by text not null default 'human' check (held_by in ('bot', 'human', 'paused')),
  paused_until timestamptz,
  assignee_id uuid,
  assigned_at timestamptz,
  team_id uuid,
  priority smallint not null default 1 check (priority between 0 and 3),
  labels text[] not null default '{}',
  -- Skills that its agent needs.
  skills text[] not null default '{}',
  -- Inbound messages since members last read it.
  unread int not null default 0,
  -- The end of the 24 hours in which the person may be written to freely; null on channels without such a window.
  window_expires_at timestamptz,
  -- The first inbound message that was not answered yet.
  waiting_since timestamptz,
  -- When that answer is due by the targets of the organization.
  due_at timestamptz,
  snoozed_until timestamptz,
  snooze_note text,
  blocked_at timestamptz,
  -- The current episode: it begins when a resolved conversation is opened again.
  opened_at timestamptz not null default now(),
  first_answered_at timestamptz,
  answered_at timestamptz,
  resolved_at timestamptz,
  last_at timestamptz not null,
  last_text text not null default '',
  last_type text not null default 'text',
  last_by text not null default 'person' check (last_by in ('person', 'member', 'bot')),
  -- Raised by each update, so that of two members who change it at once, one is refused.
  revision int not null default 0,
  -- The transaction of the last change: what a browser missed since a snapshot.
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, identity, sender_id),
  foreign key (organization_id, sender_id) references senders (organization_id, id) on delete cascade,
  foreign key (organization_id, assignee_id) references accounts (organization_id, id) on delete set null (assignee_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete set null (team_id)
);
-- The orders of the lists.
create index conversations_by_window on conversations (organization_id, window_expires_at, id) where status <> 'resolved' and window_expires_at is not null;
create index conversations_by_age on conversations (organization_id, last_at, id) where status <> 'resolved';
create index conversations_by_waiting on conversations (organization_id, waiting_since, id) where status <> 'resolved' and waiting_since is not null;
create index conversations_resolved on conversations (organization_id, last_at, id) where status = 'resolved';
create index conversations_by_assignee on conversations (organization_id, assignee_id, last_at, id) where assignee_id is not null;
create index conversations_by_change on conversations (organization_id, xid);
create index on conversations (snoozed_until) where status = 'snoozed';
create index on conversations (paused_until) where held_by = 'paused' and paused_until is not null;
create index on conversations (due_at) where due_at is not null;

-- Notes, assignments and changes of status: what a thread shows besides messages.
create table conversation_events (
  organization_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  kind text not null,
  -- Null for the server.
  actor_id uuid,
  impersonated_by uuid,
  text text,
  details jsonb not null default '{}',
  -- The conversation's revision after the change; null if it did not change the conversation.
  revision int,
  at timestamptz not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id(),
  primary key (organization_id, conversation_id, id),
  foreign key (organization_id, conversation_id) references conversations (organization_id, id) on delete cascade
);
create index on conversation_events (organization_id, conversation_id, at, id);

create table canned_replies (
  organization_id uuid not null,
  id uuid not null,
  -- Typed after the slash.
  shortcut text not null,
  text text not null,
  created_by uuid not null,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index on canned_replies (organization_id, lower(shortcut));

-- Replies that are sent later.
create table scheduled_replies (
  organization_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  author_id uuid not null,
  impersonated_by uuid,
  content jsonb not null,
  send_at timestamptz not null,
  -- Not sent if the person writes first.
  ends_on_answer boolean not null default true,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  result text check (result in ('sent', 'cancelled', 'answered', 'outside_window', 'refused')),
  detail text,
  message_id uuid,
  primary key (organization_id, id),
  foreign key (organization_id, conversation_id) references conversations (organization_id, id) on delete cascade
);
create index on scheduled_replies (send_at) where ended_at is null;
create index on scheduled_replies (organization_id, conversation_id);

-- Who has a conversation open in a browser or writes a reply. Rows are refreshed while that lasts.
create unlogged table conversation_viewers (
  organization_id uuid not null,
  conversation_id uuid not null,
  account_id uuid not null,
  is_replying boolean not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, conversation_id, account_id)
);

alter table inbound_messages add column conversation_id uuid, add column xid xid8 not null default '0'::xid8;
alter table inbound_messages alter column xid set default pg_current_xact_id();
update inbound_messages set conversation_id = hashed_id(organization_id || ':' || sender_id || ':' || coalesce(identity, phone::text))
where coalesce(identity, phone::text) is not null;
-- Messages from before the inbox; only those of the last day still need an answer.
insert into conversations (organization_id, id, sender_id, channel, identity, status, window_expires_at, opened_at, resolved_at, last_at, last_text, last_type)
select newest.organization_id, newest.conversation_id, newest.sender_id, newest.channel, coalesce(newest.identity, newest.phone::text),
  case when newest.received_at > now() - interval '1 day' then 'open' else 'resolved' end::conversation_status, service.expires_at,
  newest.received_at, case when newest.received_at > now() - interval '1 day' then null else newest.received_at end,
  newest.received_at, left(newest.text, 200), coalesce(newest.content ->> 'type', 'text')
from (
  select distinct on (organization_id, conversation_id) * from inbound_messages where conversation_id is not null
  order by organization_id, conversation_id, received_at desc, id desc
) newest
left join service_windows service on service.organization_id = newest.organization_id and service.sender_id = newest.sender_id
  and service.identity = newest.identity;
create index on inbound_messages (organization_id, conversation_id, received_at, id) where conversation_id is not null;

-- A person may have no visible number.
alter table single_sends alter column phone drop not null;
alter table priority_messages alter column phone drop not null;
-- The person as the channel identifies them, if that is not their number.
alter table priority_messages add column identity text;
alter table priority_messages add check (phone is not null or identity is not null);
alter table messages alter column phone drop not null;
alter table single_sends
  add column conversation_id uuid,
  -- The person as the channel identifies them, if that is not their number.
  add column identity text,
  -- What the message shows besides its text, as the inbox presents it.
  add column content jsonb,
  add column author_id uuid,
  add column impersonated_by uuid,
  -- Chosen by the browser: a reply that is submitted twice is accepted once.
  add column client_id text,
  -- The provider's id of the message that it replies to.
  add column in_reply_to text,
  add column xid xid8 not null default '0'::xid8;
alter table single_sends alter column xid set default pg_current_xact_id();
create index on single_sends (organization_id, conversation_id, created_at, id) where conversation_id is not null;
create unique index on single_sends (organization_id, conversation_id, client_id) where client_id is not null;

create function number_conversation() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  new.xid := pg_current_xact_id();
  return new;
end $$;
create trigger number_conversation before update on conversations for each row
  when (new.revision = old.revision) execute function number_conversation();

-- Every statement that changes conversations records one event for each organization, so that no browser misses a change.
create function record_conversation_changes() returns trigger language plpgsql as $$
begin
  insert into domain_events (organization_id, type, subject_ids)
  select organization_id, 'conversation.changed', array_agg(id) from changed group by organization_id;
  return null;
end $$;
create trigger record_new_conversations after insert on conversations referencing new table as changed
  for each statement execute function record_conversation_changes();
create trigger record_changed_conversations after update on conversations referencing new table as changed
  for each statement execute function record_conversation_changes();

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['contacts', 'contact_changes', 'teams', 'team_members', 'team_lines', 'live_agents', 'live_agent_lines',
    'live_agent_spans', 'agent_facts', 'inbox_settings', 'conversations', 'conversation_events', 'canned_replies', 'scheduled_replies',
    'conversation_viewers'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
end $$;
