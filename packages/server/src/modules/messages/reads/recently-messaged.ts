import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Leg } from '../engine/legs.ts'
import { numberArray, run, type Queryable, type Statement } from '../statements.ts'

/** Statuses of messages that reached a person, or may have. */
export const reached = `('sent', 'delivered', 'read', 'unknown', 'unconfirmed')`

/**
 * Messages have no index on the number; audiences have one, so each campaign that sent within the period is searched by its
 * audience. In-flight messages of other campaigns are not stored yet, and do not count.
 */
const find: Statement = {
  name: 'find-recently-messaged',
  text: `
  select distinct recipient.phone
  from campaigns other
  join recipients recipient on recipient.organization_id = $1 and recipient.audience_id = other.audience_id
    and recipient.phone = any($5::bigint[])
  join messages message on message.organization_id = $1 and message.created_on = other.created_on
    and message.campaign_id = other.id and message.seq = recipient.seq
  join campaign_legs leg on leg.organization_id = $1 and leg.campaign_id = other.id and leg.leg = message.leg
  where other.organization_id = $1 and other.id <> $2 and other.started_at is not null
    and coalesce(other.completed_at, 'infinity') > now() - make_interval(hours => $4)
    and leg.channel = $3 and message.status in ${reached}
    and coalesce(message.sent_at, message.unknown_at) > now() - make_interval(hours => $4)`,
}

/** Which of these numbers are skipped in a slice that is about to be sent. No query if the campaign has no such rule. */
export async function findRecentlyMessaged(
  db: Queryable,
  { organizationId, campaignId, channel, skipRecentHours }: Leg,
  phones: readonly number[],
): Promise<ReadonlySet<number>> {
  if (skipRecentHours === null || phones.length === 0) return nobody
  const values = [organizationId, campaignId, channel, skipRecentHours, numberArray(phones)]
  const rows = await run<{ phone: number }>(db, find, values)
  return new Set(rows.map(({ phone }) => phone))
}

const nobody: ReadonlySet<number> = new Set()

type RecentQuery = { organizationId: string; audienceId: string; channel: Channel; hours: number }

/** How many people of an audience would be skipped if the campaign were sent now. */
export async function countRecentlyMessaged(
  db: Db,
  { organizationId, audienceId, channel, hours }: RecentQuery,
): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct mine.seq)::int as people
    from campaigns other
    join messages message on message.organization_id = ${organizationId}::uuid and message.created_on = other.created_on
      and message.campaign_id = other.id
    join campaign_legs leg on leg.organization_id = ${organizationId}::uuid and leg.campaign_id = other.id and leg.leg = message.leg
    join recipients mine on mine.organization_id = ${organizationId}::uuid and mine.audience_id = ${audienceId}::uuid
      and mine.phone = message.phone
    where other.organization_id = ${organizationId}::uuid and other.started_at is not null
      and coalesce(other.completed_at, 'infinity') > now() - make_interval(hours => ${hours}::int)
      and leg.channel = ${channel}::channel and message.status in ${sql.raw(reached)}
      and coalesce(message.sent_at, message.unknown_at) > now() - make_interval(hours => ${hours}::int)`.execute(db)
  return rows[0]?.people ?? 0
}
