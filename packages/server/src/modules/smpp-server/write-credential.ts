import type { Input } from '@carillon/contract/endpoint'
import { maximumSmppCredentials } from '@carillon/contract/smpp-credential-records'
import type { smppCredentialEndpoints } from '@carillon/contract/smpp-credentials'
import { sql, type Selectable, type Updateable } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { SmppCredentials } from '../../db/schema.ts'
import { within } from '../../db/scope.ts'
import { subscribe } from '../../events/event-queue.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict, notFound, Problem } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { notify } from '../notifications/index.ts'
import { hashPassword, newPassword, newSystemId } from './secrets.ts'

type Calls = typeof smppCredentialEndpoints
type Creation = Input<Calls['smppCredentials.create']>['body']
type Change = Input<Calls['smppCredentials.update']>['body']
type Row = Selectable<SmppCredentials>
/** The password is shown once. */
type Shown = { id: string; password: string }

export async function createCredential(
  db: Db,
  { actor, wanted, secretBox }: { actor: UserActor; wanted: Creation; secretBox: SecretBox },
): Promise<Shown> {
  const { organizationId } = actor
  await lockCredentialsOf(db, organizationId)
  await assertKey(db, actor, wanted.apiKeyId)
  await assertRoom(db, actor, wanted.apiKeyId)
  const id = newId()
  const password = newPassword()
  const hash = hashPassword(secretBox, { organizationId, id }, password)
  const systemId = await insertCredential(db, { actor, wanted, id, hash })
  // Statuses of messages, for receipts.
  await subscribe(db, { organizationId, subscriber: 'smpp', target: organizationId, types: ['message.status'] })
  await note(db, {
    actor,
    credential: { organization_id: organizationId, id },
    action: 'created',
    details: { systemId, ...describe(wanted) },
  })
  return { id, password }
}

type Insertion = { actor: UserActor; wanted: Creation; id: string; hash: Buffer }

async function insertCredential(db: Db, insertion: Insertion): Promise<string> {
  const { actor, wanted, id, hash } = insertion
  const inserted = await db
    .insertInto('smpp_credentials')
    .values({
      organization_id: actor.organizationId,
      id,
      account_id: actor.accountId,
      api_key_id: wanted.apiKeyId,
      system_id: newSystemId(),
      password_hash: hash,
      addresses: wanted.addresses,
      maximum_sessions: wanted.maximumSessions,
    })
    .onConflict((conflict) => conflict.column('system_id').doNothing())
    .returning('system_id')
    .executeTakeFirst()
  // System ids are random, and short enough that two can be the same.
  return inserted?.system_id ?? insertCredential(db, insertion)
}

export async function updateCredential(
  db: Db,
  { actor, id, change }: { actor: UserActor; id: string; change: Change },
): Promise<void> {
  const credential = await lockOwnCredential(db, { actor, id })
  const { addresses = credential.addresses, maximumSessions = credential.maximum_sessions } = change
  await setCredential(db, credential, { addresses, maximum_sessions: maximumSessions })
  await note(db, {
    actor,
    credential,
    action: 'updated',
    details: { systemId: credential.system_id, ...describe(change) },
  })
}

export async function changePassword(
  db: Db,
  { actor, id, secretBox }: { actor: UserActor; id: string; secretBox: SecretBox },
): Promise<Shown> {
  const credential = await lockOwnCredential(db, { actor, id })
  const password = newPassword()
  const hash = hashPassword(secretBox, { organizationId: credential.organization_id, id }, password)
  await setCredential(db, credential, { password_hash: hash })
  await note(db, { actor, credential, action: 'password_changed', details: { systemId: credential.system_id } })
  return { id, password }
}

