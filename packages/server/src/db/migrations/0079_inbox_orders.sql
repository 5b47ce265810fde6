-- A message to a conversation of the same minute changes none of its indexes, so that PostgreSQL updates the row in place (HOT).
-- Lists sort the rows of a minute by their exact times.
alter table conversations
  add column listed_at timestamptz not null generated always as (date_bin('1 minute', last_at, 'epoch')) stored,
  add column closes_at timestamptz generated always as (date_bin('1 minute', window_expires_at, 'epoch')) stored,
  add column is_unread boolean not null generated always as (unread > 0) stored,
  -- 1,024 transactions.
  add column changed_in bigint not null generated always as (xid::text::bigint >> 10) stored,
  -- Room for the new versions of rows on their page.
  set (fillfactor = 75);

drop index conversations_by_window, conversations_by_age, conversations_resolved, conversations_by_assignee, conversations_by_change,
  conversations_without_window, conversations_mine, conversations_unread, conversations_labelled;

create index conversations_by_window on conversations (organization_id, closes_at) where status <> 'resolved' and closes_at is not null;
create index conversations_without_window on conversations (organization_id, listed_at) where status <> 'resolved' and closes_at is null;
create index conversations_by_age on conversations (organization_id, listed_at) where status <> 'resolved';
create index conversations_resolved on conversations (organization_id, listed_at) where status = 'resolved';
create index conversations_by_assignee on conversations (organization_id, assignee_id, listed_at) where assignee_id is not null;
create index conversations_mine on conversations (organization_id, assignee_id, closes_at) where status <> 'resolved' and assignee_id is not null;
create index conversations_unread on conversations (organization_id) where status <> 'resolved' and is_unread;
create index conversations_labelled on conversations (organization_id, listed_at) where labels <> '{}';
create index conversations_by_change on conversations (organization_id, changed_in);
