import type { ConnectionStep, StepInput } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { z } from 'zod'
import type { RunTransaction } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { resumeConnection } from '../../../modules/campaigns/index.ts'
import { findSingleOutcome, wakeLanes } from '../../../modules/messages/index.ts'
import {
  getAccount,
  listLines,
  lockUnchanged,
  markRegistered,
  runStep,
  saveAccountFacts,
  sendTestMessage,
  settleTest,
  syncLines,
  writeSteps,
  type ProviderQueryDeps,
  type ProviderAccount,
  type StepResult,
} from '../../../modules/senders/index.ts'
import { enqueueTemplateSync } from '../../../modules/templates/index.ts'
import { Refusal } from '../../management.ts'
import { whatsappLines } from '../account-rules.ts'
import { openWhatsapp, type OpenWhatsapp } from './open-whatsapp.ts'
import { sendPlainTemplate } from './send-plain-template.ts'

/** One step of one account: the actor, the transactions and the connection. */
export type StepCall = {
  transaction: RunTransaction
  actor: UserActor
  accountId: string
  input?: z.infer<typeof StepInput>
}

type Opened = { account: ProviderAccount; opened: OpenWhatsapp }
type StepRunner = (call: StepCall, opened: Opened, deps: ProviderQueryDeps) => Promise<StepResult>

/** The steps that need no input; each requires the one before. */
export const automaticSteps = ['token', 'account', 'subscription', 'webhook'] as const satisfies ConnectionStep[]

/** Runs the automatic steps until one fails. */
export async function runAutomaticSteps(deps: ProviderQueryDeps, call: StepCall): Promise<void> {
  for (const step of automaticSteps) if ((await executeStep(deps, call, step)) === 'failed') return
}

/** Runs a step and stores its result. */
export async function executeStep(
  deps: ProviderQueryDeps,
  call: StepCall,
  step: ConnectionStep,
): Promise<StepResult['state']> {
  const { transaction, actor, accountId } = call
  const account = await transaction((db) => getAccount(db, actor.scope, { channel: 'whatsapp', id: accountId }))
  const { state } = await runStep(
    {
      actor,
      transaction,
      account,
      name: step,
      run: async () => runners[step](call, { account, opened: openWhatsapp(account, deps) }, deps),
    },
    { clock: deps.io.clock, onConnectionRestored: resumeConnection },
  )
  return state
}

const passed = (message: string) => ({ state: 'passed' as const, message })
const failed = (message: string) => ({ state: 'failed' as const, message })
const waiting = (message: string) => ({ state: 'waiting' as const, message })

const runners: Record<ConnectionStep, StepRunner> = {
  token: checkToken,
  account: describeAccount,
  subscription: subscribe,
  webhook: waitForHandshake,
  registration: register,
  test: sendTest,
}

async function checkToken(_call: StepCall, { opened }: Opened) {
  const { missing, expiresAt } = await opened.manage.access.check()
  if (missing.length > 0) return failed(`The token lacks ${missing.join(' and ')}: create one with these permissions`)
  return passed(
    expiresAt
      ? `The token gives access to the account until ${day(expiresAt)}; create one that does not expire`
      : 'The token gives access to the account and does not expire',
  )
}

const day = (date: Date) => new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'UTC' }).format(date)

async function describeAccount(
  { transaction }: StepCall,
  { account, opened: { manage } }: Opened,
  deps: ProviderQueryDeps,
) {
  const { name, currency, facts } = await manage.access.describe()
  await transaction(async (db) => {
    await lockUnchanged(db, account)
    await saveAccountFacts(db, account, { ...facts, name, currency })
  })
  const lines = await syncLines(transaction, { account, manage })
  const key = { organizationId: account.organization_id, accountId: account.id }
  await transaction((db) => enqueueTemplateSync(db, key))
  if (lines.length === 0) return failed(`${name} has no number yet: add one in WhatsApp Manager, then try again`)
  const areRegistered = lines.every(({ status }) => whatsappLines.isRegistered(status))
  if (areRegistered && account.setup.steps['registration']?.state !== 'passed') {
    const at = deps.io.clock.now().toISOString()
    await transaction((db) => writeSteps(db, account, { registration: { ...passed(registeredMessage(lines)), at } }))
  }
  return passed(`${name} with ${lines.length === 1 ? 'one number' : `${lines.length} numbers`}`)
}

const registeredMessage = ({ length }: readonly unknown[]) =>
  length === 1 ? 'The number is registered' : 'The numbers are registered'

/** The provider verifies our URL during this call; the route that responds stores the result of the next step. */
async function subscribe(_call: StepCall, { opened }: Opened) {
  const url = callbackAddress(opened.callbackUrl)
  try {
    await opened.manage.access.subscribe({ url, verifyToken: verifyTokenOf(opened.config) })
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'input')
      return failed(`${error.message}. ${explainUnreachable(url)}`)
    throw error
  }
  return passed('Messages, reports and changes are reported to this server')
}

/** The account's callback URL for Meta. */
export const callbackAddress = (callbackUrl: string) => `${callbackUrl}/events`

/** Generated by connection-settings.ts for every account; the provider's schema has it under this name. */
function verifyTokenOf(config: unknown): string {
  return String(Object(config).verifyToken)
}

const explainUnreachable = (url: string) =>
  `${url} must be reachable from the internet over HTTPS: the operator of the server sets PUBLIC_URL`

async function waitForHandshake(call: StepCall, { account, opened }: Opened) {
  const seen = account.setup.steps['webhook']
  if (seen?.state === 'passed') return passed(seen.message)
  // Subscribing again makes Meta call the address now.
  await subscribe(call, { account, opened })
  const again = await call.transaction((db) =>
    getAccount(db, call.actor.scope, { channel: 'whatsapp', id: account.id }),
  )
  const called = again.setup.steps['webhook']
  if (called?.state === 'passed') return passed(called.message)
  return failed(`The callback URL has not been called yet. ${explainUnreachable(callbackAddress(opened.callbackUrl))}`)
}

async function register(call: StepCall, { account, opened: { manage } }: Opened) {
  const { transaction, actor, input = {} } = call
  const which = { channel: 'whatsapp', accountId: account.id, lineId: input.phone_number_id } as const
  const lines = await transaction((db) => listLines(db, actor.scope, which))
  if (lines.length === 0) return failed('The account has no such number: refresh the account')
  if (input.pin === undefined) return waiting('Enter the two-step PIN of the number, six digits, to register it')
  for (const line of lines) {
    await manage.lines.register(line.external_id, input.pin)
    await transaction((db) => markRegistered(db, line))
  }
  await syncLines(transaction, { account, manage })
  return passed(registeredMessage(lines))
}

async function sendTest({ transaction, actor, input = {} }: StepCall, { account }: Opened) {
  const { phoneNumber, phone_number_id: lineId } = input
  if (phoneNumber === undefined) {
    const settled = await transaction((db) => settleTest(db, account, findSingleOutcome))
    return settled ?? waiting('Enter a number with WhatsApp to send a test message')
  }
  return transaction((db) =>
    sendTestMessage(db, { actor, account, lineId, phoneNumber }, { send: sendPlainTemplate, wakeLanes }),
  )
}
