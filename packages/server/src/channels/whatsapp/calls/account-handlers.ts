import type { WhatsappConnection, whatsappEndpoints } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { SignUpApp } from '../../management.ts'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { badField, conflict } from '../../../lib/problem.ts'
import { recordAudit, whoActs } from '../../../modules/audit/index.ts'
import { switchLine } from '../../../modules/senders/activate-sender.ts'
import { callbackAddress, runAutomaticSteps, executeStep, type StepsDeps } from './connection-steps.ts'
import { presentConnection, presentNumber } from './present-connection.ts'
import {
  asking,
  getAccount,
  getLine,
  listAccounts,
  listLines,
  openAccount,
  lockUnchanged,
  type LineRow,
  type ProviderAccount,
} from '../../../modules/senders/provider-accounts.ts'
import { chooseSolution, getSolution, type Solution } from './solutions.ts'
import { syncLines } from '../../../modules/senders/sync-lines.ts'
import { settleTest } from '../../../modules/senders/test-message.ts'
import { changeConnection, createConnection, disconnect, whatsappProvider } from '../../../modules/senders/connect-account.ts'

export type WhatsappDeps = StepsDeps & {
  /** This installation's own app, where it has one; without, accounts are connected by hand. */
  signUp: (SignUpApp & { configurationId: string | undefined }) | undefined
  graphVersion: string
  solutions: readonly Solution[]
  /** What to type in where the provider is the simulator. */
  demoAccount: DemoAccount | undefined
}

export type DemoAccount = {
  graphUrl: string
  waba_id: string
  phoneNumberIds: string[]
  accessToken: string
  appId: string
  appSecret: string
}

export function whatsappHandlers(deps: WhatsappDeps): Handlers<typeof whatsappEndpoints> {
  return {
    ...connectionHandlers(deps),
    ...numberHandlers(deps),
    ...signUpHandlers(deps),
    ...profileHandlers(deps),
  }
}

type Part<Name extends keyof typeof whatsappEndpoints> = Pick<Handlers<typeof whatsappEndpoints>, Name>

function connectionHandlers(
  deps: WhatsappDeps,
): Part<'wabas.active' | 'wabas.list' | 'wabas.connect' | 'wabas.change' | 'wabas.disconnect' | 'wabas.runStep'> {
  return {
    'wabas.active': ({ db, actor }) => listActive(db, actor),
    'wabas.list': { withoutTransaction: (call) => listConnections(call, deps) },
    'wabas.connect': {
      withoutTransaction: async (call) => {
        const { actor, scoped, input } = call
        const accountId = await scoped((db) => createConnection(db, { actor, input: input.body, ...deps }))
        await runAutomaticSteps(deps, { transaction: scoped, actor, accountId })
        return getConnection(call, accountId, deps)
      },
    },
    'wabas.change': {
      withoutTransaction: async (call) => {
        const { actor, scoped, input } = call
        const { id } = input.path
        await scoped(async (db) => {
          const account = await getAccount(db, actor.scope, { id })
          await changeConnection(db, { actor, account, input: input.body, ...deps })
        })
        await runAutomaticSteps(deps, { transaction: scoped, actor, accountId: id })
        return getConnection(call, id, deps)
      },
    },
    'wabas.disconnect': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const account = await scoped((db) => getAccount(db, actor.scope, { id: input.path.id }))
        // A token that no longer works cannot unsubscribe.
        await tolerate(() => openAccount(account, deps).manage.access.unsubscribe())
        await scoped(async (db) => {
          await lockUnchanged(db, account)
          await disconnect(db, actor, account)
          await deps.wakeLanes(db)
        })
        return {}
      },
    },
    'wabas.runStep': {
      withoutTransaction: async (call) => {
        const { id, step } = call.input.path
        const { actor, scoped: transaction, input } = call
        await executeStep(deps, { transaction, actor, accountId: id, input: input.body }, step)
        return getConnection(call, id, deps)
      },
    },
  }
}

async function tolerate(work: () => Promise<unknown>): Promise<void> {
  await asking(work).catch(() => undefined)
}

