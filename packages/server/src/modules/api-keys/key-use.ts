import { sql } from 'kysely'
import type { UserActor } from '../../actor.ts'
import { asSystem } from '../../db/pool.ts'
import { runEvery } from '../../lib/background.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ApiKeys, Use } from './api-keys.ts'

const writeEveryMs = 2000

/** Counts a use of the key, which is written later with others. */
export function noteUse(
  { uses, clock }: Pick<ApiKeys, 'uses' | 'clock'>,
  { organizationId }: UserActor,
  { apiKeyId, ip }: { apiKeyId: string; ip: string },
): void {
  const requests = (uses.get(apiKeyId)?.requests ?? 0) + 1
  uses.set(apiKeyId, { organizationId, requests, lastAt: clock.now(), lastIp: ip })
}

/** Writes the uses of keys by calls of this process, also when it stops. A crash loses those of the last seconds. */
export function startKeyUse(keys: ApiKeys, logger: Logger): { stop(): Promise<void> } {
  const writing = runEvery(writeEveryMs, () => writeUses(keys), { name: 'writing the use of API keys', logger })
  return {
    async stop() {
      await writing.stop()
      await writeUses(keys).catch((error: unknown) =>
        logger.warn({ err: error }, 'the last uses of API keys were lost'),
      )
    },
  }
}

export async function writeUses({ database, uses }: Pick<ApiKeys, 'database' | 'uses'>): Promise<void> {
  if (uses.size === 0) return
  // In the same order in every process, so that none waits for another in a circle.
  const entries = [...uses].toSorted(([one], [other]) => (one < other ? -1 : 1))
  uses.clear()
  try {
    await asSystem(database, (db) =>
      sql`
        insert into api_key_days as used (organization_id, api_key_id, day, requests, last_used_at, last_used_ip)
        select key.organization_id, key.id, local_day(use.last_at, organization_zone(key.organization_id)), use.requests, use.last_at, use.last_ip
        from unnest(${entries.map(([, use]) => use.organizationId)}::uuid[], ${entries.map(([id]) => id)}::uuid[],
          ${entries.map(([, use]) => use.requests)}::bigint[], ${entries.map(([, use]) => use.lastAt)}::timestamptz[],
          ${entries.map(([, use]) => use.lastIp)}::inet[]) as use (organization_id, id, requests, last_at, last_ip)
        join api_keys key on key.organization_id = use.organization_id and key.id = use.id
        order by key.id
        on conflict (organization_id, api_key_id, day) do update set
          requests = used.requests + excluded.requests,
          last_used_at = greatest(used.last_used_at, excluded.last_used_at),
          last_used_ip = case when excluded.last_used_at >= used.last_used_at then excluded.last_used_ip else used.last_used_ip end`.execute(
        db,
      ),
    )
  } catch (error) {
    for (const [id, use] of entries) putBack(uses, id, use)
    throw error
  }
}

/** Uses that were noted meanwhile are later. */
function putBack(uses: ApiKeys['uses'], id: string, use: Use) {
  const later = uses.get(id)
  uses.set(id, later ? { ...later, requests: later.requests + use.requests } : use)
}
