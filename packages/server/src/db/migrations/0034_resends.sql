-- A campaign to the people whose message failed names the campaign that it began with, so that nobody gets it twice.
alter table campaigns add column resend_of uuid;
alter table campaigns add foreign key (organization_id, resend_of) references campaigns (organization_id, id)
  on delete set null (resend_of);
create index on campaigns (organization_id, resend_of) where resend_of is not null;
