-- Takes back the entries of an ended campaign that were not sent and whose earlier message was delivered meanwhile: those recipients
-- have got the campaign, so they neither failed nor wait. Runs before the campaign's open chunks and retries are ended, in the same
-- transaction; messages in flight keep their entries.
create function leave_unsent_legs(organization uuid, campaign uuid) returns bigint
language sql as $$
  with reached as materialized (
    select leg, seq from leg_entries
    where organization_id = organization and campaign_id = campaign and before in ('delivered', 'read') and after = 'queued'
  ), waiting as (
    delete from retries using reached
    where retries.organization_id = organization and retries.campaign_id = campaign and retries.leg = reached.leg and retries.seq = reached.seq
      and is_entry and not unanswered and submitting_epoch is null
    returning retries.leg, retries.seq
  ), in_chunks as (
    select reached.leg, reached.seq from reached
    join chunks on chunks.organization_id = organization and chunks.campaign_id = campaign and chunks.leg = reached.leg
      and reached.seq >= chunks.recorded and reached.seq < chunks.hi and (chunks.members is null or reached.seq = any(chunks.members))
    where done_at is null and watermark = recorded and queued_at is not null
      and not exists (select from messages where messages.organization_id = organization and messages.campaign_id = campaign
        and messages.leg = reached.leg and messages.seq = reached.seq)
      and not exists (select from retries where retries.organization_id = organization and retries.campaign_id = campaign
        and retries.leg = reached.leg and retries.seq = reached.seq)
  ), taken_back as (
    delete from leg_entries entry using (select leg, seq from waiting union select leg, seq from in_chunks) unsent
    where entry.organization_id = organization and entry.campaign_id = campaign and entry.leg = unsent.leg and entry.seq = unsent.seq
    returning entry.leg, entry.before, entry.after, entry.before_accepted and entry.after_accepted as twice
  ), counted as (
    insert into failover_deltas (organization_id, campaign_id, leg, before, after, twice, entries)
    select organization, campaign, leg, before, after, twice, -count(*) from taken_back group by leg, before, after, twice
  )
  select count(*) from taken_back;
$$;
