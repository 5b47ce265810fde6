import { maximumKeyConfigs, type KeyConfigPayload } from '@carillon/contract/key-config-records'
import { sql, type Selectable } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { KeyConfigs } from '../../db/schema.ts'
import { within } from '../../db/scope.ts'
import { refuseDuplicate } from '../../db/refuse-duplicate.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict, notFound, Problem } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { checkConfig } from './check-config.ts'

type Row = Selectable<KeyConfigs>

export async function createConfig(
  db: Db,
  { actor, payload, now }: { actor: UserActor; payload: KeyConfigPayload; now: Date },
): Promise<string> {
  await assertRoom(db, actor)
  await checkConfig(db, actor, payload)
  const id = newId()
  const { organizationId: organization_id, accountId: account_id } = actor
  const { name } = payload.binding
  const values = {
    organization_id,
    id,
    account_id,
    name,
    payload: JSON.stringify(payload),
    created_at: now,
    updated_at: now,
  }
  await refuseDuplicate(db.insertInto('key_configs').values(values).execute(), nameTaken())
  await note(db, { actor, action: 'created', id, name })
  return id
}

export async function updateConfig(
  db: Db,
  { actor, id, payload, now }: { actor: UserActor; id: string; payload: KeyConfigPayload; now: Date },
): Promise<void> {
  const config = await lockOwnConfig(db, { actor, id })
  await checkConfig(db, actor, payload)
  await assertFitsKeys(db, config, payload)
  const { name } = payload.binding
  const changing = db
    .updateTable('key_configs')
    .set({ name, payload: JSON.stringify(payload), updated_at: now })
    .where('organization_id', '=', config.organization_id)
    .where('id', '=', id)
    .execute()
  await refuseDuplicate(changing, nameTaken())
  await note(db, { actor, action: 'updated', id, name })
}

export async function deleteConfig(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<void> {
  const config = await lockOwnConfig(db, { actor, id })
  const live = await keysWith(db, config)
    .where('deactivated_at', 'is', null)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (live.count > 0)
    throw conflict(live.count === 1 ? 'An API key uses this key config' : `${live.count} API keys use this key config`)
  await db
    .updateTable('api_keys')
    .set({ key_config_id: null })
    .where('organization_id', '=', config.organization_id)
    .where('key_config_id', '=', id)
    .execute()
  await db
    .deleteFrom('key_configs')
    .where('organization_id', '=', config.organization_id)
    .where('id', '=', id)
    .execute()
  await note(db, { actor, action: 'deleted', id, name: config.name })
}

const nameTaken = () => badField('binding.name', 'Another of your key configs has this name')

function keysWith(db: Db, { organization_id, id }: Row) {
  return db.selectFrom('api_keys').where('organization_id', '=', organization_id).where('key_config_id', '=', id)
}

async function assertFitsKeys(db: Db, config: Row, { binding }: KeyConfigPayload): Promise<void> {
  if (!binding.environment) return
  const other = await keysWith(db, config)
    .where('deactivated_at', 'is', null)
    .where('environment', '<>', binding.environment)
    .select('name')
    .executeTakeFirst()
  if (other)
    throw badField('binding.environment', `The API key ${other.name} uses it, and is not a ${binding.environment} key`)
}

async function lockOwnConfig(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<Row> {
  const { rows } = await sql<Row>`
    select config.* from key_configs config
    join accounts owner on owner.organization_id = config.organization_id and owner.id = config.account_id
    where config.id = ${id}::uuid and ${within(actor.scope, 'owner.path')} for update of config`.execute(db)
  const [config] = rows
  if (!config) throw notFound('Key config')
  if (config.account_id !== actor.accountId) throw new Problem('forbidden', 'Only its owner can change a key config')
  return config
}

/** Concurrent creations wait for each other, so that the limit holds. */
async function assertRoom(db: Db, { organizationId, accountId }: UserActor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`key configs ${accountId}`}, 0))`.execute(db)
  const { count } = await db
    .selectFrom('key_configs')
    .select(sql<number>`count(*)`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (count >= maximumKeyConfigs)
    throw conflict(`An account has at most ${maximumKeyConfigs} key configs. Delete one you no longer need`)
}

type Note = { actor: UserActor; action: string; id: string; name: string }

async function note(db: Db, { actor, action, id, name }: Note): Promise<void> {
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: `key_config.${action}`,
    object: { type: 'key_config', id },
    details: { name },
  })
}
