import { findProvider } from '../../channels/index.ts'
import type { Provider } from '../../channels/provider.ts'
import { asSystem, eachAsSystem, type Database, type Db } from '../../db/pool.ts'
import { lookUpTogether } from '../../lib/look-up-together.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { sql } from 'kysely'
import { joinSecrets, parseConfig } from './provider-config.ts'

export type ConnectionDeps = { database: Database; secretBox: SecretBox; callbackUrl(key: string): string }

/** An opened provider account, including its secrets. For the engine, callbacks and management calls. */
export type OpenAccount = {
  organizationId: string
  accountId: string
  provider: Provider<unknown>
  config: unknown
  callbackUrl: string
}

/** How a sender connects to its provider; for the engine only. */
export type SenderConnection = OpenAccount & {
  senderId: string
  /** The sender's own id at the provider, where an account has several. */
  lineId: string | undefined
  ratePerSecond: number
  idempotent: boolean
}

/** The account of a callback URL, and the senders that its events may concern. */
export type CallbackTarget = OpenAccount & { lines: Line[] }

/** A sender and its id at the provider; undefined for the only one of an account. */
export type Line = {
  senderId: string
  lineId: string | undefined
  /** Replies may be charged. */ chargesReplies: boolean
}

export async function loadConnection(
  deps: ConnectionDeps,
  { organizationId, senderId }: { organizationId: string; senderId: string },
): Promise<SenderConnection> {
  const row = await asSystem(deps.database, (db) =>
    accounts(db)
      .innerJoin('senders', (join) =>
        join
          .onRef('senders.organization_id', '=', 'account.organization_id')
          .onRef('senders.provider_account_id', '=', 'account.id'),
      )
      .select(['senders.id as sender_id', 'senders.external_id as line_id', 'rate_per_second'])
      .where('senders.organization_id', '=', organizationId)
      .where('senders.id', '=', senderId)
      .executeTakeFirstOrThrow(),
  )
  const account = openRow(row, deps)
  return {
    ...account,
    senderId: row.sender_id,
    lineId: row.line_id ?? undefined,
    ratePerSecond: row.rate_per_second,
    idempotent: account.provider.idempotent(account.config),
  }
}

/** Finds the account of a callback URL; undefined for an unknown key. Callbacks that arrive together are looked up together. */
export function createCallbackLookup(deps: ConnectionDeps): (key: string) => Promise<CallbackTarget | undefined> {
  const find = lookUpTogether((keys) => findAccounts(deps.database, keys))
  return async (key) => {
    if (!/^[0-9a-f]{64}$/.test(key)) return undefined
    const rows = await find(key)
    const [account] = rows ?? []
    if (!rows || !account) return undefined
    const lines = rows.flatMap(({ sender_id: senderId, line_id, charges_replies }) =>
      senderId === null ? [] : [{ senderId, lineId: line_id ?? undefined, chargesReplies: charges_replies }],
    )
    return { ...openRow(account, deps), lines }
  }
}

type AccountOfCallback = AccountRow & { sender_id: string | null; line_id: string | null; charges_replies: boolean }

/** The accounts with these callback keys; several rows if an account has several senders. */
async function findAccounts(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AccountOfCallback[]>> {
  const rows = await eachAsSystem(database, (db) =>
    accounts(db)
      .leftJoin('senders', (join) =>
        join
          .onRef('senders.organization_id', '=', 'account.organization_id')
          .onRef('senders.provider_account_id', '=', 'account.id'),
      )
      .select(['senders.id as sender_id', 'senders.external_id as line_id'])
      .select(sql<boolean>`senders.conversation_category is not null`.as('charges_replies'))
      .where('account.callback_key', '=', sql<string>`any(${keys})`)
      .orderBy('senders.created_at')
      .execute(),
  )
  return Map.groupBy(rows, ({ callback_key }) => callback_key)
}

/** The columns from which an account is opened. */
export type AccountRow = {
  organization_id: string
  id: string
  provider: string
  config: unknown
  secrets: Buffer | null
  callback_key: string
}

function accounts(db: Db) {
  return db
    .selectFrom('provider_accounts as account')
    .select([
      'account.organization_id',
      'account.id',
      'account.provider',
      'account.config',
      'account.secrets',
      'account.callback_key',
    ])
}

export function openRow(row: AccountRow, { secretBox, callbackUrl }: Omit<ConnectionDeps, 'database'>): OpenAccount {
  const provider = findProvider(row.provider)
  if (!provider) throw new Error(`This version has no provider ${row.provider}`)
  const place = { table: 'provider_accounts', organizationId: row.organization_id, id: row.id }
  const secrets = row.secrets ? secretBox.open(row.secrets, place) : {}
  return {
    organizationId: row.organization_id,
    accountId: row.id,
    provider,
    // Only objects are ever stored there.
    config: parseConfig(provider, joinSecrets(row.config as Record<string, unknown>, secrets)),
    callbackUrl: callbackUrl(row.callback_key),
  }
}
