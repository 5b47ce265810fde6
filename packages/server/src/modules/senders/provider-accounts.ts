import type { ConnectionStep } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import { Refusal, type LineFacts, type Management } from '../../channels/management.ts'
import type { WhatsappManagement } from '../../channels/whatsapp/management.ts'
import type { ProviderIo } from '../../channels/provider.ts'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import type { ProviderAccounts, Senders } from '../../db/schema.ts'
import { conflict, notFound, Problem } from '../../lib/problem.ts'
import { openRow, type ConnectionDeps, type OpenAccount } from './connections.ts'

/** What it takes to ask a provider about an account. */
export type AskDeps = Pick<ConnectionDeps, 'secretBox' | 'callbackUrl'> & { io: Pick<ProviderIo, 'egress' | 'clock'> }

const StoredStep = z.object({ state: z.enum(['waiting', 'passed', 'failed']), message: z.string(), at: z.string() })
export type FinishedStep = z.infer<typeof StoredStep>

/** How far the connection of an account has come, as `provider_accounts.setup` keeps it. */
export const Setup = z.object({
  steps: z
    .partialRecord(z.enum(['token', 'account', 'subscription', 'webhook', 'registration', 'test']), StoredStep)
    .default({}),
  /** The message whose delivery report the last step waits for. */
  test: z.object({ messageId: z.string(), phoneNumber: z.string() }).optional(),
  solutionId: z.string().nullable().default(null),
  createdBy: z.string().optional(),
  disconnectedAt: z.string().optional(),
})
export type Setup = z.infer<typeof Setup>

export type ProviderAccount = Omit<Selectable<ProviderAccounts>, 'setup' | 'config' | 'external_id'> & {
  external_id: string
  setup: Setup
  config: Record<string, unknown>
}
export type LineRow = Omit<Selectable<Senders>, 'facts' | 'external_id'> & {
  external_id: string
  facts: LineFacts
  /** The account's own id at the provider. */
  waba_id: string
}

/** Those of the scope's organisation, or, for who stands above, of all below; never one that was disconnected. */
export function accountsInScope(scope: Scope, column: string) {
  return scope.descends ? sql<boolean>`app_descends_to(${sql.ref(column)})` : ofOrganization(scope, column)
}

type Which = { id?: string | undefined; externalId?: string | undefined; isDisconnected?: boolean }

export async function listAccounts(db: Db, scope: Scope, which: Which = {}): Promise<ProviderAccount[]> {
  const { id, externalId, isDisconnected = false } = which
  const rows = await db
    .selectFrom('provider_accounts')
    .selectAll()
    .where(accountsInScope(scope, 'organization_id'))
    .where('channel', '=', 'whatsapp')
    .where('external_id', 'is not', null)
    .where(sql<boolean>`(setup ? 'disconnectedAt') = ${isDisconnected}`)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(externalId !== undefined, (query) => query.where('external_id', '=', externalId ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(readAccount)
}

export function readAccount(row: Selectable<ProviderAccounts>): ProviderAccount {
  const { external_id, setup, config } = row
  return {
    ...row,
    external_id: external_id ?? '',
    setup: Setup.parse(setup),
    // Only objects are ever written there.
    config: config as Record<string, unknown>,
  }
}

export async function getAccount(db: Db, scope: Scope, which: Which): Promise<ProviderAccount> {
  const [account] = await listAccounts(db, scope, which)
  if (!account) throw notFound('WhatsApp account')
  return account
}

type WhichLines = { accountId?: string | undefined; id?: string | undefined; lineId?: string | undefined }

export async function listLines(db: Db, scope: Scope, which: WhichLines = {}): Promise<LineRow[]> {
  const { accountId, id, lineId } = which
  const rows = await db
    .selectFrom('senders')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'senders.organization_id')
        .onRef('account.id', '=', 'senders.provider_account_id'),
    )
    .selectAll('senders')
    .select('account.external_id as waba_id')
    .where(accountsInScope(scope, 'senders.organization_id'))
    .where('senders.channel', '=', 'whatsapp')
    .where('senders.external_id', 'is not', null)
    .where(sql<boolean>`not (account.setup ? 'disconnectedAt')`)
    .$if(accountId !== undefined, (query) => query.where('account.id', '=', accountId ?? ''))
    .$if(id !== undefined, (query) => query.where('senders.id', '=', id ?? ''))
    .$if(lineId !== undefined, (query) => query.where('senders.external_id', '=', lineId ?? ''))
    .orderBy('senders.created_at')
    .orderBy('senders.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    external_id: row.external_id ?? '',
    waba_id: row.waba_id ?? '',
    // Written by sync-lines.ts alone, which has them from the provider's own description.
    facts: row.facts as LineFacts,
  }))
}

