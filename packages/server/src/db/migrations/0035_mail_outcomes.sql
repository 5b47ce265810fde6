-- When a mail last failed, so that the settings show the last success and the last failure with what the server said.
alter table mails add column failed_at timestamptz;
alter table mails add column response text;
create index on mails (sent_at desc) where sent_at is not null;
create index on mails (failed_at desc) where failed_at is not null;
