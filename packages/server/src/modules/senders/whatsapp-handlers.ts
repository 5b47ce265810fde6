import type { WhatsappConnection, WhatsappNumber, whatsappEndpoints } from '@carillon/contract/whatsapp'
import type { SignUpApp } from '../../channels/management.ts'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import type { Actor, Handlers } from '../../http/handlers.ts'
import { badField, conflict } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { switchLine } from './activate-line.ts'
import { callbackAddress, takeAutomaticSteps, takeStep, type StepsDeps } from './connection-steps.ts'
import { presentConnection, presentNumber } from './present-connection.ts'
import {
  asking,
  getAccount,
  getLine,
  listAccounts,
  listLines,
  openAccount,
  type LineRow,
  type ProviderAccount,
} from './provider-accounts.ts'
import { chooseSolution, getSolution, type Solution } from './solutions.ts'
import { syncLines, type Work } from './sync-lines.ts'
import { settleTest } from './first-message.ts'
import { changeConnection, createConnection, disconnect, whatsappProvider } from './write-connection.ts'

export type WhatsappDeps = StepsDeps & {
  database: Database
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
    'wabas.active': async ({ db, actor }) =>
      (await listConnections(db, actor, deps))
        .map(({ _id, waba_id, name, numbers }) => ({
          _id,
          waba_id,
          name,
          numbers: numbers.filter(({ isActive }) => isActive),
        }))
        .filter(({ numbers }) => numbers.length > 0),
    'wabas.list': ({ db, actor }) => listConnections(db, actor, deps),
    'wabas.connect': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const accountId = await scoped((db) => createConnection(db, { actor, input: input.body, ...deps }))
        await takeAutomaticSteps(deps, { transaction: scoped, actor, accountId })
        return scoped((db) => getConnection(db, { actor, id: accountId }, deps))
      },
    },
    'wabas.change': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const { id } = input.path
        await scoped(async (db) => {
          const account = await getAccount(db, actor.reach, { id })
          await changeConnection(db, { actor, account, input: input.body, ...deps })
        })
        await takeAutomaticSteps(deps, { transaction: scoped, actor, accountId: id })
        return scoped((db) => getConnection(db, { actor, id }, deps))
      },
    },
    'wabas.disconnect': async ({ db, actor, input }) => {
      const account = await getAccount(db, actor.reach, { id: input.path.id })
      // With a token that is dead there is nobody to tell.
      await tolerate(() => openAccount(account, deps).manage.unsubscribe())
      await disconnect(db, actor, account)
      await deps.wakeLanes(db)
      return {}
    },
    'wabas.runStep': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const { id, step } = input.path
        await takeStep(deps, { transaction: scoped, actor, accountId: id, input: input.body }, step)
        return scoped((db) => getConnection(db, { actor, id }, deps))
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
      await switchLine(db, { actor, line: await getLine(db, actor.reach, { id }), isActive })
      await deps.wakeLanes(db)
      return presentNumber(await getLine(db, actor.reach, { id }))
    },
    'wabas.phoneNumbers': {
      withoutTransaction: async ({ actor, scoped, input }): Promise<WhatsappNumber[]> => {
        if (input.query.mode === 'fresh') await syncAll(scoped, actor, deps)
        return (await scoped((db) => listLines(db, actor.reach))).map(presentNumber)
      },
    },
    'wabas.analytics': async ({ db, actor, input }) => {
      const { waba_id, phone_number_id, from, to } = input.query
      if (from > to) throw badField('to', 'The last day lies before the first')
      const account = await getAccount(db, actor.reach, { externalId: waba_id })
      const line =
        phone_number_id === undefined
          ? undefined
          : await getLine(db, actor.reach, { accountId: account.id, lineId: phone_number_id })
      const { manage } = openAccount(account, deps)
      return asking(() => manage.analyse({ from, to, lineNumber: line?.facts.displayNumber }))
    },
  }
}

