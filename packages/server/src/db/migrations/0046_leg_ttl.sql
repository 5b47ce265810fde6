-- How long the provider tries to deliver a message of the leg; null: until the campaign ends.
alter table campaign_legs add column ttl_seconds integer check (ttl_seconds between 60 and 172800);
