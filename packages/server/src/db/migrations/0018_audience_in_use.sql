-- Whether a campaign past its draft uses an audience that the caller may see. The campaign may belong to another member of
-- the organization, whose rows the caller does not see.
create function audience_in_use(organization uuid, audience uuid) returns boolean
language sql stable security definer set search_path = public
  return exists (
    select from campaigns
    where campaigns.organization_id = organization and campaigns.audience_id = audience
      and campaigns.status not in ('draft', 'discarded', 'failed')
      and exists (
        select from audiences
        where audiences.organization_id = organization and audiences.id = audience and audiences.path <@ app_scope()
      )
  );
