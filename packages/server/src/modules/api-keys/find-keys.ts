import { ApiEnvironment, ApiKeyStatus, type ApiKey } from '@carillon/contract/api-key-records'
import type { apiKeyEndpoints } from '@carillon/contract/api-keys'
import type { Answer, Input } from '@carillon/contract/endpoint'
import { paginate } from '@carillon/contract/paging'
import { sql, type RawBuilder } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import { notFound } from '../../lib/problem.ts'
import { parseScopes } from './key-state.ts'
import { prefixOf } from './key-text.ts'

type Query = Input<(typeof apiKeyEndpoints)['apiKeys.list']>['query']
type Page = Answer<(typeof apiKeyEndpoints)['apiKeys.list']>

type Row = {
  id: string
  name: string
  environment: string
  public_id: string
  last4: string
  status: string
  scopes: string[]
  key_config_id: string | null
  ip_allowlist: string[]
  account_id: string
  owner_name: string
  created_at: Date
  regenerated_at: Date | null
  grace_until: Date | null
  expires_at: Date | null
  deactivated_at: Date | null
  last_used_at: Date | null
  last_used_ip: string | null
  today: number
  month: number
}

/** A key is marked as expiring for this long. */
const expiringDays = 14

const statusAt = (now: Date) => sql`case
  when key.deactivated_at is not null then 'deactivated'
  when key.expires_at <= ${now} then 'expired'
  when key.expires_at <= ${new Date(now.getTime() + expiringDays * 86_400_000)} then 'expiring'
  else 'active' end`

/** Keys and their owners. The caller sees those of accounts below. */
const keysOf = ({ scope }: Pick<UserActor, 'scope'>) => sql`
  from api_keys key
  join accounts owner on owner.organization_id = key.organization_id and owner.id = key.account_id and ${within(scope, 'owner.path')}`

export async function listKeys(
  db: Db,
  { actor, query, now }: { actor: UserActor; query: Query; now: Date },
): Promise<Page> {
  const matching = matches(query, now)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total ${keysOf(actor)} where ${matching}`.execute(db)
  const keys = await readKeys(db, { actor, now, matching, page: query })
  return { data: keys, pagination: paginate(query, counted[0]?.total ?? 0) }
}

function matches({ search, environment, status }: Query, now: Date): RawBuilder<boolean> {
  const conditions = [
    sql`true`,
    ...(search ? [matchesText(search)] : []),
    ...(environment ? [sql`key.environment = ${environment}`] : []),
    ...(status ? [sql`${statusAt(now)} = ${status}`] : []),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** By a part of the name, or by the public id, alone or as the key's text begins. */
function matchesText(search: string): RawBuilder<unknown> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const publicId = /^(?:carillon_(?:test|live)_)?([\da-f]{8})$/.exec(search)?.[1]
  return sql`(key.name ilike ${pattern} or key.public_id = ${publicId ?? null})`
}

export async function getKey(db: Db, { actor, id, now }: { actor: UserActor; id: string; now: Date }): Promise<ApiKey> {
  const [key] = await readKeys(db, { actor, now, matching: sql`key.id = ${id}::uuid`, page: { page: 1, limit: 1 } })
  if (!key) throw notFound('API key')
  return key
}

type Read = { actor: UserActor; now: Date; matching: RawBuilder<boolean>; page: { page: number; limit: number } }

async function readKeys(db: Db, { actor, now, matching, page: { page, limit } }: Read): Promise<ApiKey[]> {
  const { rows } = await sql<Row>`
    select key.*, ${statusAt(now)} as status, owner.name as owner_name, latest.last_used_at, host(latest.last_used_ip) as last_used_ip,
      used.today, used.month
    ${keysOf(actor)}
    cross join lateral local_day(${now}::timestamptz, organization_zone(key.organization_id)) as today
    left join lateral (
      select last_used_at, last_used_ip from api_key_days day
      where day.organization_id = key.organization_id and day.api_key_id = key.id order by day.day desc limit 1
    ) latest on true
    cross join lateral (
      select coalesce(sum(requests) filter (where day.day = today), 0) as today, coalesce(sum(requests), 0) as month from api_key_days day
      where day.organization_id = key.organization_id and day.api_key_id = key.id and day.day >= date_trunc('month', today)::date
    ) used
    where ${matching}
    order by (key.deactivated_at is not null), key.created_at desc, key.id desc
    limit ${limit} offset ${(page - 1) * limit}`.execute(db)
  return rows.map((row) => presentKey(row, { actor, now }))
}

function presentKey(row: Row, { actor, now }: { actor: UserActor; now: Date }): ApiKey {
  const environment = ApiEnvironment.parse(row.environment)
  const isInGrace = row.grace_until !== null && row.grace_until > now && row.deactivated_at === null
  return {
    id: row.id,
    name: row.name,
    environment,
    prefix: prefixOf({ environment, publicId: row.public_id }),
    last4: row.last4,
    status: ApiKeyStatus.parse(row.status),
    scopes: parseScopes(row.scopes),
    keyConfigId: row.key_config_id,
    ipAllowlist: row.ip_allowlist,
    createdBy: { _id: row.account_id, name: row.owner_name },
    isOwn: row.account_id === actor.accountId,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: textOf(row.last_used_at),
    lastUsedIp: row.last_used_ip,
    expiresAt: textOf(row.expires_at),
    deactivatedAt: textOf(row.deactivated_at),
    regeneratedAt: textOf(row.regenerated_at),
    graceUntil: isInGrace ? textOf(row.grace_until) : null,
    usage: { today: row.today, month: row.month },
  }
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null
}
