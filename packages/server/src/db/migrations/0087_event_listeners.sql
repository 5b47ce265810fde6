-- A listener is an endpoint without a URL: its events stay in the queue until it fetches them.
alter table webhook_endpoints alter column url drop not null;
alter table webhook_endpoints add column expires_at timestamptz;
alter table webhook_endpoints add check ((url is null) = (expires_at is not null));
create index webhook_endpoints_expiring on webhook_endpoints (expires_at) where expires_at is not null;

-- The answer that a listener last got the event in; the next call confirms it.
alter table webhook_queue add column batch uuid;
