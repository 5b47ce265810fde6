import { sql } from 'kysely'
import type { RunTransaction } from '../../db/pool.ts'
import { networkOf } from '../../lib/client-address.ts'
import { Problem } from '../../lib/problem.ts'

/** Free registrations per address in 15 minutes. */
const freeTries = 20
const waitSeconds = 900

/** Counts an attempt in a transaction of its own, so that rejected ones count as well. */
export async function throttleRegistrations(asSystem: RunTransaction, ip: string, now: Date): Promise<void> {
  const { rows } = await asSystem((db) =>
    sql<{ failures: number }>`
      insert into login_attempts as attempt (key, failures, last_at) values (${`register:${networkOf(ip)}`}, 1, ${now})
      on conflict (key) do update set
        failures = case when attempt.last_at < ${now}::timestamptz - ${waitSeconds} * interval '1 second' then 1 else attempt.failures + 1 end,
        last_at = case when attempt.last_at < ${now}::timestamptz - ${waitSeconds} * interval '1 second' then excluded.last_at else attempt.last_at end
      returning failures`.execute(db),
  )
  if ((rows[0]?.failures ?? 0) > freeTries)
    throw new Problem('too_many_requests', 'Too many registrations from this address: try again in 15 minutes', {
      retryAfter: waitSeconds,
    })
}
