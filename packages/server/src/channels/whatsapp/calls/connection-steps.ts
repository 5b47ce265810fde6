import type { ConnectionStep } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { Refusal } from '../../management.ts'
import type { WhatsappManagement } from '../management.ts'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { Problem } from '../../../lib/problem.ts'
import { recordAudit, whoActs } from '../../../modules/audit/index.ts'
import { clearConnectionFailure } from '../../../modules/senders/connection-failures.ts'
import type { OpenAccount } from '../../../modules/senders/connections.ts'
import {
  getAccount,
  listLines,
  lockUnchanged,
  openAccount,
  writeSteps,
  type AskDeps,
  type LineRow,
  type ProviderAccount,
  type FinishedStep,
} from '../../../modules/senders/provider-accounts.ts'
import { isRegistered, syncLines } from '../../../modules/senders/sync-lines.ts'
import { sendTestMessage, settleTest, type TestDeps } from '../../../modules/senders/test-message.ts'

export type StepsDeps = AskDeps & TestDeps

export type StepInput = {
  pin?: string | undefined
  phone_number_id?: string | undefined
  phoneNumber?: string | undefined
}

/** One step of one account: who asks, in which transactions, about what. */
export type StepCall = { transaction: RunTransaction; actor: UserActor; accountId: string; input?: StepInput }

type Opened = { account: ProviderAccount; opened: OpenAccount & { manage: WhatsappManagement } }
type StepRunner = (call: StepCall, opened: Opened, deps: StepsDeps) => Promise<Omit<FinishedStep, 'at'>>

/** The automatic steps; each requires the one before. */
const automatic = ['token', 'account', 'subscription', 'webhook'] as const satisfies ConnectionStep[]

/** Takes the steps that need nothing typed in, until one fails. */
export async function runAutomaticSteps(deps: StepsDeps, call: StepCall): Promise<void> {
  for (const step of automatic) if ((await executeStep(deps, call, step)) === 'failed') return
}

/** Runs a step and stores its result; a failure is a result, not an error. */
export async function executeStep(
  deps: StepsDeps,
  call: StepCall,
  step: ConnectionStep,
): Promise<FinishedStep['state']> {
  const account = await call.transaction((db) => getAccount(db, call.actor.scope, { id: call.accountId }))
  const taken = await formatReason(async () => deeds[step](call, { account, opened: openAccount(account, deps) }, deps))
  const at = deps.io.clock.now().toISOString()
  await call.transaction(async (db) => {
    await lockUnchanged(db, account)
    await writeSteps(db, account, { [step]: { ...taken, at } })
    const key = { organizationId: account.organization_id, accountId: account.id }
    if (step === 'token' && taken.state === 'passed' && (await clearConnectionFailure(db, key)))
      await deps.onConnectionRestored(db, key)
    await recordAudit(db, {
      organizationId: account.organization_id,
      ...whoActs(call.actor),
      action: `whatsapp_account.step_${taken.state}`,
      object: { type: 'whatsapp_account', id: account.id },
      details: { step },
    })
  })
  return taken.state
}

async function formatReason(work: () => Promise<Omit<FinishedStep, 'at'>>): Promise<Omit<FinishedStep, 'at'>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal || error instanceof Problem) return failed(error.message)
    throw error
  }
}

const passed = (message: string) => ({ state: 'passed' as const, message })
const failed = (message: string) => ({ state: 'failed' as const, message })
const waiting = (message: string) => ({ state: 'waiting' as const, message })

const deeds: Record<ConnectionStep, StepRunner> = {
  token: checkToken,
  account: describeAccount,
  subscription: subscribe,
  webhook: waitForHandshake,
  registration: register,
  test: sendTest,
}

async function checkToken(_call: StepCall, { opened }: Opened) {
  const { missing, expiresAt } = await opened.manage.access.check()
  if (missing.length > 0)
    return failed(`The token lacks ${missing.join(' and ')}: make a new one with these permissions`)
  return passed(
    expiresAt
      ? `The token opens the account until ${day(expiresAt)}; make one that does not expire before then`
      : 'The token opens the account and does not expire',
  )
}

