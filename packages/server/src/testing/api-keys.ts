import type { EndpointName } from '@carillon/contract'
import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import { ApiScope } from '@carillon/contract/api-scopes'
import { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { sql } from 'kysely'
import type { z } from 'zod'
import { asSystem, type Database, type Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { newPublicId, newSecret } from '../modules/api-keys/key-text.ts'
import type { Account } from './builders.ts'
import type { UncheckedOptions } from './server.ts'

type KeyOptions = {
  id?: string
  name?: string
  environment?: ApiEnvironment
  scopes?: readonly ApiScope[]
  /** A key config with this payload; its name is that of the key. */
  config?: Omit<z.input<typeof KeyConfigPayload>, 'binding'>
  ipAllowlist?: readonly string[]
  expiresAt?: Date
  deactivatedAt?: Date
}

export type TestKey = { id: string; token: string; configId: string | undefined }

/** An API key with every scope, written directly to the tables. */
export const buildKey = (database: Database, owner: Account, options?: KeyOptions): Promise<TestKey> =>
  asSystem(database, (db) => insertKey(db, owner, options))

async function insertKey(db: Db, owner: Account, options: KeyOptions = {}): Promise<TestKey> {
  const { id = newId(), environment = 'live', scopes = ApiScope.options } = options
  const name = options.name ?? `Key ${id}`
  const configId = options.config && newId()
  if (configId) await insertConfig(db, owner, { id: configId, name, config: options.config })
  const publicId = newPublicId()
  const { text, hash, last4 } = newSecret({ environment, publicId })
  await db
    .insertInto('api_keys')
    .values({
      organization_id: owner.organizationId,
      id,
      account_id: owner.id,
      name,
      environment,
      public_id: publicId,
      secret_hash: hash,
      last4,
      scopes: [...scopes],
      key_config_id: configId ?? null,
      ip_allowlist: [...(options.ipAllowlist ?? [])],
      expires_at: options.expiresAt ?? null,
      deactivated_at: options.deactivatedAt ?? null,
    })
    .execute()
  return { id, token: text, configId }
}

async function insertConfig(
  db: Db,
  { organizationId, id: account_id }: Account,
  { id, name, config }: { id: string; name: string; config?: KeyOptions['config'] },
): Promise<void> {
  const payload = JSON.stringify(KeyConfigPayload.parse({ binding: { name }, ...config }))
  await db
    .insertInto('key_configs')
    .values({ organization_id: organizationId, id, account_id, name, payload })
    .execute()
}

/** A key and a key config of the account, which are not used together. */
export async function addKeys(db: Db, owner: Account, own: Record<'mark' | 'apiKey' | 'keyConfig', string>) {
  await insertKey(db, owner, { id: own.apiKey, name: `Key ${own.mark} ${own.apiKey}` })
  await insertConfig(db, owner, { id: own.keyConfig, name: `Config ${own.mark} ${own.keyConfig}` })
}

/** A call of the key above, which sent a message of the account. */
export async function addApiRequest(
  db: Db,
  { organizationId, id: account_id }: Account,
  own: Record<'mark' | 'apiKey' | 'apiRequest' | 'singleSend', string>,
) {
  await db
    .insertInto('api_requests')
    .values({
      organization_id: organizationId,
      id: own.apiRequest,
      created_on: sql`current_date`,
      created_at: new Date(),
      account_id,
      api_key_id: own.apiKey,
      environment: 'live',
      call: 'publicMessages.send',
      method: 'POST',
      path: '/api/public/v1/messages',
      http_status: 200,
      duration_ms: 12,
      client_address: '203.0.113.7',
      idempotency_key: `Key ${own.mark}`,
      is_replay: false,
      messages: 1,
      accepted: 1,
      refused: 0,
      message_ids: [own.singleSend],
      request_body: JSON.stringify({ text: own.mark }),
    })
    .execute()
}

const config = () => ({ binding: { name: `Config ${newId()}` }, channels: { default: 'sms' } })

/** Valid input of the calls for API keys. */
export const apiKeySamples: Partial<Record<EndpointName, () => UncheckedOptions>> = {
  'apiKeys.create': () => ({ body: { name: `Shop ${newId()}`, environment: 'live', scopes: ['balance:read'] } }),
  'apiKeys.validate': () => ({ body: { key: `carillon_live_${'0'.repeat(8)}_${'0'.repeat(64)}_00000000` } }),
  'apiKeys.update': () => ({ body: { name: `Shop ${newId()}` } }),
  'apiKeys.regenerate': () => ({ body: {} }),
  'keyConfigs.create': () => ({ body: config() }),
  'keyConfigs.update': () => ({ body: config() }),
}