/** One account that cannot be asked keeps nobody from the others; only when none can is that an error. */
async function syncAll(transaction: Work, actor: Actor, deps: WhatsappDeps): Promise<void> {
  const accounts = await transaction((db) => listAccounts(db, actor.reach))
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
  const { database, signUp, solutions } = deps
  const choice = async () => ({ solutionId: await getSolution(database, solutions), solutions: [...solutions] })
  return {
    'wabas.signUp': async () => ({
      appId: signUp?.configurationId ? signUp.appId : null,
      configurationId: signUp?.configurationId ?? null,
      graphVersion: deps.graphVersion,
      solutionId: await getSolution(database, solutions),
      ...(deps.demoAccount ? { demo: deps.demoAccount } : {}),
    }),
    'wabas.onboard': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        if (!signUp) throw conflict('This installation has no app of its own at Meta: connect the account by hand')
        const signing = whatsappProvider().signUp?.(signUp, deps.io)
        if (!signing) throw conflict('The provider has no sign-up of its own: connect the account by hand')
        const { accessToken } = await asking(() => signing.exchangeCode(input.body.code))
        const opened = await asking(() => signing.accountsOf(accessToken))
        const waba_id = input.body.waba_id ?? opened[0]
        if (waba_id === undefined || !opened.includes(waba_id))
          throw conflict('The sign-up did not give access to this WhatsApp account: go through it once more')
        const { appId, appSecret, graphUrl, graphVersion } = signUp
        const solutionId = await getSolution(database, solutions)
        const entered = { waba_id, accessToken, appId, appSecret, graphUrl, graphVersion, solutionId }
        const accountId = await scoped((db) => createConnection(db, { actor, input: entered, ...deps }))
        await takeAutomaticSteps(deps, { transaction: scoped, actor, accountId })
        return scoped((db) => getConnection(db, { actor, id: accountId }, deps))
      },
    },
    'wabas.solutionIds': async () => [...solutions],
    'wabas.solution': choice,
    'wabas.chooseSolution': async ({ db, actor, input }) => {
      await chooseSolution(deps, db, { actor, solutionId: input.body.solutionId })
      return choice()
    },
  }
}

function profileHandlers(deps: WhatsappDeps): Part<'wabas.profile' | 'wabas.saveProfile'> {
  const open = async (db: Db, actor: Actor, lineId: string) => {
    const line = await getLine(db, actor.reach, { lineId })
    const account = await getAccount(db, actor.reach, { id: line.provider_account_id })
    return { line, account, ...openAccount(account, deps) }
  }
  return {
    'wabas.profile': async ({ db, actor, input }) => {
      const { manage, line } = await open(db, actor, input.query.phone_number_id)
      return asking(() => manage.getProfile(line.external_id))
    },
    'wabas.saveProfile': async ({ db, actor, input }) => {
      const { phone_number_id, profile_picture_handle: pictureHandle, ...profile } = input.body
      const { manage, line } = await open(db, actor, phone_number_id)
      await recordProfile(db, actor, line)
      await asking(() => manage.saveProfile(line.external_id, { ...profile, pictureHandle }))
      return asking(() => manage.getProfile(line.external_id))
    },
  }
}

async function recordProfile(db: Db, actor: Actor, line: LineRow): Promise<void> {
  await recordAudit(db, {
    organizationId: line.organization_id,
    ...whoActs(actor),
    action: 'whatsapp_number.profile_changed',
    object: { type: 'whatsapp_number', id: line.id },
    details: { name: line.facts.displayNumber },
  })
}

async function listConnections(db: Db, actor: Actor, deps: WhatsappDeps): Promise<WhatsappConnection[]> {
  const lines = await listLines(db, actor.reach)
  const accounts = await listAccounts(db, actor.reach)
  return Promise.all(accounts.map(async (account) => present(db, { account, lines }, deps)))
}

async function getConnection(
  db: Db,
  { actor, id }: { actor: Actor; id: string },
  deps: WhatsappDeps,
): Promise<WhatsappConnection> {
  const account = await getAccount(db, actor.reach, { id })
  return present(db, { account, lines: await listLines(db, actor.reach, { accountId: id }) }, deps)
}

/**
 * What the test has come to is looked up as long as it is under way; the hourly job keeps it. The message is the
 * sender's own, so that others who may see the account would not find it themselves.
 */
async function present(
  db: Db,
  { account, lines }: { account: ProviderAccount; lines: readonly LineRow[] },
  deps: WhatsappDeps,
): Promise<WhatsappConnection> {
  const { steps } = account.setup
  const isUnderWay = steps.test?.state === 'waiting'
  const told = isUnderWay ? await asSystem(deps.database, (system) => settleTest(system, account, deps)) : undefined
  const setup = told
    ? { ...account.setup, steps: { ...steps, test: { at: deps.io.clock.now().toISOString(), ...told } } }
    : account.setup
  return presentConnection({ ...account, setup }, lines, (key) => callbackAddress(deps.callbackUrl(key)))
}
