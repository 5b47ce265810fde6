-- Messages of test keys (modules/sandbox). They are never handed to a lane: the recipient's number decides what is reported of them and
-- when, so that the status follows from these columns and the time.
create table test_messages (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  path ltree not null,
  channel text not null,
  -- A sender of the organisation, or one of the sandbox.
  sender_id uuid not null,
  sender_name text not null,
  header text not null,
  phone bigint not null,
  text text not null,
  parts smallint not null,
  reference text,
  metadata jsonb,
  created_at timestamptz not null default now(),
  -- When it is sent, if not at once.
  send_at timestamptz,
  cancelled_at timestamptz,
  -- The answer that the number sends, if it does.
  answer_id uuid,
  answer text,
  answer_at timestamptz,
  -- Events that are queued for endpoints of the environment test, removed with a cancellation.
  delivery_ids uuid[] not null default '{}',
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references accounts (organization_id, id) on delete cascade,
  check ((answer_id is null) = (answer is null) and (answer_id is null) = (answer_at is null))
);
create index test_messages_by_reference on test_messages (organization_id, reference) where reference is not null;
create index test_messages_by_answer on test_messages (organization_id, answer_at, answer_id) where answer_id is not null;
create index test_messages_by_time on test_messages (created_at);
create index on test_messages (organization_id, account_id);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table test_messages enable row level security;
  alter table test_messages force row level security;
  execute format('create policy tenant on test_messages to carillon_app using (%s) with check (%s)', sees, sees);
  create policy system on test_messages to carillon_system using (true) with check (true);
  execute format('create policy owner on test_messages to %I using (true) with check (true)', current_user);
end $$;
