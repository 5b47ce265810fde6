import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'

/**
 * Failed attempts of an account or address within 24 hours. The first ones are free; each further one doubles the wait up to
 * an hour, and at the maximum the rest of the 24 hours must pass.
 */
const freeAttempts = { account: 10, address: 50 }
const ceiling = 100
const longestWait = '1 hour'

/** The subject of the count. Unknown login names are counted like accounts. */
export type AttemptKey = { kind: 'account' | 'address'; key: string }

export const accountKey = (id: string): AttemptKey => ({ kind: 'account', key: `account:${id}` })
export const unknownNameKey = (name: string): AttemptKey => ({ kind: 'account', key: `name:${name}` })
export const addressKey = (ip: string): AttemptKey => ({ kind: 'address', key: `address:${ip}` })

export async function countFailure(db: Db, keys: readonly AttemptKey[], now: Date): Promise<void> {
  await sql`select count_failed_attempt(${keys.map(({ key }) => key)}::text[], ${now}::timestamptz,
    ${keys.map(({ kind }) => freeAttempts[kind])}::int[], ${ceiling}::int, ${longestWait}::interval)`.execute(db)
}

/** The error while another attempt must wait, else undefined. */
export async function findBlock(db: Db, keys: readonly AttemptKey[], now: Date): Promise<Problem | undefined> {
  const { rows } = await sql<{ until: Date | null }>`
    select attempts_blocked_until(${keys.map(({ key }) => key)}::text[], ${now}::timestamptz) as until`.execute(db)
  const until = rows[0]?.until
  if (!until) return undefined
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return new Problem('too_many_requests', `Too many failed attempts: try again in ${formatWait(seconds)}`, {
    retryAfter: seconds,
  })
}

export async function clearFailures(db: Db, { key }: AttemptKey): Promise<void> {
  await sql`select clear_failed_attempts(${key})`.execute(db)
}

function formatWait(seconds: number): string {
  const units: [number, string][] = [
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ]
  const [size, unit] = units.find(([length]) => seconds >= length * 2) ?? [1, 'second']
  const count = Math.ceil(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