function numberHandlers(deps: WhatsappDeps): Part<'wabas.activate' | 'wabas.phoneNumbers' | 'wabas.analytics'> {
  return {
    'wabas.activate': async ({ db, actor, input }) => {
      const { id, isActive } = input.body
      await switchLine(db, { actor, line: await getLine(db, actor.scope, { id }), isActive })
      await deps.wakeLanes(db)
      return presentNumber(await getLine(db, actor.scope, { id }))
    },
    'wabas.phoneNumbers': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        if (input.query.mode === 'fresh') await syncAll(scoped, actor, deps)
        return (await scoped((db) => listLines(db, actor.scope))).map(presentNumber)
      },
    },
    'wabas.analytics': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { waba_id, phone_number_id, from, to } = input.query
        if (from > to) throw badField('to', 'The last day is before the first')
        const { account, line } = await scoped(async (db) => {
          const found = await getAccount(db, actor.scope, { externalId: waba_id })
          const which = { accountId: found.id, lineId: phone_number_id }
          return {
            account: found,
            line: phone_number_id === undefined ? undefined : await getLine(db, actor.scope, which),
          }
        })
        const { manage } = openAccount(account, deps)
        return asking(() => manage.analytics.query({ from, to, lineNumber: line?.facts.displayNumber }))
      },
    },
  }
}

/** One account that cannot be asked keeps nobody from the others; only when none can is that an error. */
async function syncAll(transaction: RunTransaction, actor: UserActor, deps: WhatsappDeps): Promise<void> {
  const accounts = await transaction((db) => listAccounts(db, actor.scope))
  const refusals: unknown[] = []
  for (const account of accounts) {
    await asking(async () => syncLines(transaction, { account, ...openAccount(account, deps) })).catch(
      (error: unknown) => refusals.push(error),
    )
  }
  if (accounts.length > 0 && refusals.length === accounts.length) throw refusals[0]
}

function signUpHandlers(
  deps: WhatsappDeps,
): Part<'wabas.signUp' | 'wabas.onboard' | 'wabas.solutionIds' | 'wabas.solution' | 'wabas.chooseSolution'> {
  const { signUp, solutions } = deps
  const choice = async (asSystem: RunTransaction) => ({
    solutionId: await asSystem((db) => getSolution(db, solutions)),
    solutions: [...solutions],
  })
  return {
    'wabas.signUp': {
      withoutTransaction: async ({ asSystem }) => ({
        appId: signUp?.configurationId ? signUp.appId : null,
        configurationId: signUp?.configurationId ?? null,
        graphVersion: deps.graphVersion,
        solutionId: await asSystem((db) => getSolution(db, solutions)),
        ...(deps.demoAccount ? { demo: deps.demoAccount } : {}),
      }),
    },
    'wabas.onboard': {
      withoutTransaction: async (call) => {
        const { actor, scoped, asSystem, input } = call
        if (!signUp) throw conflict('This installation has no Meta app: connect the account manually')
        const signing = whatsappProvider().signUp?.(signUp, deps.io)
        if (!signing) throw conflict('The provider has no sign-up: connect the account manually')
        const { accessToken } = await asking(() => signing.exchangeCode(input.body.code))
        const opened = await asking(() => signing.accountsOf(accessToken))
        const waba_id = input.body.waba_id ?? opened[0]
        if (waba_id === undefined || !opened.includes(waba_id))
          throw conflict('The sign-up did not grant access to this WhatsApp account: sign up again')
        const { appId, appSecret, graphUrl, graphVersion } = signUp
        const solutionId = await asSystem((db) => getSolution(db, solutions))
        const entered = { waba_id, accessToken, appId, appSecret, graphUrl, graphVersion, solutionId }
        const accountId = await scoped((db) => createConnection(db, { actor, input: entered, ...deps }))
        await runAutomaticSteps(deps, { transaction: scoped, actor, accountId })
        return getConnection(call, accountId, deps)
      },
    },
    'wabas.solutionIds': async () => [...solutions],
    'wabas.solution': { withoutTransaction: ({ asSystem }) => choice(asSystem) },
    'wabas.chooseSolution': {
      withoutTransaction: async ({ asSystem, actor, input }) => {
        await asSystem((db) => chooseSolution(db, solutions, { actor, solutionId: input.body.solutionId }))
        return choice(asSystem)
      },
    },
  }
}

