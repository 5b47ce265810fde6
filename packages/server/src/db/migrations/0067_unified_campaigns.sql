-- Campaigns made in the wizard for several channels, and others with more than one enabled leg; they have a list of their own.
alter table campaigns add column is_unified boolean not null generated always as (
  draft @> '{"isUnified": true}' or jsonb_array_length(jsonb_path_query_array(draft, '$.legs[*] ? (@.isEnabled == true)')) > 1
) stored;
create index on campaigns (organization_id, created_at desc) where is_unified and not is_test;
