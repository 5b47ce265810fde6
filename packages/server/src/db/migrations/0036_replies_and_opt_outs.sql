-- Who opted out says how, and after which campaign.
alter table opt_outs
  add column source text not null default 'reply' check (source in ('reply', 'app', 'manual', 'import')),
  add column campaign_id uuid,
  add column added_by uuid;
update opt_outs set source = 'app' where keyword = 'asked in the app';
create index on opt_outs (organization_id, at desc);

-- The campaign that a person replied to: the newest of the sender that reached them within the week before.
alter table inbound_messages add column campaign_id uuid;
create index on inbound_messages (organization_id, campaign_id, received_at desc) where campaign_id is not null;

update inbound_messages reply set campaign_id = (
  select campaigns.id
  from campaigns
  join campaign_legs on campaign_legs.organization_id = campaigns.organization_id and campaign_legs.campaign_id = campaigns.id
    and campaign_legs.sender_id = reply.sender_id
  join recipients on recipients.organization_id = campaigns.organization_id and recipients.audience_id = campaigns.audience_id
    and recipients.phone = reply.phone
  join messages on messages.organization_id = campaigns.organization_id and messages.created_on = campaigns.created_on
    and messages.campaign_id = campaigns.id and messages.seq = recipients.seq and messages.leg = campaign_legs.leg
    and messages.status >= 'sent'
  where campaigns.organization_id = reply.organization_id and campaigns.started_at <= reply.received_at
    and campaigns.created_on >= reply.received_at::date - 7
  order by campaigns.created_on desc, campaigns.created_at desc
  limit 1
);
