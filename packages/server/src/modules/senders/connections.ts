import { findProvider } from '../../channels/index.ts'
import type { Provider } from '../../channels/provider.ts'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { joinSecrets, parseConfig } from './provider-config.ts'

export type ConnectionDeps = { database: Database; secretBox: SecretBox; callbackUrl(key: string): string }

/** How a sender reaches its provider, secrets and all; for the engine alone. */
export type SenderConnection = {
  organizationId: string
  senderId: string
  provider: Provider<unknown>
  config: unknown
  ratePerSecond: number
  callbackUrl: string
  idempotent: boolean
}

type Key = { organizationId: string; senderId: string }

export async function loadConnection(
  { database, secretBox, callbackUrl }: ConnectionDeps,
  { organizationId, senderId }: Key,
): Promise<SenderConnection> {
  const row = await asSystem(database, (db) =>
    connections(db)
      .where('senders.organization_id', '=', organizationId)
      .where('senders.id', '=', senderId)
      .executeTakeFirstOrThrow(),
  )
  return open(row, { secretBox, callbackUrl })
}

/** The account behind a callback address; undefined for a key that is nobody's. */
export async function findCallbackTarget(
  { database, secretBox, callbackUrl }: ConnectionDeps,
  callbackKey: string,
): Promise<SenderConnection | undefined> {
  if (!/^[0-9a-f]{64}$/.test(callbackKey)) return undefined
  const row = await asSystem(database, (db) =>
    connections(db).where('provider_accounts.callback_key', '=', callbackKey).executeTakeFirst(),
  )
  return row && open(row, { secretBox, callbackUrl })
}

function connections(db: Db) {
  return db
    .selectFrom('senders')
    .innerJoin('provider_accounts', (join) =>
      join
        .onRef('provider_accounts.organization_id', '=', 'senders.organization_id')
        .onRef('provider_accounts.id', '=', 'senders.provider_account_id'),
    )
    .select([
      'senders.organization_id',
      'senders.id',
      'senders.rate_per_second',
      'provider_accounts.id as account_id',
      'provider',
      'config',
      'secrets',
      'callback_key',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof connections>['executeTakeFirstOrThrow']>>

function open(row: Row, { secretBox, callbackUrl }: Omit<ConnectionDeps, 'database'>): SenderConnection {
  const provider = findProvider(row.provider)
  if (!provider) throw new Error(`This program has no provider ${row.provider}`)
  const secrets = row.secrets
    ? secretBox.open(row.secrets, {
        table: 'provider_accounts',
        organizationId: row.organization_id,
        id: row.account_id,
      })
    : {}
  // Written by write-account.ts, which keeps objects only.
  const config = parseConfig(provider, joinSecrets(row.config as Record<string, unknown>, secrets))
  return {
    organizationId: row.organization_id,
    senderId: row.id,
    provider,
    config,
    ratePerSecond: row.rate_per_second,
    callbackUrl: callbackUrl(row.callback_key),
    idempotent: provider.idempotent(config),
  }
}
