-- The day an invoice bears, of the clock of the organisation that is billed.
alter table invoices add column issued_on date;
update invoices set issued_on = local_day(issued_at, accounts.timezone) from accounts where accounts.id = invoices.organization_id;
alter table invoices alter column issued_on set not null;
