-- Two accounts of an organisation with the same system id at the same SMSC share one stream of delivery receipts: the SMSC answers on
-- whichever bind it likes. Accounts with equal identities find each other's messages; null shares with nobody.
alter table provider_accounts add column receipt_identity text generated always as (
  case
    when provider = 'smpp' then lower(config ->> 'host') || ':' || coalesce(config ->> 'port', '2775') || ' ' || (config ->> 'systemId')
    when provider = 'http-gateway' and config ->> 'authUser' <> '' then (config ->> 'url') || ' ' || (config ->> 'authUser')
  end
) stored;

create index on provider_accounts (organization_id, receipt_identity) where receipt_identity is not null;