function profileHandlers(deps: WhatsappDeps): Part<'wabas.profile' | 'wabas.saveProfile'> {
  const open = async (scoped: RunTransaction, actor: UserActor, lineId: string) => {
    const { line, account } = await scoped(async (db) => {
      const found = await getLine(db, actor.scope, { lineId })
      return { line: found, account: await getAccount(db, actor.scope, { id: found.provider_account_id }) }
    })
    return { line, ...openAccount(account, deps) }
  }
  return {
    'wabas.profile': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { manage, line } = await open(scoped, actor, input.query.phone_number_id)
        return asking(() => manage.profile.get(line.external_id))
      },
    },
    'wabas.saveProfile': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { phone_number_id, profile_picture_handle: pictureHandle, ...profile } = input.body
        const { manage, line } = await open(scoped, actor, phone_number_id)
        await asking(() => manage.profile.save(line.external_id, { ...profile, pictureHandle }))
        await scoped((db) => recordProfile(db, actor, line))
        return asking(() => manage.profile.get(line.external_id))
      },
    },
  }
}

async function recordProfile(db: Db, actor: UserActor, line: LineRow): Promise<void> {
  await recordAudit(db, {
    organizationId: line.organization_id,
    ...whoActs(actor),
    action: 'whatsapp_number.profile_changed',
    object: { type: 'whatsapp_number', id: line.id },
    details: { name: line.facts.displayNumber },
  })
}

async function listActive(db: Db, actor: UserActor) {
  const lines = (await listLines(db, actor.scope)).filter(({ is_active }) => is_active)
  const accounts = await listAccounts(db, actor.scope)
  return accounts
    .map((account) => ({
      _id: account.id,
      waba_id: account.external_id,
      name: account.name,
      numbers: lines.filter((line) => line.provider_account_id === account.id).map(presentNumber),
    }))
    .filter(({ numbers }) => numbers.length > 0)
}

/** The part of a call that connections are read with. */
type Reading = { actor: UserActor; scoped: RunTransaction; asSystem: RunTransaction }

async function listConnections(
  { actor, scoped, asSystem }: Reading,
  deps: WhatsappDeps,
): Promise<WhatsappConnection[]> {
  const { accounts, lines } = await scoped(async (db) => ({
    lines: await listLines(db, actor.scope),
    accounts: await listAccounts(db, actor.scope),
  }))
  const settled = await settleTests(asSystem, accounts, deps)
  return settled.map((account) => present(account, lines, deps))
}

async function getConnection(
  { actor, scoped, asSystem }: Reading,
  id: string,
  deps: WhatsappDeps,
): Promise<WhatsappConnection> {
  const { account, lines } = await scoped(async (db) => ({
    account: await getAccount(db, actor.scope, { id }),
    lines: await listLines(db, actor.scope, { accountId: id }),
  }))
  const [settled = account] = await settleTests(asSystem, [account], deps)
  return present(settled, lines, deps)
}

/**
 * Looks up the result of each test that is in progress; the hourly job stores it. The message belongs to the sender, so
 * others who may see the account would not find it in their own scope.
 */
async function settleTests(
  asSystem: RunTransaction,
  accounts: ProviderAccount[],
  deps: WhatsappDeps,
): Promise<ProviderAccount[]> {
  if (!accounts.some(({ setup }) => setup.steps.test?.state === 'waiting')) return accounts
  return asSystem(async (db) => {
    const settled: ProviderAccount[] = []
    for (const account of accounts) {
      const { setup } = account
      const told = setup.steps.test?.state === 'waiting' ? await settleTest(db, account, deps) : undefined
      const test = told && { at: deps.io.clock.now().toISOString(), ...told }
      settled.push(test ? { ...account, setup: { ...setup, steps: { ...setup.steps, test } } } : account)
    }
    return settled
  })
}

function present(account: ProviderAccount, lines: readonly LineRow[], deps: WhatsappDeps): WhatsappConnection {
  return presentConnection(account, lines, (key) => callbackAddress(deps.callbackUrl(key)))
}
