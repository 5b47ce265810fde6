import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Leg } from '../engine/legs.ts'
import { numberArray, run, type Queryable, type Statement } from '../statements.ts'

/** Statuses of messages that reached a person, or may have. */
export const reached = `('sent', 'delivered', 'read', 'unknown', 'unconfirmed')`

/** The organisation's cap as the statements of the engine return it. */
export type Cap = { messages: number; days: number; postpones: boolean }

/** Why a person does not get a message now. */
export type Limit = { reason: 'recently_messaged' } | { reason: 'frequency_capped'; until: Date }

/**
 * Messages have no index on the number; audiences have one, so each campaign that sent within the period is searched by its
 * audience. A campaign that fell back to another channel counts once towards the cap. In-flight messages of other campaigns are not
 * stored yet, and do not count: a person can exceed the cap by one message of each campaign that hands over a slice with this
 * person at the same time.
 */
const find: Statement = {
  name: 'find-limited',
  text: `
  select phone, coalesce(bool_or(is_recent), false) as "isRecent",
    (array_agg(promoted_at order by promoted_at desc) filter (where promoted_at is not null))[$7::int]
      + make_interval(hours => 24 * $8::int) as "cappedUntil"
  from (
    select recipient.phone, bool_or((leg.channel = $3 or $6::boolean) and sent.at > now() - make_interval(hours => $4::int)) as is_recent,
      max(sent.at) filter (where leg.is_promotion and sent.at > now() - make_interval(hours => 24 * $8::int)) as promoted_at
    from campaigns other
    join recipients recipient on recipient.organization_id = $1 and recipient.audience_id = other.audience_id
      and recipient.phone = any($5::bigint[])
    join messages message on message.organization_id = $1 and message.created_on = other.created_on
      and message.campaign_id = other.id and message.seq = recipient.seq
    cross join lateral (select coalesce(message.sent_at, message.unknown_at) as at) sent
    join campaign_legs leg on leg.organization_id = $1 and leg.campaign_id = other.id and leg.leg = message.leg
    where other.organization_id = $1 and other.id <> $2 and other.started_at is not null
      and coalesce(other.completed_at, 'infinity') > now() - make_interval(hours => greatest($4::int, 24 * $8::int))
      and message.status in ${reached}
    group by recipient.phone, other.id
  ) by_campaign
  group by phone
  having bool_or(is_recent) or count(promoted_at) >= $7::int`,
}

type LimitQuery = { cap: Cap | null; phones: readonly number[] }
type LimitRow = { phone: number; isRecent: boolean; cappedUntil: Date | null }

/** Which of these numbers do not get the message of a leg now, and why. No query if no rule applies to the campaign. */
export async function findLimited(
  db: Queryable,
  { organizationId, campaignId, channel, skipRecentHours, skipRecentOnAny, ignoresCap }: Leg,
  { cap: ofOrganization, phones }: LimitQuery,
): Promise<ReadonlyMap<number, Limit>> {
  const cap = ignoresCap ? null : ofOrganization
  if ((skipRecentHours === null && cap === null) || phones.length === 0) return nobody
  const recent = [organizationId, campaignId, channel, skipRecentHours, numberArray(phones), skipRecentOnAny]
  const rows = await run<LimitRow>(db, find, [...recent, cap?.messages ?? null, cap?.days ?? null])
  return new Map(rows.flatMap(({ phone, ...row }) => limitsOf(row).map((limit) => [phone, limit])))
}

const nobody: ReadonlyMap<number, Limit> = new Map()

function limitsOf({ isRecent, cappedUntil }: Omit<LimitRow, 'phone'>): Limit[] {
  if (isRecent) return [{ reason: 'recently_messaged' }]
  return cappedUntil ? [{ reason: 'frequency_capped', until: cappedUntil }] : []
}

/** A person is tried again no sooner than this, so that a slice in flight has its results by then. */
const shortestWaitMs = 60_000

/** When a person who reached the cap gets the message instead; undefined if not at all. */
export function postponedTo(
  limit: Limit | undefined,
  { cap, expiresAt }: { cap: Cap | null; expiresAt: Date },
): Date | undefined {
  if (limit?.reason !== 'frequency_capped' || !cap?.postpones) return undefined
  const at = new Date(Math.max(limit.until.getTime(), Date.now() + shortestWaitMs))
  return at < expiresAt ? at : undefined
}

type RecentQuery = { organizationId: string; audienceId: string; channel: Channel; hours: number; isOnAny: boolean }

/** How many people of an audience would be skipped if the campaign were sent now. */
export async function countRecentlyMessaged(
  db: Db,
  { organizationId, audienceId, channel, hours, isOnAny }: RecentQuery,
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
      and (leg.channel = ${channel}::channel or ${isOnAny}::boolean) and message.status in ${sql.raw(reached)}
      and coalesce(message.sent_at, message.unknown_at) > now() - make_interval(hours => ${hours}::int)`.execute(db)
  return rows[0]?.people ?? 0
}

type CapQuery = { organizationId: string; audienceId: string } & Pick<Cap, 'messages' | 'days'>

/** How many people of an audience have reached the cap now. */
export async function countCapped(db: Db, { organizationId, audienceId, messages, days }: CapQuery): Promise<number> {
  const since = sql`now() - make_interval(hours => 24 * ${days}::int)`
  const { rows } = await sql<{ people: number }>`
    select count(*)::int as people from (
      select mine.seq
      from campaigns other
      join campaign_legs leg on leg.organization_id = ${organizationId}::uuid and leg.campaign_id = other.id and leg.is_promotion
      join messages message on message.organization_id = ${organizationId}::uuid and message.created_on = other.created_on
        and message.campaign_id = other.id and message.leg = leg.leg
      join recipients mine on mine.organization_id = ${organizationId}::uuid and mine.audience_id = ${audienceId}::uuid
        and mine.phone = message.phone
      where other.organization_id = ${organizationId}::uuid and other.started_at is not null
        and coalesce(other.completed_at, 'infinity') > ${since} and message.status in ${sql.raw(reached)}
        and coalesce(message.sent_at, message.unknown_at) > ${since}
      group by mine.seq
      having count(distinct other.id) >= ${messages}::int
    ) capped`.execute(db)
  return rows[0]?.people ?? 0
}