/** Credentials of the caller or of an account below. A second time, nothing changes. */
export async function deactivateCredential(
  db: Db,
  { actor, id, now }: { actor: UserActor; id: string; now: Date },
): Promise<{ id: string; deactivatedAt: string }> {
  const { organization_id: organizationId } = await lockCredential(db, { actor, id })
  await lockCredentialsOf(db, organizationId)
  const credential = await lockCredential(db, { actor, id })
  if (credential.deactivated_at) return { id, deactivatedAt: credential.deactivated_at.toISOString() }
  await setCredential(db, credential, { deactivated_at: now })
  for (const table of ['smpp_long_messages', 'smpp_messages', 'smpp_receipts'] as const)
    await sql`delete from ${sql.table(table)} where organization_id = ${organizationId} and credential_id = ${id}::uuid`.execute(
      db,
    )
  if (!(await hasCredentials(db, organizationId)))
    await subscribe(db, { organizationId, subscriber: 'smpp', target: organizationId, types: [] })
  await note(db, { actor, credential, action: 'deactivated', details: { systemId: credential.system_id } })
  if (credential.account_id !== actor.accountId) await notifyOwner(db, actor, credential)
  return { id, deactivatedAt: now.toISOString() }
}

async function notifyOwner(db: Db, { username }: UserActor, credential: Row): Promise<void> {
  await notify(db, [
    {
      organizationId: credential.organization_id,
      accountId: credential.account_id,
      kind: 'account_security',
      title: 'Your SMPP credentials were deactivated',
      description: `${username} deactivated ${credential.system_id}. Its sessions end, and binds fail.`,
      eventKey: `smpp_credentials_deactivated:${credential.id}`,
    },
  ])
}

async function hasCredentials(db: Db, organizationId: string): Promise<boolean> {
  const { rows } = await sql`select from smpp_credentials
    where organization_id = ${organizationId} and deactivated_at is null limit 1`.execute(db)
  return rows.length > 0
}

async function setCredential(db: Db, { organization_id, id }: Row, set: Updateable<SmppCredentials>): Promise<void> {
  await db
    .updateTable('smpp_credentials')
    .set(set)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

async function lockOwnCredential(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<Row> {
  const credential = await lockCredential(db, { actor, id })
  if (credential.account_id !== actor.accountId)
    throw new Problem('forbidden', 'Only their owner can change SMPP credentials. You can deactivate them')
  if (credential.deactivated_at) throw conflict('These SMPP credentials are deactivated')
  return credential
}

async function lockCredential(db: Db, { actor: { scope }, id }: { actor: UserActor; id: string }): Promise<Row> {
  const { rows } = await sql<Row>`
    select credential.* from smpp_credentials credential
    join accounts owner on owner.organization_id = credential.organization_id and owner.id = credential.account_id
    where credential.id = ${id}::uuid and ${within(scope, 'owner.path')} for no key update of credential`.execute(db)
  const [credential] = rows
  if (!credential) throw notFound('SMPP credentials')
  return credential
}

/** Serialises what adds and removes credentials of an organisation, so that the subscription to its events follows them. */
async function lockCredentialsOf(db: Db, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`smpp credentials ${organizationId}`}, 0))`.execute(db)
}

async function assertKey(db: Db, { organizationId, accountId }: UserActor, id: string): Promise<void> {
  const key = await db
    .selectFrom('api_keys')
    .select(['scopes', 'deactivated_at'])
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!key) throw badField('apiKeyId', 'API key not found')
  if (key.deactivated_at) throw badField('apiKeyId', 'This API key is deactivated')
  if (!key.scopes.includes(sendScope)) throw badField('apiKeyId', `This API key does not have the scope ${sendScope}`)
}

/** What sessions do. */
export const sendScope = 'messages:send'

async function assertRoom(db: Db, { organizationId }: UserActor, apiKeyId: string): Promise<void> {
  const { count } = await db
    .selectFrom('smpp_credentials')
    .select(sql<number>`count(*)`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('api_key_id', '=', apiKeyId)
    .where('deactivated_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= maximumSmppCredentials)
    throw conflict(
      `An API key has at most ${maximumSmppCredentials} SMPP credentials. Deactivate those you no longer need`,
    )
}

type Note = {
  actor: UserActor
  credential: Pick<Row, 'organization_id' | 'id'>
  action: string
  details: Record<string, string | number>
}

async function note(db: Db, { actor, credential, action, details }: Note): Promise<void> {
  await recordAudit(db, {
    organizationId: credential.organization_id,
    ...whoActs(actor),
    action: `smpp_credential.${action}`,
    object: { type: 'smpp_credential', id: credential.id },
    details,
  })
}

function describe({ addresses, maximumSessions }: Change) {
  return {
    ...(addresses ? { addresses: addresses.join(', ') } : {}),
    ...(maximumSessions === undefined ? {} : { maximumSessions }),
  }
}
