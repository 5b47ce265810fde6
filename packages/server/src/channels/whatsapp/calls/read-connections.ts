import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { findSingleOutcome } from '../../../modules/messages/index.ts'
import {
  getAccount,
  listAccounts,
  listLines,
  settleTest,
  type ProviderQueryDeps,
  type LineRow,
  type ProviderAccount,
} from '../../../modules/senders/index.ts'
import { callbackAddress } from './connection-steps.ts'
import { presentConnection, presentNumber } from './present-connection.ts'

const channel = 'whatsapp'

/** Usable accounts: connected, with an active number. */
export async function listActive(db: Db, actor: UserActor) {
  const lines = (await listLines(db, actor.scope, { channel })).filter(({ is_active }) => is_active)
  const accounts = await listAccounts(db, actor.scope, { channel })
  return accounts
    .map((account) => ({
      _id: account.id,
      waba_id: account.external_id,
      name: account.name,
      numbers: lines.filter((line) => line.provider_account_id === account.id).map(presentNumber),
    }))
    .filter(({ numbers }) => numbers.length > 0)
}

/** The dependencies for reading connections. */
type Reading = { actor: UserActor; scoped: RunTransaction; asSystem: RunTransaction }

export async function listConnections(
  { actor, scoped, asSystem }: Reading,
  deps: ProviderQueryDeps,
): Promise<WhatsappConnection[]> {
  const { accounts, lines } = await scoped(async (db) => ({
    lines: await listLines(db, actor.scope, { channel }),
    accounts: await listAccounts(db, actor.scope, { channel }),
  }))
  const settled = await settleTests(asSystem, accounts, deps)
  return settled.map((account) => present(account, lines, deps))
}

export async function getConnection(
  { actor, scoped, asSystem }: Reading,
  id: string,
  deps: ProviderQueryDeps,
): Promise<WhatsappConnection> {
  const { account, lines } = await scoped(async (db) => ({
    account: await getAccount(db, actor.scope, { channel, id }),
    lines: await listLines(db, actor.scope, { channel, accountId: id }),
  }))
  const [settled = account] = await settleTests(asSystem, [account], deps)
  return present(settled, lines, deps)
}

/**
 * Looks up the result of each test in progress; the hourly job stores it. The message belongs to the sender, so others who may
 * see the account would not find it in their own scope.
 */
async function settleTests(
  asSystem: RunTransaction,
  accounts: ProviderAccount[],
  deps: ProviderQueryDeps,
): Promise<ProviderAccount[]> {
  if (!accounts.some(isTesting)) return accounts
  return asSystem(async (db) => {
    const settled: ProviderAccount[] = []
    for (const account of accounts) {
      const { setup } = account
      const result = isTesting(account) ? await settleTest(db, account, findSingleOutcome) : undefined
      const test = result && { at: deps.io.clock.now().toISOString(), ...result }
      settled.push(test ? { ...account, setup: { ...setup, steps: { ...setup.steps, test } } } : account)
    }
    return settled
  })
}

const isTesting = ({ setup }: ProviderAccount) => setup.steps['test']?.state === 'waiting'

function present(account: ProviderAccount, lines: readonly LineRow[], deps: ProviderQueryDeps): WhatsappConnection {
  return presentConnection(account, lines, (key) => callbackAddress(deps.callbackUrl(key)))
}
