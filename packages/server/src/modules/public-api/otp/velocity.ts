import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { countryName } from '../../../lib/country-name.ts'
import { Problem } from '../../../lib/problem.ts'
import { notify } from '../../notifications/index.ts'

/** Messages to one number in ten minutes, and in a day. */
const ofNumber = { inTenMinutes: 5, inDay: 20 }

/**
 * Fraud with one-time passwords requests many codes for numbers of one range, or of a country where messages are expensive, and enters none
 * of them. So many passwords in an hour stop a range or country if fewer than this share of them was verified.
 */
const limits = {
  prefix: { passwords: 20, verifiedShare: 0.25 },
  country: { passwords: 500, verifiedShare: 0.1 },
}
const stopMinutes = 60
/** Younger ones may still be verified. */
const graceMinutes = 2

type Asked = { actor: UserActor; phone: number; country: string; now: Date }

/** Why no password may be sent to the number now. A stop that begins is stored, so the caller has to commit. */
export async function findVelocityProblem(db: Db, asked: Asked): Promise<Problem | undefined> {
  const stopped = await findStop(db, asked)
  if (stopped) return stopped
  const counts = await count(db, asked)
  if (counts.inTenMinutes >= ofNumber.inTenMinutes || counts.inDay >= ofNumber.inDay)
    return new Problem('too_many_requests', 'Too many one-time passwords for this number: try again later', {
      retryAfter: counts.inDay >= ofNumber.inDay ? 3600 : 600,
    })
  for (const kind of ['prefix', 'country'] as const) {
    const { passwords, verifiedShare } = limits[kind]
    const { sent, verified } = counts[kind]
    if (sent >= passwords && verified < sent * verifiedShare) return stop(db, asked, kind)
  }
  return undefined
}

/** Without the last four digits. */
const prefixOf = (phone: number) => Math.floor(phone / 10_000)

const scopeOf = {
  prefix: ({ phone }: Asked) => `prefix:${prefixOf(phone)}`,
  country: ({ country }: Asked) => `country:${country}`,
}

async function findStop(db: Db, asked: Asked): Promise<Problem | undefined> {
  const { actor, now } = asked
  const { rows } = await sql<{ until: Date }>`
    select until from otp_stops where organization_id = ${actor.organizationId} and until > ${now}
      and scope in (${scopeOf.prefix(asked)}, ${scopeOf.country(asked)}) order by until desc limit 1`.execute(db)
  const [row] = rows
  return row && stopProblem(Math.ceil((row.until.getTime() - now.getTime()) / 1000))
}

function stopProblem(retryAfter: number): Problem {
  return new Problem('too_many_requests', 'One-time passwords to these numbers are stopped: too few were verified', {
    retryAfter,
  })
}

type Share = { sent: number; verified: number }
type Counts = typeof ofNumber & Record<'prefix' | 'country', Share>

async function count(db: Db, { actor, phone, country, now }: Asked): Promise<Counts> {
  const { organizationId } = actor
  const since = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const hour = sql`organization_id = ${organizationId} and environment = 'live'
    and created_at between ${since(60)} and ${since(graceMinutes)}`
  const first = prefixOf(phone) * 10_000
  const { rows } = await sql<Record<string, number>>`
    select
      (select coalesce(sum(sends), 0) from one_time_passwords where organization_id = ${organizationId} and environment = 'live'
        and phone = ${phone}::bigint and created_at > ${since(10)})::int as "inTenMinutes",
      (select coalesce(sum(sends), 0) from one_time_passwords where organization_id = ${organizationId} and environment = 'live'
        and phone = ${phone}::bigint and created_at > ${since(1440)})::int as "inDay",
      prefix.sent as "prefixSent", prefix.verified as "prefixVerified", country.sent as "countrySent", country.verified as "countryVerified"
    from (select count(*)::int as sent, count(verified_at)::int as verified from one_time_passwords
        where ${hour} and phone between ${first}::bigint and ${first + 9999}::bigint) prefix,
      (select count(*)::int as sent, count(verified_at)::int as verified from one_time_passwords
        where ${hour} and country = ${country}) country`.execute(db)
  const row = rows[0] ?? {}
  const numberOf = (name: string) => row[name] ?? 0
  return {
    inTenMinutes: numberOf('inTenMinutes'),
    inDay: numberOf('inDay'),
    prefix: { sent: numberOf('prefixSent'), verified: numberOf('prefixVerified') },
    country: { sent: numberOf('countrySent'), verified: numberOf('countryVerified') },
  }
}

/** Tells the owner, once for each stop. */
async function stop(db: Db, asked: Asked, kind: 'prefix' | 'country'): Promise<Problem> {
  const { actor, phone, country, now } = asked
  const { organizationId, accountId } = actor
  const until = new Date(now.getTime() + stopMinutes * 60_000)
  const scope = scopeOf[kind](asked)
  await sql`insert into otp_stops (organization_id, scope, until) values (${organizationId}, ${scope}, ${until})
    on conflict (organization_id, scope) do update set until = excluded.until`.execute(db)
  const numbers = kind === 'prefix' ? `numbers that begin with +${prefixOf(phone)}` : countryName(country)
  await notify(db, [
    {
      organizationId,
      accountId,
      kind: 'key_limit_exceeded',
      title: 'One-time passwords are stopped',
      description: `Few of the passwords to ${numbers} were verified, which is typical of fraud. They are stopped for ${stopMinutes} minutes.`,
      eventKey: `otp_stopped:${scope}:${until.toISOString()}`,
    },
  ])
  return stopProblem(stopMinutes * 60)
}
