import { sql } from 'kysely'
import { asSystem, eachAsSystem, type Database } from '../../../db/pool.ts'
import { networkOf } from '../../../lib/client-address.ts'
import { newId } from '../../../lib/ids.ts'
import type { Logger } from '../../../lib/logger.ts'
import { createNetworkCheck } from '../../../lib/networks.ts'
import type { SecretBox } from '../../../lib/secrets.ts'
import type { BindRequest } from '../../../lib/smpp/pdu.ts'
import { statuses } from '../../../lib/smpp/statuses.ts'
import { findKeyUser, type ApiKeys } from '../../api-keys/index.ts'
import { hashPassword, isPassword, type CredentialKey } from '../secrets.ts'
import { sendScope } from '../write-credential.ts'
import { limitAttempts, type AttemptLimit } from './limit-attempts.ts'
import { sessionSeconds } from './session-seconds.ts'

export type BoundCredential = CredentialKey & {
  systemId: string
  /** Of its API key. */
  publicId: string
}

export type Bind =
  | { kind: 'bound'; sessionId: string; credential: BoundCredential }
  | {
      kind: 'refused'
      status: number
      /** The password was right. */
      isGenuine: boolean
    }

export type BindDeps = { database: Database; apiKeys: ApiKeys; secretBox: SecretBox; logger: Logger }

export type Authenticate = (request: BindRequest, address: string) => Promise<Bind>

const failuresPerMinute = 10

/** Checks the system id, the address and the password of a bind, the API key, and how many sessions are bound. */
export function createAuthenticate(deps: BindDeps): Authenticate {
  const byAddress = limitAttempts(failuresPerMinute)
  const bySystemId = limitAttempts(failuresPerMinute)
  return async (request, address) => {
    const network = networkOf(address)
    if (!byAddress.take(network)) return refuse(statuses.bindFailed)
    const bind = await authenticate(deps, { request, address, bySystemId })
    if (bind.kind === 'bound' || bind.isGenuine) byAddress.giveBack(network)
    if (bind.kind === 'refused')
      deps.logger.info(
        { systemId: request.systemId.slice(0, 15), address, status: bind.status },
        'an SMPP bind was refused',
      )
    return bind
  }
}

const refuse = (status: number, isGenuine = false): Bind => ({ kind: 'refused', status, isGenuine })

type Attempt = { request: BindRequest; address: string; bySystemId: AttemptLimit }

async function authenticate(deps: BindDeps, { request, address, bySystemId }: Attempt): Promise<Bind> {
  const { systemId, password } = request
  const row = await findCredential(deps.database, systemId)
  if (!row) return refuse(statuses.invalidSystemId)
  // Passwords can be tried from the listed addresses only, so that others cannot use up the attempts.
  if (!createNetworkCheck(row.addresses)(address)) return refuse(statuses.bindFailed)
  if (!bySystemId.take(systemId)) return refuse(statuses.bindFailed)
  const credential = { organizationId: row.organization_id, id: row.id, systemId, publicId: row.public_id }
  if (!isPassword(deps.secretBox, { ...credential, hash: row.password_hash }, password))
    return refuse(statuses.invalidPassword)
  bySystemId.giveBack(systemId)
  const user = await findKeyUser(deps.apiKeys, row.public_id, { address, scope: sendScope, maximumAgeMs: 0 })
  if (typeof user === 'string') return refuse(statuses.bindFailed, true)
  const hash = hashPassword(deps.secretBox, credential, password)
  const sessionId = await openSession(deps.database, { credential, storedHash: row.password_hash, hash })
  return sessionId ? { kind: 'bound', sessionId, credential } : refuse(statuses.alreadyBound, true)
}

type Row = { organization_id: string; id: string; password_hash: Buffer; addresses: string[]; public_id: string }

async function findCredential(database: Database, systemId: string): Promise<Row | undefined> {
  const { rows } = await eachAsSystem(database, (db) =>
    sql<Row>`
      select credential.organization_id, credential.id, password_hash, addresses, public_id
      from smpp_credentials credential
      join api_keys key on key.organization_id = credential.organization_id and key.id = credential.api_key_id
      where system_id = ${systemId} and credential.deactivated_at is null`.execute(db),
  )
  return rows[0]
}

type Opening = {
  credential: CredentialKey
  /** As it was checked: a new password may have been set meanwhile. */
  storedHash: Buffer
  /** With the current key of the installation, which may be newer than the stored one. */
  hash: Buffer
}

/** The id of a new session; undefined if there are as many as allowed. */
async function openSession(
  database: Database,
  { credential: { organizationId, id }, storedHash, hash }: Opening,
): Promise<string | undefined> {
  const sessionId = newId()
  const isOpen = await asSystem(database, async (db) => {
    const { rows } = await sql<{ most: number }>`
      update smpp_credentials set last_bound_at = now(), password_hash = ${hash}
      where organization_id = ${organizationId}::uuid and id = ${id}::uuid and deactivated_at is null and password_hash = ${storedHash}
      returning maximum_sessions as most`.execute(db)
    const { numAffectedRows = 0n } = await sql`
      insert into smpp_sessions (organization_id, credential_id, id)
      select ${organizationId}::uuid, ${id}::uuid, ${sessionId}::uuid
      where (select count(*) from smpp_sessions bound where bound.organization_id = ${organizationId}::uuid and bound.credential_id = ${id}::uuid
        and bound.seen_at > now() - ${sql.lit(sessionSeconds)} * interval '1 second') < ${rows[0]?.most ?? 0}`.execute(
      db,
    )
    return numAffectedRows > 0n
  })
  return isOpen ? sessionId : undefined
}

export async function closeSession(
  database: Database,
  { credential, sessionId }: { credential: CredentialKey; sessionId: string },
): Promise<void> {
  await asSystem(database, (db) =>
    sql`delete from smpp_sessions where organization_id = ${credential.organizationId}::uuid and credential_id = ${credential.id}::uuid
      and id = ${sessionId}::uuid`.execute(db),
  )
}
