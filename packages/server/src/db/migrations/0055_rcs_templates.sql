-- A deleted template of an account keeps its row for the names of sent messages; its name can be used again.
drop index templates_organization_id_provider_account_id_name_language_idx;
create unique index on templates (organization_id, provider_account_id, name, language)
  where provider_account_id is not null and deleted_at is null;

-- Templates that every sender of a channel may send.
create unique index on templates (organization_id, channel, name)
  where provider_account_id is null and sender_id is null and deleted_at is null;

-- Media of RCS templates are fetched by operators and phones, which know nothing but the id.
create index on files (id) where purpose = 'media' and channel = 'rcs';
