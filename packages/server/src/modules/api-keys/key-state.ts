import { timingSafeEqual } from 'node:crypto'
import { ApiEnvironment, type ApiKeyProblem } from '@carillon/contract/api-key-records'
import { ApiScope } from '@carillon/contract/api-scopes'
import { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { sql, type RawBuilder } from 'kysely'
import type { ApiKeyActor, UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import { createNetworkCheck } from '../../lib/networks.ts'
import { actorColumns, presentActor, type ActorRow } from '../auth/index.ts'
import { prefixOf } from './key-text.ts'

/** A key with its owner, as they are now. */
export type KeyState = {
  secretHash: Buffer
  /** That of the secret before the last regeneration. */
  previousHash: Buffer | null
  graceUntil: Date | null
  expiresAt: Date | null
  deactivatedAt: Date | null
  keyConfigId: string | null
  ownerName: string
  ownerStatus: string
  mayBeUsedFrom(address: string): boolean
  actor: UserActor & { apiKey: ApiKeyActor }
}

type Row = ActorRow & {
  key_id: string
  name: string
  environment: string
  public_id: string
  secret_hash: Buffer
  previous_hash: Buffer | null
  grace_until: Date | null
  scopes: string[]
  ip_allowlist: string[]
  expires_at: Date | null
  deactivated_at: Date | null
  key_config_id: string | null
  payload: unknown
}

/** Finds a key by its public id; `isVisible` limits by the path of its owner's `account`. */
export async function findKeyState(
  db: Db,
  publicId: string,
  isVisible: RawBuilder<boolean> = sql`true`,
): Promise<KeyState | undefined> {
  const { rows } = await sql<Row>`
    select ${actorColumns}, key.id as key_id, account.name, key.environment, key.public_id, key.secret_hash, key.previous_hash,
      key.grace_until, key.scopes, key.ip_allowlist, key.expires_at, key.deactivated_at, key.key_config_id, config.payload
    from api_keys key
    join accounts account on account.organization_id = key.organization_id and account.id = key.account_id
    left join key_configs config on config.organization_id = key.organization_id and config.id = key.key_config_id
    cross join lateral account_status_of(account.path) as effective_status
    where key.public_id = ${publicId} and ${isVisible}`.execute(db)
  return rows[0] && presentState(rows[0])
}

function presentState(row: Row): KeyState {
  const config = row.payload === null ? undefined : KeyConfigPayload.parse(row.payload)
  const environment = ApiEnvironment.parse(row.environment)
  const isInOwnList = createNetworkCheck(row.ip_allowlist)
  const isInConfigList = createNetworkCheck(config?.filters.ipAllowlist ?? [])
  return {
    secretHash: row.secret_hash,
    previousHash: row.previous_hash,
    graceUntil: row.grace_until,
    expiresAt: row.expires_at,
    deactivatedAt: row.deactivated_at,
    keyConfigId: row.key_config_id,
    ownerName: row.name,
    ownerStatus: row.effective_status,
    mayBeUsedFrom: (address) => isInOwnList(address) && isInConfigList(address),
    actor: {
      ...presentActor(row),
      apiKey: {
        id: row.key_id,
        prefix: prefixOf({ environment, publicId: row.public_id }),
        environment,
        scopes: new Set(parseScopes(row.scopes)),
        config,
      },
    },
  }
}

/** A later release may have scopes that this one does not know. */
export function parseScopes(scopes: readonly string[]): ApiScope[] {
  return scopes.flatMap((scope) => ApiScope.safeParse(scope).data ?? [])
}

export type KeyUse = { hash: Buffer; now: Date; address?: string | undefined; scope?: ApiScope | undefined }

/** Why the key is not accepted; undefined if it is. What the use does not name is not checked. */
export function judgeKey(state: KeyState, use: KeyUse): ApiKeyProblem | undefined {
  return judgeSecret(state, use) ?? judgeUse(state, use)
}

/** The same for a key that is named in place of its secret. */
export function judgeNamedKey(state: KeyState, use: Omit<KeyUse, 'hash'>): ApiKeyProblem | undefined {
  if (state.deactivatedAt) return 'deactivated'
  if (state.expiresAt && !isAfter(state.expiresAt, use.now)) return 'expired'
  return judgeUse(state, use)
}

function judgeSecret(state: KeyState, { hash, now }: KeyUse): ApiKeyProblem | undefined {
  const isCurrent = timingSafeEqual(state.secretHash, hash)
  const isPrevious = timingSafeEqual(state.previousHash ?? state.secretHash, hash)
  if (!isCurrent && !isPrevious) return 'unknown'
  if (state.deactivatedAt) return 'deactivated'
  if (!isCurrent && !isAfter(state.graceUntil, now)) return 'revoked'
  return state.expiresAt && !isAfter(state.expiresAt, now) ? 'expired' : undefined
}

function judgeUse(
  { actor, ownerStatus, mayBeUsedFrom }: KeyState,
  { address, scope }: Omit<KeyUse, 'hash'>,
): ApiKeyProblem | undefined {
  if (ownerStatus !== 'active') return 'account_suspended'
  if (!actor.modules.has('api')) return 'module_missing'
  if (address !== undefined && !mayBeUsedFrom(address)) return 'ip_not_allowed'
  return scope !== undefined && !actor.apiKey.scopes.has(scope) ? 'scope_missing' : undefined
}

function isAfter(time: Date | null, now: Date): boolean {
  return time !== null && time > now
}
