import { truncate } from '@carillon/contract/text'
import type { FailedConnection } from '@carillon/contract/senders'
import { sql } from 'kysely'
import { z } from 'zod'
import { Refusal } from '../../channels/management.ts'
import { findProvider, listManagedProviders } from '../../channels/index.ts'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import { notify } from '../notifications/index.ts'
import { openAccount, type ProviderQueryDeps } from './open-account.ts'
import { findAccount, writeSteps, type AccountKey, type ProviderAccount } from './provider-accounts.ts'

const Failure = z.object({ code: z.string(), detail: z.string(), at: z.string() })

/** The provider refuses the credentials of a sender's account. */
export type RefusedSender = { organizationId: string; senderId: string; code: string; detail: string }

export type ConnectionFailureDeps = ProviderQueryDeps & {
  database: Database
  logger: Logger
  /** Resumes campaigns paused because of this account. */
  onConnectionRestored(db: Db, account: AccountKey): Promise<void>
}

/**
 * Marks the account of a sender as failed and notifies its owners, once until it works again. Returns whether the account can
 * be checked without sending: then its campaigns may be paused, because the check resumes them.
 */
export async function recordConnectionFailure(db: Db, refused: RefusedSender): Promise<{ canBeChecked: boolean }> {
  const { organizationId, senderId, code, detail } = refused
  const failure = { code, detail, at: new Date().toISOString() }
  const { rows } = await sql<{
    id: string
    name: string
    channel: string
    provider: string
    created_by: string | null
  }>`
    update provider_accounts account set failure = ${JSON.stringify(failure)}::jsonb
    from senders sender
    where sender.organization_id = ${organizationId}::uuid and sender.id = ${senderId}::uuid
      and account.organization_id = sender.organization_id and account.id = sender.provider_account_id
      and account.failure is null
    returning account.id, account.name, account.channel, account.provider, account.setup ->> 'createdBy' as created_by`.execute(
    db,
  )
  const [account] = rows
  if (!account) return { canBeChecked: await canBeChecked(db, refused) }
  const isCheckable = findProvider(account.provider)?.manage !== undefined
  if (isCheckable)
    await writeSteps(
      db,
      { organization_id: organizationId, id: account.id },
      {
        token: { state: 'failed', message: detail, at: failure.at },
      },
    )
  await notifyOwners(db, { organizationId, account, detail })
  return { canBeChecked: isCheckable }
}

async function canBeChecked(db: Db, { organizationId, senderId }: RefusedSender): Promise<boolean> {
  const row = await db
    .selectFrom('senders')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'senders.organization_id')
        .onRef('account.id', '=', 'senders.provider_account_id'),
    )
    .select('account.provider')
    .where('senders.organization_id', '=', organizationId)
    .where('senders.id', '=', senderId)
    .executeTakeFirst()
  return row !== undefined && findProvider(row.provider)?.manage !== undefined
}

type Failed = {
  organizationId: string
  account: { id: string; name: string; channel: string; created_by: string | null }
  detail: string
}

/** The manager of the organisation, and the account that connected it. */
async function notifyOwners(db: Db, { organizationId, account, detail }: Failed): Promise<void> {
  const at = Date.now()
  const owners = new Set([organizationId, account.created_by ?? organizationId])
  await notify(
    db,
    [...owners].map((accountId) => ({
      organizationId,
      accountId,
      kind: 'connection_failed' as const,
      title: `${account.name} cannot send`,
      description: truncate(`The provider refuses the credentials: ${detail}`, 500),
      link: { type: 'connection' as const, id: account.channel },
      eventKey: `connection_failed:${account.id}:${at}:${accountId}`,
    })),
  )
}

/** The sender's account works again; false when it had not failed. */
export async function clearConnectionFailure(db: Db, { organizationId, accountId }: AccountKey): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('provider_accounts')
    .set({ failure: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', accountId)
    .where('failure', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A message was accepted again. */
export async function clearSenderFailure(
  db: Db,
  { organizationId, senderId }: { organizationId: string; senderId: string },
): Promise<void> {
  await sql`update provider_accounts account set failure = null from senders sender
    where sender.organization_id = ${organizationId}::uuid and sender.id = ${senderId}::uuid
      and account.organization_id = sender.organization_id and account.id = sender.provider_account_id
      and account.failure is not null`.execute(db)
}

/** Failed accounts of all organisations that can be checked without sending. */
export async function listFailedKeys(db: Db): Promise<AccountKey[]> {
  const rows = await db
    .selectFrom('provider_accounts')
    .select(['organization_id', 'id'])
    .where('failure', 'is not', null)
    .where('secrets', 'is not', null)
    .where('provider', 'in', listManagedProviders())
    .execute()
  return rows.map(({ organization_id, id }) => ({ organizationId: organization_id, accountId: id }))
}

/** Checks a failed account, and resumes its campaigns if it works again. */
export async function recheckConnection(deps: ConnectionFailureDeps, key: AccountKey): Promise<void> {
  const account = await asSystem(deps.database, (db) => findAccount(db, key))
  if (!account?.failure) return
  if (await hasAccess(deps, account)) await asSystem(deps.database, (db) => restore(db, account, deps))
}

async function hasAccess(deps: ConnectionFailureDeps, account: ProviderAccount): Promise<boolean> {
  try {
    const access = await openAccount(account, deps).manage.access?.check()
    return access?.missing.length === 0
  } catch (error) {
    const isRefused = error instanceof Problem || (error instanceof Refusal && error.kind !== 'passing')
    if (!isRefused) throw error
    deps.logger.info({ providerAccount: account.id, reason: error.message }, 'a failed connection still fails')
    return false
  }
}

async function restore(db: Db, account: ProviderAccount, deps: ConnectionFailureDeps): Promise<void> {
  const key = { organizationId: account.organization_id, accountId: account.id }
  if (!(await clearConnectionFailure(db, key))) return
  const token = { state: 'passed' as const, message: 'The token works again', at: deps.io.clock.now().toISOString() }
  await writeSteps(db, account, { token })
  await deps.onConnectionRestored(db, key)
}

/** Accounts in scope whose credentials are rejected, newest first. */
export async function listFailedConnections(
  db: Db,
  { path, limit }: { path: string; limit: number },
): Promise<{ id: string; name: string; channel: string; account: string; detail: string; count: number }[]> {
  const { rows } = await sql<{
    id: string
    name: string
    channel: string
    account: string
    failure: unknown
    count: number
  }>`
    select connection.id, connection.name, connection.channel, organization.name as account, connection.failure,
      count(*) over () as count
    from provider_accounts connection
    join accounts organization on organization.organization_id = connection.organization_id
      and organization.id = connection.organization_id
    where connection.failure is not null and connection.secrets is not null and organization.path <@ ${path}::ltree
    order by connection.failure ->> 'at' desc
    limit ${limit}`.execute(db)
  return rows.map(({ failure, ...row }) => ({ ...row, detail: Failure.parse(failure).detail }))
}

const mostListed = 50

/** Those of one organisation, for its members. */
export async function listOwnFailedConnections(db: Db, organizationId: string): Promise<FailedConnection[]> {
  const rows = await db
    .selectFrom('provider_accounts')
    .select(['id', 'name', 'channel', 'failure'])
    .where('organization_id', '=', organizationId)
    .where('failure', 'is not', null)
    .where('secrets', 'is not', null)
    .orderBy(sql`failure ->> 'at'`, 'desc')
    .limit(mostListed)
    .execute()
  return rows.map(({ id, name, channel, failure }) => {
    const { detail, at } = Failure.parse(failure)
    return { _id: id, name, channel, detail, failedAt: at }
  })
}
