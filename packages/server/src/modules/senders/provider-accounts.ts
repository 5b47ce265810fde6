import type { Channel } from '@carillon/contract/channels'
import { sql, type Selectable, type UpdateObject } from 'kysely'
import { z } from 'zod'
import { getChannel, listManagedProviders } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import type { DB, ProviderAccounts } from '../../db/schema.ts'
import { conflict, notFound } from '../../lib/problem.ts'

const FinishedStep = z.object({ state: z.enum(['waiting', 'passed', 'failed']), message: z.string(), at: z.string() })
export type FinishedStep = z.infer<typeof FinishedStep>
export type StepResult = Omit<FinishedStep, 'at'>

/** Progress of an account's connection, as stored in `provider_accounts.setup`. Channels may store more in it. */
const Setup = z.looseObject({
  /** By name; names are defined by the channel, except `token`, `webhook` and `test`, which this module completes. */
  steps: z.record(z.string(), FinishedStep).default({}),
  /** The message whose delivery report the step `test` waits for. */
  test: z.object({ messageId: z.string(), phoneNumber: z.string() }).optional(),
  createdBy: z.string().optional(),
  disconnectedAt: z.string().optional(),
})
type Setup = z.infer<typeof Setup>

/** An account with lines: the provider has an id for it, and lists its senders. */
export type ProviderAccount = Omit<Selectable<ProviderAccounts>, 'setup' | 'config' | 'external_id'> & {
  external_id: string
  setup: Setup
  config: Record<string, unknown>
}

export const AccountKey = z.object({ organizationId: z.string(), accountId: z.string() })
export type AccountKey = z.infer<typeof AccountKey>

/** Rows of the scope's organisation, and for admins and resellers of those below. */
export function accountsInScope(scope: Scope, column: string) {
  return scope.descends ? sql<boolean>`app_descends_to(${sql.ref(column)})` : ofOrganization(scope, column)
}

type Which = {
  channel: Channel
  id?: string | undefined
  externalId?: string | undefined
  /** Disconnected accounts instead of connected ones. */
  isDisconnected?: boolean
}

export async function listAccounts(db: Db, scope: Scope, which: Which): Promise<ProviderAccount[]> {
  const { channel, id, externalId, isDisconnected = false } = which
  const rows = await db
    .selectFrom('provider_accounts')
    .selectAll()
    .where(accountsInScope(scope, 'organization_id'))
    .where('channel', '=', channel)
    .where('external_id', 'is not', null)
    .where(sql<boolean>`(setup ? 'disconnectedAt') = ${isDisconnected}`)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(externalId !== undefined, (query) => query.where('external_id', '=', externalId ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(readAccount)
}

export async function getAccount(db: Db, scope: Scope, which: Which): Promise<ProviderAccount> {
  const [account] = await listAccounts(db, scope, which)
  if (!account) throw notFound(getChannel(which.channel).accounts.name)
  return account
}

/** An account for jobs and callbacks, which have no scope; undefined once it was disconnected. */
export async function findAccount(
  db: Db,
  { organizationId, accountId }: AccountKey,
): Promise<ProviderAccount | undefined> {
  const row = await db
    .selectFrom('provider_accounts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', accountId)
    .where('secrets', 'is not', null)
    .executeTakeFirst()
  return row && readAccount(row)
}

/** The account of a sender, for jobs; undefined once it was disconnected. */
export async function findAccountOfSender(
  db: Db,
  { organizationId, senderId }: { organizationId: string; senderId: string },
): Promise<ProviderAccount | undefined> {
  const sender = await db
    .selectFrom('senders')
    .select('provider_account_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', senderId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return sender && findAccount(db, { organizationId, accountId: sender.provider_account_id })
}

/** Every connected account of all organisations with management calls. */
export async function listManagedAccounts(db: Db): Promise<AccountKey[]> {
  const rows = await db
    .selectFrom('provider_accounts')
    .select(['organization_id', 'id'])
    .where('provider', 'in', listManagedProviders())
    .where('secrets', 'is not', null)
    .execute()
  return rows.map(({ organization_id, id }) => ({ organizationId: organization_id, accountId: id }))
}

export function readAccount(row: Selectable<ProviderAccounts>): ProviderAccount {
  const { external_id, setup, config } = row
  return {
    ...row,
    external_id: external_id ?? '',
    setup: Setup.parse(setup),
    // Only objects are ever stored there.
    config: config as Record<string, unknown>,
  }
}

/**
 * Locks an account before a provider's response is stored. Secrets are encrypted anew whenever a connection is changed or
 * disconnected, so equal ciphertexts show that it is still the account that was queried.
 */
export async function lockUnchanged(db: Db, { organization_id, id, secrets, channel }: ProviderAccount): Promise<void> {
  const row = await db
    .selectFrom('provider_accounts')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('secrets', 'is not distinct from', secrets)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw conflict(`This ${getChannel(channel).accounts.name} was just changed: reload it`)
}

type RowKey = { organization_id: string; id: string }

export async function updateAccountRow(
  db: Db,
  { organization_id, id }: RowKey,
  change: UpdateObject<DB, 'provider_accounts'>,
): Promise<void> {
  await db
    .updateTable('provider_accounts')
    .set({ ...change, updated_at: new Date() })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Stores the provider's description of an account. */
export async function saveAccountFacts(db: Db, { organization_id, id }: RowKey, facts: object): Promise<void> {
  await db
    .updateTable('provider_accounts')
    .set({ facts: JSON.stringify(facts) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Stores the results of some steps; other steps are unchanged, even if they are written at the same time. */
export async function writeSteps(
  db: Db,
  { organization_id, id }: RowKey,
  steps: Record<string, FinishedStep>,
): Promise<void> {
  await sql`
    update provider_accounts
    set setup = setup || jsonb_build_object('steps', coalesce(setup -> 'steps', '{}') || ${JSON.stringify(steps)}::jsonb)
    where organization_id = ${organization_id}::uuid and id = ${id}::uuid`.execute(db)
}

/** Stores that the provider verified the callback URL, which is therefore reachable. */
export async function noteHandshake(db: Db, { organizationId, accountId }: AccountKey, at: Date): Promise<void> {
  const message = 'The callback URL was verified'
  await writeSteps(
    db,
    { organization_id: organizationId, id: accountId },
    { webhook: { state: 'passed', message, at: at.toISOString() } },
  )
}