const day = (date: Date) => new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'UTC' }).format(date)

async function describeAccount({ transaction }: StepCall, { account, opened: { manage } }: Opened, deps: StepsDeps) {
  const { name, currency, facts } = await manage.access.describe()
  await transaction(async (db) => {
    await lockUnchanged(db, account)
    await db
      .updateTable('provider_accounts')
      .set({ facts: JSON.stringify({ ...facts, name, currency }) })
      .where('organization_id', '=', account.organization_id)
      .where('id', '=', account.id)
      .execute()
  })
  const lines = await syncLines(transaction, { account, manage })
  const key = { organizationId: account.organization_id, accountId: account.id }
  await transaction((db) => deps.readTemplates(db, key))
  if (lines.length === 0) return failed(`${name} has no number yet: add one in WhatsApp Manager, then try again`)
  if (lines.every(isRegistered) && account.setup.steps.registration?.state !== 'passed') {
    const at = deps.io.clock.now().toISOString()
    await transaction((db) => writeSteps(db, account, { registration: { ...passed(registeredMessage(lines)), at } }))
  }
  return passed(`${name} with ${lines.length === 1 ? 'one number' : `${lines.length} numbers`}`)
}

const registeredMessage = ({ length }: readonly unknown[]) =>
  length === 1 ? 'The number is registered' : 'The numbers are registered'

/** The provider proves our address while it is asked; the route that answers it writes the next step. */
async function subscribe(_call: StepCall, { opened }: Opened) {
  const url = callbackAddress(opened.callbackUrl)
  try {
    await opened.manage.access.subscribe({ url, verifyToken: verifyTokenOf(opened.config) })
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'input') return failed(`${error.message}. ${reachability(url)}`)
    throw error
  }
  return passed('Messages, reports and changes are reported to this server')
}

/** Where a provider that proves an address is sent to. */
export const callbackAddress = (callbackUrl: string) => `${callbackUrl}/events`

/** Made by write-connection.ts for every account; the provider's own schema keeps it under this name. */
function verifyTokenOf(config: unknown): string {
  return String(Object(config).verifyToken)
}

const reachability = (url: string) =>
  `${url} has to be reachable from the internet under HTTPS: whoever runs the server sets PUBLIC_URL`

async function waitForHandshake(call: StepCall, { account, opened }: Opened) {
  const seen = account.setup.steps.webhook
  if (seen?.state === 'passed') return passed(seen.message)
  // Asked for again, so that it is called now.
  await subscribe(call, { account, opened })
  const again = await call.transaction((db) => getAccount(db, call.actor.scope, { id: account.id }))
  const called = again.setup.steps.webhook
  if (called?.state === 'passed') return passed(called.message)
  return failed(`The callback address was not called yet. ${reachability(callbackAddress(opened.callbackUrl))}`)
}

async function register(call: StepCall, { account, opened: { manage } }: Opened) {
  const { transaction, actor, input = {} } = call
  const lines = await transaction((db) =>
    listLines(db, actor.scope, { accountId: account.id, lineId: input.phone_number_id }),
  )
  if (lines.length === 0) return failed('The account has no such number: read the account again')
  if (input.pin === undefined) return waiting('Enter the two-step PIN of the number, six digits, to register it')
  for (const line of lines) {
    await manage.lines.register(line.external_id, input.pin)
    await transaction((db) => markRegistered(db, line))
  }
  await syncLines(transaction, { account, manage })
  return passed(registeredMessage(lines))
}

async function markRegistered(db: Db, { organization_id, id }: LineRow): Promise<void> {
  await db
    .updateTable('senders')
    .set({ registered_at: new Date() })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

async function sendTest({ transaction, actor, input = {} }: StepCall, { account }: Opened, deps: StepsDeps) {
  const { phoneNumber, phone_number_id: lineId } = input
  if (phoneNumber === undefined) {
    const settled = await transaction((db) => settleTest(db, account, deps))
    return settled ?? waiting('Enter a number with WhatsApp to send a test message')
  }
  return transaction((db) => sendTestMessage(db, { actor, account, lineId, phoneNumber }, deps))
}
