import type { apiKeyEndpoints } from '@carillon/contract/api-keys'
import type { Answer, Input } from '@carillon/contract/endpoint'
import { KeyConfigPayload, type KeyConfig } from '@carillon/contract/key-config-records'
import { paginate } from '@carillon/contract/paging'
import { sql, type RawBuilder } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import { notFound } from '../../lib/problem.ts'

type Query = Input<(typeof apiKeyEndpoints)['keyConfigs.list']>['query']
type Page = Answer<(typeof apiKeyEndpoints)['keyConfigs.list']>

type Row = {
  id: string
  payload: unknown
  account_id: string
  owner_name: string
  keys: number
  created_at: Date
  updated_at: Date
}

/** Configs and their owners. The caller sees those of accounts below. */
const configsOf = ({ scope }: UserActor) => sql`
  from key_configs config
  join accounts owner on owner.organization_id = config.organization_id and owner.id = config.account_id and ${within(scope, 'owner.path')}`

export async function listConfigs(db: Db, { actor, query }: { actor: UserActor; query: Query }): Promise<Page> {
  const pattern = query.search && `%${query.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const matching = sql<boolean>`(${pattern ?? null}::text is null or config.name ilike ${pattern ?? null})`
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total ${configsOf(actor)} where ${matching}`.execute(db)
  return {
    data: await readConfigs(db, { actor, matching, page: query }),
    pagination: paginate(query, counted[0]?.total ?? 0),
  }
}

export async function getConfig(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<KeyConfig> {
  const [config] = await readConfigs(db, { actor, matching: sql`config.id = ${id}::uuid`, page: { page: 1, limit: 1 } })
  if (!config) throw notFound('Key config')
  return config
}

type Read = { actor: UserActor; matching: RawBuilder<boolean>; page: { page: number; limit: number } }

async function readConfigs(db: Db, { actor, matching, page: { page, limit } }: Read): Promise<KeyConfig[]> {
  const { rows } = await sql<Row>`
    select config.id, config.payload, config.account_id, owner.name as owner_name, config.created_at, config.updated_at,
      (select count(*) from api_keys key where key.organization_id = config.organization_id and key.key_config_id = config.id
        and key.deactivated_at is null) as keys
    ${configsOf(actor)}
    where ${matching} order by lower(config.name), config.id limit ${limit} offset ${(page - 1) * limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    payload: KeyConfigPayload.parse(row.payload),
    createdBy: { _id: row.account_id, name: row.owner_name },
    isOwn: row.account_id === actor.accountId,
    keys: row.keys,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
}

/** A config of the caller, which is not deleted until the transaction ends. */
export async function findOwnConfig(
  db: Db,
  { actor: { organizationId, accountId }, id }: { actor: UserActor; id: string },
): Promise<{ payload: KeyConfigPayload } | undefined> {
  const row = await db
    .selectFrom('key_configs')
    .select('payload')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return row && { payload: KeyConfigPayload.parse(row.payload) }
}
