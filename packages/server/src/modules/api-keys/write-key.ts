import { ApiEnvironment, maximumApiKeys } from '@carillon/contract/api-key-records'
import type { apiKeyEndpoints } from '@carillon/contract/api-keys'
import type { Input } from '@carillon/contract/endpoint'
import { sql, type Selectable, type Updateable } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { ApiKeys as KeyColumns } from '../../db/schema.ts'
import { within } from '../../db/scope.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict, notFound, Problem } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { notify } from '../notifications/index.ts'
import { findOwnConfig } from './find-configs.ts'
import { newPublicId, newSecret, prefixOf } from './key-text.ts'
import { assertUsable } from './usable-scopes.ts'

type Creation = Input<(typeof apiKeyEndpoints)['apiKeys.create']>['body']
type Change = Input<(typeof apiKeyEndpoints)['apiKeys.update']>['body']
type Row = Selectable<KeyColumns>
/** The key's whole text, which is shown once. */
type Shown = { id: string; secret: string }

export async function createKey(
  db: Db,
  { actor, wanted, now }: { actor: UserActor; wanted: Creation; now: Date },
): Promise<Shown> {
  const { environment, name } = wanted
  await lockKeysOf(db, actor)
  await assertRoom(db, actor)
  await assertAllowed(db, { actor, wanted, environment, now })
  const id = newId()
  const { publicId, text } = await insertKey(db, { actor, id, wanted, now })
  await note(db, {
    actor,
    key: { organization_id: actor.organizationId, id },
    action: 'created',
    details: { name, key: prefixOf({ environment, publicId }), ...describe(wanted) },
  })
  return { id, secret: text }
}

type Insertion = { actor: UserActor; id: string; wanted: Creation; now: Date }

