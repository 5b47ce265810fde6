-- A resend refers to the first campaign of its chain, so that a person who was reached is not in another resend.
alter table campaigns add column resend_of uuid;
alter table campaigns add foreign key (organization_id, resend_of) references campaigns (organization_id, id)
  on delete set null (resend_of);
create index on campaigns (organization_id, resend_of) where resend_of is not null;
