-- Events that must be acted on once, such as deliveries to webhook endpoints: who wants which, and one queue for all of them. Rows are
-- added in the transaction of the change and deleted in the transaction that acts on them (events/event-queue.ts).
create table event_subscriptions (
  organization_id uuid not null,
  -- The part of the program that acts, and what it acts for, such as an endpoint.
  subscriber text not null,
  target uuid not null,
  types text[] not null check (cardinality(types) > 0),
  created_at timestamptz not null default now(),
  primary key (organization_id, subscriber, target)
);

create table event_queue (
  organization_id uuid not null,
  id bigint generated always as identity,
  -- Events about one campaign, sender or other subject are in one shard, and are acted on in the order of their ids.
  shard smallint not null check (shard between 0 and 63),
  subscriber text not null,
  target uuid not null,
  type text not null,
  subject_ids uuid[] not null check (cardinality(subject_ids) > 0),
  payload jsonb not null default '{}',
  at timestamptz not null default clock_timestamp(),
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  error text,
  -- After the last attempt. Kept for analysis.
  failed_at timestamptz,
  primary key (organization_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
create index event_queue_waiting on event_queue (shard, id) where failed_at is null;
create index event_queue_failed on event_queue (failed_at) where failed_at is not null;
create index event_queue_by_target on event_queue (organization_id, subscriber, target);

create function event_shard(subject text) returns smallint language sql immutable parallel safe as $$
  select (hashtext(subject) & 63)::smallint
$$;

-- Adds an event for each subscription to its type.
create function publish_event(organization uuid, event_type text, subjects uuid[], payload jsonb) returns void
language sql security definer set search_path = public as $$
  insert into event_queue (organization_id, shard, subscriber, target, type, subject_ids, payload)
  select organization, event_shard(subjects[1]::text), subscriber, target, event_type, subjects, payload
  from event_subscriptions
  where organization_id = organization and event_type = any(types)
$$;

-- Whether anyone wants events of a type: asked before their subjects are gathered.
create function has_subscribers(organization uuid, event_type text) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select from event_subscriptions where organization_id = organization and event_type = any(types))
$$;

-- New statuses of messages of a leg of a campaign. A single send is known by its own id, leg 0 and position 0.
create function publish_statuses(organization uuid, campaign uuid, leg smallint, status message_status, seqs int[]) returns void
language sql security definer set search_path = public as $$
  select publish_event(organization, 'message.status', array[campaign],
    jsonb_build_object('leg', leg, 'status', status, 'seqs', to_jsonb(seqs)))
$$;

create function publish_domain_events() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into event_queue (organization_id, shard, subscriber, target, type, subject_ids, payload)
  select added.organization_id, event_shard(coalesce(added.payload ->> 'senderId', added.subject_ids[1]::text)), subscriber, target,
    added.type, added.subject_ids, added.payload
  from added
  join event_subscriptions wanted on wanted.organization_id = added.organization_id and added.type = any(wanted.types)
  order by added.id;
  return null;
end $$;
create trigger publish_domain_events after insert on domain_events referencing new table as added
  for each statement execute function publish_domain_events();

create function publish_opt_outs() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform publish_event(organization_id, 'person.opted_out', array[hashed_id(organization_id || ':' || phone)],
    jsonb_build_object('phone', phone, 'channel', channel, 'keyword', keyword, 'source', source, 'marketingOnly', marketing_only))
  from added where has_subscribers(organization_id, 'person.opted_out');
  return null;
end $$;
create trigger publish_opt_outs after insert on opt_outs referencing new table as added
  for each statement execute function publish_opt_outs();
-- An opt-out of marketing becomes one of all messages.
create trigger publish_wider_opt_outs after update on opt_outs referencing new table as added
  for each statement execute function publish_opt_outs();

create function publish_opt_ins() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform publish_event(organization_id, 'person.opted_in', array[hashed_id(organization_id || ':' || phone)],
    jsonb_build_object('phone', phone, 'channel', channel))
  from removed where has_subscribers(organization_id, 'person.opted_in');
  return null;
end $$;
create trigger publish_opt_ins after delete on opt_outs referencing old table as removed
  for each statement execute function publish_opt_ins();

create function publish_template_events() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform publish_event(organization_id, 'template.changed', array[template_id],
    jsonb_build_object('change', event, 'details', details, 'at', at))
  from added where has_subscribers(organization_id, 'template.changed');
  return null;
end $$;
create trigger publish_template_events after insert on template_events referencing new table as added
  for each statement execute function publish_template_events();

create function publish_conversation_events() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform publish_event(organization_id, 'conversation.noted', array[conversation_id],
    jsonb_build_object('kind', kind, 'itemId', id, 'details', details))
  from added where has_subscribers(organization_id, 'conversation.noted');
  return null;
end $$;
create trigger publish_conversation_events after insert on conversation_events referencing new table as added
  for each statement execute function publish_conversation_events();

-- A sender is activated, paused or deleted, or the provider reports a change of it.
create function publish_sender_changes() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform publish_event(after.organization_id, 'sender.changed', array[after.id], jsonb_build_object(
    'wasActive', before.is_active, 'isActive', after.is_active, 'isDeleted', after.deleted_at is not null,
    'previousFacts', before.facts, 'facts', after.facts))
  from removed before
  join added after on after.organization_id = before.organization_id and after.id = before.id
  where (before.is_active, before.deleted_at, before.facts) is distinct from (after.is_active, after.deleted_at, after.facts)
    and has_subscribers(after.organization_id, 'sender.changed');
  return null;
end $$;
create trigger publish_sender_changes after update on senders referencing old table as removed new table as added
  for each statement execute function publish_sender_changes();

-- A provider account connected, or its connection failed or recovered.
create function publish_connections() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'INSERT' then
    perform publish_event(organization_id, 'connection.changed', array[id], jsonb_build_object('isConnected', failure is null, 'failure', failure))
    from added where has_subscribers(organization_id, 'connection.changed');
  else
    perform publish_event(after.organization_id, 'connection.changed', array[after.id],
      jsonb_build_object('isConnected', after.failure is null, 'failure', after.failure))
    from removed before
    join added after on after.organization_id = before.organization_id and after.id = before.id
    where (before.failure is null) <> (after.failure is null) and has_subscribers(after.organization_id, 'connection.changed');
  end if;
  return null;
end $$;
create trigger publish_new_connections after insert on provider_accounts referencing new table as added
  for each statement execute function publish_connections();
create trigger publish_connections after update on provider_accounts referencing old table as removed new table as added
  for each statement execute function publish_connections();

create function publish_topups() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform publish_event(organization_id, 'topup.changed', array[id],
    jsonb_build_object('accountId', account_id, 'status', status, 'amount', amount, 'approved', approved))
  from added where has_subscribers(organization_id, 'topup.changed');
  return null;
end $$;
create trigger publish_topups after insert on topup_requests referencing new table as added
  for each statement execute function publish_topups();
create trigger publish_answered_topups after update on topup_requests referencing new table as added
  for each statement execute function publish_topups();

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
  name text;
begin
  foreach name in array array['event_subscriptions', 'event_queue'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I to carillon_app using (%s) with check (%s)', name, sees, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', name);
    execute format('create policy owner on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  foreach name in array array['publish_event(uuid, text, uuid[], jsonb)', 'has_subscribers(uuid, text)',
    'publish_statuses(uuid, uuid, smallint, message_status, int[])'] loop
    execute format('revoke all on function %s from public', name);
    execute format('grant execute on function %s to carillon_system', name);
  end loop;
end $$;
-- Written by the functions above only.
revoke insert, update, delete on event_queue from carillon_app;
