-- Audiences know their channel, because not every number can receive an SMS, and the sheet of the workbook they were read from.
alter table audiences
  add column channel channel not null default 'sms',
  add column sheet text,
  add column sheets text[] not null default '{}',
  add column hidden_rows int not null default 0;
