-- A started campaign is cut into chunks once the answers about who can be reached are recent again.
alter table campaigns add column awaits_reach boolean not null default false;
create index on campaigns (organization_id, audience_id) where awaits_reach;
