-- Numbers that replace cells of the file when it is checked, and what they came to.
alter table audiences
  -- Whether suggested numbers are used, and the numbers that were typed: {automatic, rows: [{row, phoneNumber}]}.
  add column corrections jsonb not null default '{"automatic": false, "rows": []}',
  -- Rejected rows for which a number is suggested.
  add column fixable int not null default 0,
  -- Rows whose suggested number was used.
  add column auto_corrected int not null default 0,
  -- All rows with a typed number and some of the others, each as it is in the file and as it was read.
  add column corrected_rows jsonb not null default '[]';