export async function getLine(db: Db, scope: Scope, which: WhichLines): Promise<LineRow> {
  const [line] = await listLines(db, scope, which)
  if (!line) throw notFound('Phone number')
  return line
}

/** Opens a WhatsApp account. Throws a `Problem` if its secrets cannot be decrypted. */
export function openAccount(row: ProviderAccount, deps: AskDeps): OpenAccount & { manage: WhatsappManagement } {
  const { manage, ...account } = openManaged(row, deps)
  // The type of every WhatsApp provider; the provider registry does not keep it.
  return { ...account, manage: manage as WhatsappManagement }
}

/** Opens an account of any channel. Throws a `Problem` if its secrets cannot be decrypted. */
export function openManaged(row: ProviderAccount, deps: AskDeps): OpenAccount & { manage: Management } {
  const account = openSafely(row, deps)
  const manage = account.provider.manage?.(account.config, deps.io)
  if (!manage) throw conflict(`${account.provider.label} accounts have no management API`)
  return { ...account, manage }
}

function openSafely(row: ProviderAccount, deps: AskDeps): OpenAccount {
  if (!row.secrets) throw conflict('The access token is missing: enter it again')
  try {
    return openRow(row, deps)
  } catch {
    throw conflict('The stored credentials cannot be decrypted: enter token and secret again')
  }
}

const refusalCodes = {
  credentials: 'conflict',
  input: 'bad_request',
  limit: 'too_many_requests',
  passing: 'unavailable',
  other: 'conflict',
} as const

/** What a provider refuses, as an answer to the person who asked: in the provider's own words for people. */
export async function asking<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refusal ? new Problem(refusalCodes[error.kind], error.message) : error
  }
}

/**
 * Locks an account before something is written that its provider answered. Secrets are sealed anew whenever a connection is
 * changed or disconnected, so they tell whether the account still is the one that was asked.
 */
export async function lockUnchanged(db: Db, { organization_id, id, secrets }: ProviderAccount): Promise<void> {
  const row = await db
    .selectFrom('provider_accounts')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('secrets', 'is not distinct from', secrets)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw conflict('This WhatsApp account was just changed: reload it')
}

/** Writes some steps; others that are written meanwhile stay. */
export async function writeSteps(
  db: Db,
  { organization_id, id }: { organization_id: string; id: string },
  steps: Partial<Record<ConnectionStep, FinishedStep>>,
): Promise<void> {
  await sql`
    update provider_accounts
    set setup = setup || jsonb_build_object('steps', coalesce(setup -> 'steps', '{}') || ${JSON.stringify(steps)}::jsonb)
    where organization_id = ${organization_id}::uuid and id = ${id}::uuid`.execute(db)
}

/** Our route was called to make sure of it: the address works from where the provider stands. */
export async function noteHandshake(
  db: Db,
  { organizationId, accountId }: { organizationId: string; accountId: string },
  at: Date,
): Promise<void> {
  const message = 'The callback address was called and answered'
  await writeSteps(
    db,
    { organization_id: organizationId, id: accountId },
    { webhook: { state: 'passed', message, at: at.toISOString() } },
  )
}
