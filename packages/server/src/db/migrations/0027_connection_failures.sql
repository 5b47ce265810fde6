-- Why the provider refuses an account, such as an expired token: {code, detail, at}. Null while it works.
alter table provider_accounts add column failure jsonb;
create index on provider_accounts (organization_id) where failure is not null;
