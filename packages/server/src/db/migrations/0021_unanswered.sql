-- A provider that recognises our reference may be asked again when its answer was lost. Such a message waits like one that
-- was refused for now, but it may have been accepted: it ends as unknown, never as failed. Its parts are kept for its price.
alter table retries
  add column unanswered boolean not null default false,
  add column parts smallint not null default 1;

alter table express_messages add column unanswered boolean not null default false;
