import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'

/** Results of an organisation's recent messages. */
export type RecentResults = {
  messages: number
  /** Accepted by the provider. */
  accepted: number
  /** Accepted and not failed since: such a message is charged, whether or not its delivery was reported. */
  notFailed: number
  delivered: number
  /** Ends by the reason that may lead to another message, `not_delivered_in_time` among them. */
  ends: { reason: string; messages: number }[]
}

export type ResultsQuery = {
  organizationId: string
  channel: Channel
  /** Undefined: all senders of the channel. */
  senderId?: string
  /** Messages that are not delivered, or read, within this time end as `not_delivered_in_time`. */
  limit?: { seconds: number; unless: 'delivered' | 'read' } | undefined
}

type Row = { reason: string | null; messages: number; accepted: number; notFailed: number; delivered: number }

/**
 * A sample of the last 30 days: the first 3,000 recipients of each of the last ten finished campaigns, so that it takes the same
 * time whatever the size of the campaigns. Skipped messages were not tried and do not count.
 */
export async function recentResults(
  db: Db,
  { organizationId, channel, senderId, limit }: ResultsQuery,
): Promise<RecentResults> {
  const ofSender = sql`${senderId ?? null}::uuid is null or leg.sender_id = ${senderId ?? null}::uuid`
  const inTime = sql`sent_at + make_interval(secs => ${limit?.seconds ?? null}::int)`
  const reachedAt = limit?.unless === 'read' ? sql`read_at` : sql`coalesce(delivered_at, read_at)`
  const { rows } = await sql<Row>`
    with recent as (
      select organization_id, id, created_on from campaigns
      where organization_id = ${organizationId}::uuid and status in ('completed', 'cancelled') and not is_test
        and created_at > now() - interval '31 days' and created_on > current_date - 30
        and exists (select from campaign_legs leg where leg.organization_id = campaigns.organization_id
          and leg.campaign_id = campaigns.id and leg.channel = ${channel}::channel and (${ofSender}))
      order by created_at desc limit 10
    ), sample as (
      select message.*, message.status in ('delivered', 'read') as is_delivered,
        message.status in ('sent', 'delivered', 'read') as is_charged,
        message.status in ('sent', 'delivered', 'read') or message.previous_status is not null as was_accepted
      from recent
      join messages message on message.organization_id = recent.organization_id and message.created_on = recent.created_on
        and message.campaign_id = recent.id and message.seq < 3000
      join campaign_legs leg on leg.organization_id = recent.organization_id and leg.campaign_id = recent.id
        and leg.leg = message.leg and leg.channel = ${channel}::channel and (${ofSender})
      where message.status in ('sent', 'delivered', 'read', 'failed', 'unconfirmed')
    ), ended as (
      select is_delivered, is_charged, was_accepted, case
        when ${inTime} < least(coalesce(${reachedAt}, 'infinity'), coalesce(failed_at, 'infinity')) then 'not_delivered_in_time'
        when status = 'failed' then reason end as reason
      from sample
    )
    select reason, count(*)::int as messages, count(*) filter (where was_accepted)::int as accepted,
      count(*) filter (where is_charged)::int as "notFailed", count(*) filter (where is_delivered)::int as delivered
    from ended group by reason`.execute(db)
  return {
    messages: rows.reduce((sum, { messages }) => sum + messages, 0),
    accepted: rows.reduce((sum, { accepted }) => sum + accepted, 0),
    notFailed: rows.reduce((sum, { notFailed }) => sum + notFailed, 0),
    delivered: rows.reduce((sum, { delivered }) => sum + delivered, 0),
    ends: rows.flatMap(({ reason, messages }) => (reason === null ? [] : [{ reason, messages }])),
  }
}