async function insertKey(db: Db, insertion: Insertion): Promise<{ publicId: string; text: string }> {
  const { actor, id, wanted, now } = insertion
  const publicId = newPublicId()
  const { text, hash, last4 } = newSecret({ environment: wanted.environment, publicId })
  const inserted = await db
    .insertInto('api_keys')
    .values({
      organization_id: actor.organizationId,
      id,
      account_id: actor.accountId,
      name: wanted.name,
      environment: wanted.environment,
      public_id: publicId,
      secret_hash: hash,
      last4,
      scopes: wanted.scopes,
      key_config_id: wanted.keyConfigId,
      ip_allowlist: wanted.ipAllowlist,
      created_at: now,
      expires_at: wanted.expiresAt,
    })
    .onConflict((conflict) => conflict.column('public_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  // Public ids are random, and short enough that two can be the same.
  return inserted ? { publicId, text } : insertKey(db, insertion)
}

export async function updateKey(
  db: Db,
  { actor, id, change, now }: { actor: UserActor; id: string; change: Change; now: Date },
): Promise<void> {
  await lockKeysOf(db, actor)
  const key = await lockOwnKey(db, { actor, id })
  await assertAllowed(db, { actor, wanted: change, environment: key.environment, except: id, now })
  const { name = key.name, scopes = key.scopes, ipAllowlist = key.ip_allowlist } = change
  const { keyConfigId = key.key_config_id, expiresAt = key.expires_at } = change
  await setKey(db, key, { name, scopes, ip_allowlist: ipAllowlist, key_config_id: keyConfigId, expires_at: expiresAt })
  await note(db, { actor, action: 'updated', key, details: { name, ...describe(change) } })
}

/** The new secret replaces the present one, which stays valid for some hours. The one before it ends at once. */
export async function regenerateKey(
  db: Db,
  { actor, id, graceHours, now }: { actor: UserActor; id: string; graceHours: number; now: Date },
): Promise<Shown> {
  const key = await lockOwnKey(db, { actor, id })
  if (key.expires_at && key.expires_at <= now) throw conflict('This API key has expired: set a later expiry first')
  const environment = ApiEnvironment.parse(key.environment)
  const { text, hash, last4 } = newSecret({ environment, publicId: key.public_id })
  await setKey(db, key, {
    secret_hash: hash,
    last4,
    previous_hash: key.secret_hash,
    grace_until: new Date(now.getTime() + graceHours * 3_600_000),
    regenerated_at: now,
  })
  await note(db, { actor, action: 'regenerated', key, details: { name: key.name, graceHours } })
  return { id, secret: text }
}

/** A key of the caller or of an account below. A second time, nothing changes. */
export async function deactivateKey(
  db: Db,
  { actor, id, now }: { actor: UserActor; id: string; now: Date },
): Promise<{ id: string; deactivatedAt: string }> {
  const key = await lockKey(db, { actor, id })
  if (key.deactivated_at) return { id, deactivatedAt: key.deactivated_at.toISOString() }
  await setKey(db, key, { deactivated_at: now })
  await note(db, { actor, action: 'deactivated', key, details: { name: key.name } })
  if (key.account_id !== actor.accountId) await notifyOwner(db, actor, key)
  return { id, deactivatedAt: now.toISOString() }
}

async function notifyOwner(db: Db, { username }: UserActor, key: Row): Promise<void> {
  await notify(db, [
    {
      organizationId: key.organization_id,
      accountId: key.account_id,
      kind: 'account_security',
      title: 'Your API key was deactivated',
      description: `${username} deactivated ${key.name}. Calls with it fail.`,
      eventKey: `api_key_deactivated:${key.id}`,
    },
  ])
}

async function setKey(db: Db, { organization_id, id }: Row, set: Updateable<KeyColumns>): Promise<void> {
  await db
    .updateTable('api_keys')
    .set(set)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Changes and regenerations are for owners: a new secret of someone else's key would act as them. */
async function lockOwnKey(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<Row> {
  const key = await lockKey(db, { actor, id })
  if (key.account_id !== actor.accountId)
    throw new Problem('forbidden', 'Only its owner can change an API key. You can deactivate it')
  if (key.deactivated_at) throw conflict('This API key is deactivated')
  return key
}

async function lockKey(db: Db, { actor: { scope }, id }: { actor: UserActor; id: string }): Promise<Row> {
  const { rows } = await sql<Row>`
    select key.* from api_keys key
    join accounts owner on owner.organization_id = key.organization_id and owner.id = key.account_id
    where key.id = ${id}::uuid and ${within(scope, 'owner.path')} for no key update of key`.execute(db)
  const [key] = rows
  if (!key) throw notFound('API key')
  return key
}

/** Serialises what adds and renames keys of an account, so that their number and names can be checked. */
async function lockKeysOf(db: Db, { accountId }: UserActor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api keys ${accountId}`}, 0))`.execute(db)
}

function liveKeys(db: Db, { organizationId, accountId }: UserActor) {
  return db
    .selectFrom('api_keys')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .where('deactivated_at', 'is', null)
}

async function assertRoom(db: Db, actor: UserActor): Promise<void> {
  const { count } = await liveKeys(db, actor)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maximumApiKeys)
    throw conflict(`An account has at most ${maximumApiKeys} API keys. Deactivate one you no longer need`)
}

type Wanted = {
  actor: UserActor
  wanted: Change
  environment: string
  /** The key that is changed. */
  except?: string
  now: Date
}

async function assertAllowed(db: Db, { actor, wanted, environment, except, now }: Wanted): Promise<void> {
  const { name, scopes, keyConfigId, expiresAt } = wanted
  if (scopes) assertUsable(actor, scopes)
  if (expiresAt && new Date(expiresAt) <= now) throw badField('expiresAt', 'Enter a time in the future')
  if (name !== undefined) await assertNameFree(db, { actor, name, except })
  if (!keyConfigId) return
  const config = await findOwnConfig(db, { actor, id: keyConfigId })
  if (!config) throw badField('keyConfigId', 'Key config not found')
  const { environment: only } = config.payload.binding
  if (only && only !== environment) throw badField('keyConfigId', `This key config is for ${only} keys`)
}

async function assertNameFree(
  db: Db,
  { actor, name, except }: { actor: UserActor; name: string; except: string | undefined },
): Promise<void> {
  const same = liveKeys(db, actor)
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${name})`)
  const taken = await (except === undefined ? same : same.where('id', '<>', except)).executeTakeFirst()
  if (taken) throw badField('name', 'Another of your API keys has this name')
}

type Note = {
  actor: UserActor
  key: Pick<Row, 'organization_id' | 'id'>
  action: string
  details: Record<string, string | number | null>
}

async function note(db: Db, { actor, key, action, details }: Note): Promise<void> {
  await recordAudit(db, {
    organizationId: key.organization_id,
    ...whoActs(actor),
    action: `api_key.${action}`,
    object: { type: 'api_key', id: key.id },
    details,
  })
}

function describe({ scopes, ipAllowlist, expiresAt, keyConfigId }: Change) {
  return {
    ...(scopes ? { scopes: scopes.join(', ') } : {}),
    ...(ipAllowlist ? { addresses: ipAllowlist.join(', ') || 'any' } : {}),
    ...(expiresAt === undefined ? {} : { expires: expiresAt ?? 'never' }),
    ...(keyConfigId === undefined ? {} : { keyConfig: keyConfigId ?? 'none' }),
  }
}
