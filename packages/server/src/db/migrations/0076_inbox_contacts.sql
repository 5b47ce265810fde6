-- Moves identities from one contact to another: all of them, or those chosen by channel and identity. Returns those that moved.
create function move_identities(organization uuid, from_contact uuid, to_contact uuid, chosen jsonb) returns jsonb language sql as $$
  with moving as (
    select channel, identity from contact_identities known
    where organization_id = organization and contact_id = from_contact and (chosen is null or exists (
      select from jsonb_to_recordset(chosen) as one (channel text, identity text)
      where one.channel = known.channel::text and one.identity = known.identity))
    order by channel, identity for update
  ), moved as (
    update contact_identities known set contact_id = to_contact, updated_at = now()
    from moving
    where known.organization_id = organization and known.channel = moving.channel and known.identity = moving.identity
    returning known.channel, known.identity
  )
  select coalesce(jsonb_agg(jsonb_build_object('channel', channel, 'identity', identity) order by channel, identity), '[]') from moved
$$;

-- Shows the conversations of these identities with the present name of their contact. With a kind, their threads say what happened.
create function show_contact(organization uuid, identities jsonb, event_kind text, actor uuid, impersonator uuid, event_details jsonb)
returns void language sql as $$
  with locked as (
    select conversation.id from conversations conversation
    join jsonb_to_recordset(identities) as one (channel text, identity text)
      on one.channel = conversation.channel::text and one.identity = conversation.identity
    where conversation.organization_id = organization
    order by conversation.id for update of conversation
  ), shown as (
    update conversations conversation set last_at = conversation.last_at from locked
    where conversation.organization_id = organization and conversation.id = locked.id
    returning conversation.id
  ), added as (
    insert into conversation_events (organization_id, conversation_id, id, kind, actor_id, impersonated_by, details)
    select organization, id, gen_random_uuid(), event_kind, actor, impersonator, event_details from shown where event_kind is not null
    returning conversation_id, id
  )
  insert into domain_events (organization_id, type, subject_ids, payload)
  select organization, 'thread.changed', array[id], jsonb_build_object('chatId', conversation_id) from added
$$;

-- Batches of inbound messages of which members were notified, by their first message: several processes follow the same events.
create unlogged table inbox_notices (
  organization_id uuid not null,
  message_id uuid not null,
  at timestamptz not null default now(),
  primary key (organization_id, message_id)
);
create index on inbox_notices (at);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table inbox_notices enable row level security;
  alter table inbox_notices force row level security;
  execute format('create policy tenant on inbox_notices to carillon_app using (%s) with check (%s)', sees, sees);
  execute 'create policy system on inbox_notices to carillon_system using (true) with check (true)';
  execute format('create policy owner on inbox_notices to %I using (true) with check (true)', current_user);
end $$;
