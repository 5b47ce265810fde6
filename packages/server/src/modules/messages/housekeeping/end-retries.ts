import { listProvidersWithOurIds } from '../../../channels/index.ts'
import type { Provider } from '../../../channels/provider.ts'
import { createReferences } from '../reference.ts'
import { storableId } from '../reports/storable-events.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'

/**
 * Ends the retries of an ended campaign. Messages whose response was lost may have been accepted: they become unknown, and a
 * later report still settles them. Others that have expired failed, or were skipped if they were postponed for the cap; those of a stopped campaign have no result, like all
 * recipients it did not reach.
 */
const end: Statement = {
  name: 'end-retries',
  text: `
  with ended as (
    delete from retries
    where organization_id = $1 and campaign_id = $2 and submitting_epoch is null
    returning *, is_entry and reason = 'frequency_capped' as is_postponed
  ), written as (
    insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on,
      attempt, reason, code, failed_at, unknown_at, left_on, provider_message_id)
    select $1, campaign.created_on, $2, recipient.seq, ended.leg, ended.sender_id, recipient.phone,
      case when ended.unanswered then 'unknown' when ended.is_postponed then 'skipped' else 'failed' end::message_status, ended.parts,
      case when ended.unanswered then ended.parts * leg.price else 0 end, leg.billable_on, greatest(1, ended.attempt),
      case when ended.is_postponed then 'frequency_capped' when not ended.unanswered then 'expired' end, nullif(ended.code, ''),
      case when not ended.unanswered and not ended.is_postponed then now() end, case when ended.unanswered then now() end,
      (select organization_day($1)), known.id
    from ended
    left join unnest($4::smallint[], $5::int[], $6::text[]) as known (leg, seq, id) on known.leg = ended.leg and known.seq = ended.seq
    join campaigns campaign on campaign.organization_id = $1 and campaign.id = $2
    join campaign_legs leg on leg.organization_id = $1 and leg.campaign_id = $2 and leg.leg = ended.leg
    join recipients recipient on recipient.organization_id = $1 and recipient.audience_id = campaign.audience_id and recipient.seq = ended.seq
    where ended.unanswered or $3::boolean
    on conflict do nothing
    returning leg, seq, status
  ), counted as (
  insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, sender_id, failed, unknown, skipped, left_on)
  select $1, $2, written.leg, campaign.created_by, own.channel, own.sender_id, count(*) filter (where written.status = 'failed'),
    count(*) filter (where written.status = 'unknown'), count(*) filter (where written.status = 'skipped'), (select organization_day($1))
  from written
  join campaigns campaign on campaign.organization_id = $1 and campaign.id = $2
  join campaign_legs own on own.organization_id = $1 and own.campaign_id = $2 and own.leg = written.leg
  group by written.leg, campaign.created_by, own.channel, own.sender_id
  )
  select count_failovers($1, $2::uuid, leg, array_agg(seq), array_agg(status), array_agg(false))::text from written group by leg
  union all
  select publish_statuses($1, $2::uuid, leg, status, array_agg(seq))::text from written
  where has_subscribers($1, 'message.status') group by leg, status`,
}

export async function endRetries(
  db: Queryable,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
  { isExpired, providers = listProvidersWithOurIds() }: { isExpired: boolean; providers?: readonly NamingProvider[] },
): Promise<void> {
  const known = await findKnown(db, { organizationId, campaignId }, providers)
  await run(db, end, [
    organizationId,
    campaignId,
    isExpired,
    numberArray(known.map(({ leg }) => leg)),
    numberArray(known.map(({ seq }) => seq)),
    textArray(known.map(({ id }) => id)),
  ])
}

const leaveUnsent: Statement = {
  name: 'leave-unsent-legs',
  text: 'select leave_unsent_legs($1::uuid, $2::uuid)',
}

/** Recipients whose earlier message was delivered while the next one was not sent yet do not count as entered. */
export async function leaveUnsentLegs(
  db: Queryable,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
): Promise<void> {
  await run(db, leaveUnsent, [organizationId, campaignId])
}

type NamingProvider = Pick<Provider<unknown>, 'name' | 'messageIdOf'>

const findUnanswered: Statement = {
  name: 'find-unanswered-retries',
  text: `
  select retry.leg, retry.seq, account.provider from retries retry
  join senders sender on sender.organization_id = retry.organization_id and sender.id = retry.sender_id
  join provider_accounts account on account.organization_id = sender.organization_id and account.id = sender.provider_account_id
  where retry.organization_id = $1 and retry.campaign_id = $2 and retry.unanswered and retry.submitting_epoch is null
    and account.provider = any($3::text[])
  for update of retry`,
}

/** The provider's ids of messages without a response, where they follow from our references. */
async function findKnown(
  db: Queryable,
  { organizationId, campaignId }: { organizationId: string; campaignId: string },
  providers: readonly NamingProvider[],
): Promise<{ leg: number; seq: number; id: string }[]> {
  if (providers.length === 0) return []
  const idOfByName = new Map(providers.map(({ name, messageIdOf }) => [name, messageIdOf]))
  const asked = [organizationId, campaignId, textArray([...idOfByName.keys()])]
  const rows = await run<{ leg: number; seq: number; provider: string }>(db, findUnanswered, asked)
  return rows.flatMap(({ leg, seq, provider }) => {
    const messageIdOf = idOfByName.get(provider)
    return messageIdOf ? [{ leg, seq, id: storableId(messageIdOf(createReferences({ campaignId, leg })(seq))) }] : []
  })
}
