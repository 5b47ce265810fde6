import { sql } from 'kysely'
import { asSystem, type Database } from '../../../db/pool.ts'
import { createNetworkCheck } from '../../../lib/networks.ts'
import { findKeyUser, type ApiKeys } from '../../api-keys/index.ts'
import { sendScope } from '../write-credential.ts'
import type { Bound } from './session.ts'

/** A change of a credential, its key or its owner ends its sessions within twice this time. */
export const checkEveryMs = 1500

type Row = { id: string; session_id: string; addresses: string[]; public_id: string }

/** Records that the sessions are still bound, and returns those that may not be any more. */
export async function findEnded<S extends { bound: Bound | undefined }>(
  { database, apiKeys }: { database: Database; apiKeys: ApiKeys },
  sessions: readonly S[],
): Promise<S[]> {
  const bound = sessions.flatMap((session) => (session.bound ? [{ session, ...session.bound }] : []))
  if (bound.length === 0) return []
  const credentials = await markSeen(database, bound)
  const ended: S[] = []
  for (const { session, sessionId, address } of bound) {
    const credential = credentials.get(sessionId)
    const isListed = credential && createNetworkCheck(credential.addresses)(address)
    const user =
      credential && isListed
        ? await findKeyUser(apiKeys, credential.public_id, { address, scope: sendScope, maximumAgeMs: checkEveryMs })
        : undefined
    if (user === undefined || typeof user === 'string') ended.push(session)
  }
  return ended
}

/** The credentials that are not deactivated, by session. */
async function markSeen(database: Database, bound: readonly Bound[]): Promise<Map<string, Row>> {
  const { rows } = await asSystem(database, (db) =>
    sql<Row>`
      with bound as (
        select * from unnest(${bound.map(({ credential }) => credential.organizationId)}::uuid[],
          ${bound.map(({ credential }) => credential.id)}::uuid[], ${bound.map(({ sessionId }) => sessionId)}::uuid[])
          as bound (organization_id, credential_id, id)
      ), current as (
        select credential.organization_id, credential.id, bound.id as session_id, addresses, public_id
        from bound
        join smpp_credentials credential on credential.organization_id = bound.organization_id and credential.id = bound.credential_id
        join api_keys key on key.organization_id = credential.organization_id and key.id = credential.api_key_id
        where credential.deactivated_at is null
      ), seen as (
        insert into smpp_sessions (organization_id, credential_id, id)
        select organization_id, id, session_id from current order by session_id
        on conflict (organization_id, credential_id, id) do update set seen_at = now()
      )
      select id, session_id, addresses, public_id from current`.execute(db),
  )
  return new Map(rows.map((row) => [row.session_id, row]))
}
