import { ApiEnvironment } from '@carillon/contract/api-key-records'
import type { SmppCredential } from '@carillon/contract/smpp-credential-records'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { SmppCredentials } from '../../db/schema.ts'
import { within } from '../../db/scope.ts'
import { notFound } from '../../lib/problem.ts'
import { sessionSeconds } from './sessions/session-seconds.ts'

type Row = Selectable<SmppCredentials> & {
  environment: string
  owner_name: string
  sessions: number
  receipts_waiting: number
}

/** More than the accounts of an organisation have. */
const mostListed = 500
const mostCounted = 10_000

type Read = { actor: UserActor; matching?: RawBuilder<boolean> }

export async function listCredentials(
  db: Db,
  { actor, apiKeyId }: { actor: UserActor; apiKeyId: string | undefined },
): Promise<SmppCredential[]> {
  return readCredentials(db, {
    actor,
    ...(apiKeyId !== undefined && { matching: sql<boolean>`credential.api_key_id = ${apiKeyId}::uuid` }),
  })
}

export async function getCredential(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<SmppCredential> {
  const [credential] = await readCredentials(db, { actor, matching: sql<boolean>`credential.id = ${id}::uuid` })
  if (!credential) throw notFound('SMPP credentials')
  return credential
}

async function readCredentials(db: Db, { actor, matching = sql<boolean>`true` }: Read): Promise<SmppCredential[]> {
  const { rows } = await sql<Row>`
    select credential.*, key.environment, owner.name as owner_name,
      (select count(*)::int from smpp_sessions bound where bound.organization_id = credential.organization_id
        and bound.credential_id = credential.id and bound.seen_at > now() - ${sql.lit(sessionSeconds)} * interval '1 second') as sessions,
      (select count(*)::int from (select from smpp_receipts receipt where receipt.organization_id = credential.organization_id
        and receipt.credential_id = credential.id limit ${sql.lit(mostCounted)}) counted) as receipts_waiting
    from smpp_credentials credential
    join api_keys key on key.organization_id = credential.organization_id and key.id = credential.api_key_id
    join accounts owner on owner.organization_id = credential.organization_id and owner.id = credential.account_id
    where ${within(actor.scope, 'owner.path')} and ${matching}
    order by (credential.deactivated_at is not null), credential.created_at desc, credential.id desc
    limit ${sql.lit(mostListed)}`.execute(db)
  return rows.map((row) => present(row, actor))
}

function present(row: Row, { accountId }: UserActor): SmppCredential {
  return {
    id: row.id,
    systemId: row.system_id,
    apiKeyId: row.api_key_id,
    environment: ApiEnvironment.parse(row.environment),
    addresses: row.addresses,
    maximumSessions: row.maximum_sessions,
    sessions: row.sessions,
    receiptsWaiting: row.receipts_waiting,
    createdBy: { _id: row.account_id, name: row.owner_name },
    isOwn: row.account_id === accountId,
    createdAt: row.created_at.toISOString(),
    lastBoundAt: row.last_bound_at?.toISOString() ?? null,
    deactivatedAt: row.deactivated_at?.toISOString() ?? null,
  }
}
