-- Ratings of conversations by the people who wrote.
alter table inbox_settings
  add column asks_for_rating boolean not null default false,
  -- The question; null for the usual one.
  add column rating_text text,
  -- Ids of templates by channel, for questions outside of the window.
  add column rating_templates jsonb not null default '{}';

create table ratings (
  organization_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  -- The member who resolved the conversation.
  account_id uuid not null,
  asked_at timestamptz not null default now(),
  stars smallint check (stars between 1 and 5),
  rated_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, conversation_id) references conversations (organization_id, id) on delete cascade
);
create index on ratings (organization_id, conversation_id, asked_at desc);

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table ratings enable row level security;
  alter table ratings force row level security;
  execute format('create policy tenant on ratings to carillon_app using (%s) with check (%s)', sees, sees);
  execute 'create policy system on ratings to carillon_system using (true) with check (true)';
  execute format('create policy owner on ratings to %I using (true) with check (true)', current_user);
end $$;
