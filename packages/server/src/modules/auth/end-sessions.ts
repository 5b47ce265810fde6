import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { Sessions } from './sessions.ts'

/** Ends every session of a subtree: its accounts' own and those in which they impersonate others. */
export async function endSessionsBelow(db: Db, path: string, now: Date): Promise<void> {
  await sql`
    update sessions set ended_at = ${now}
    from accounts account
    where account.path <@ ${path}::ltree and sessions.ended_at is null
      and ((sessions.organization_id = account.organization_id and sessions.account_id = account.id) or sessions.actor_id = account.id)`.execute(
    db,
  )
}

/** Invalidates the session cache of a subtree, so that changes apply to the next call instead of within seconds. */
export function forgetBelow({ cache }: Pick<Sessions, 'cache'>, path: string): void {
  for (const [token, { actor }] of cache)
    if (actor.scope.path === path || actor.scope.path.startsWith(`${path}.`)) cache.delete(token)
}
