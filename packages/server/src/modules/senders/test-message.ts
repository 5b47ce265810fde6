import { formatPhone } from '@carillon/contract/phone'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { switchLine } from './activate-sender.ts'
import { listLines, type ProviderAccount, type FinishedStep } from './provider-accounts.ts'
import { sql } from 'kysely'

/** A test message: sender account, line and recipient. */
export type WhatsappTest = {
  actor: UserActor
  senderId: string
  /** The provider account with the approved templates. */
  accountId: string
  displayNumber: string
  phoneNumber: string
}

export type TestDeps = {
  /** Queues a priority message; passed in, because this module may not import the engine. */
  sendTemplateTest(db: Db, test: WhatsappTest): Promise<{ messageId: string }>
  /** What became of it; undefined while nothing is known. */
  findOutcome(db: Db, organizationId: string, messageId: string): Promise<TestOutcome | undefined>
  wakeLanes(db: Db): Promise<void>
  /** The credentials are accepted again: resumes campaigns that waited for them. */
  onConnectionRestored(db: Db, account: { organizationId: string; accountId: string }): Promise<void>
  /** The account can be read: its templates are, soon. */
  readTemplates(db: Db, account: { organizationId: string; accountId: string }): Promise<void>
}

export type TestOutcome = { kind: 'under-way' | 'delivered' } | { kind: 'failed'; detail: string }

type StepResult = Omit<FinishedStep, 'at'>

/** Sends the first message of an account. The line it leaves from is switched on, if it was not. */
export async function sendTestMessage(
  db: Db,
  test: { actor: UserActor; account: ProviderAccount; lineId: string | undefined; phoneNumber: string },
  deps: TestDeps,
): Promise<StepResult> {
  const { actor, account, lineId, phoneNumber } = test
  const lines = await listLines(db, actor.scope, { accountId: account.id, lineId })
  const line = lines.find(({ is_active }) => is_active) ?? lines.find(({ registered_at }) => registered_at) ?? lines[0]
  if (!line) return { state: 'failed', message: 'The account has no such number: read the account again' }
  if (!line.is_active) await switchLine(db, { actor, line, isActive: true })
  const { messageId } = await deps.sendTemplateTest(db, {
    actor,
    senderId: line.id,
    accountId: account.id,
    displayNumber: line.facts.displayNumber,
    phoneNumber,
  })
  await deps.wakeLanes(db)
  await sql`
    update provider_accounts set setup = setup || ${JSON.stringify({ test: { messageId, phoneNumber } })}::jsonb
    where organization_id = ${account.organization_id}::uuid and id = ${account.id}::uuid`.execute(db)
  return {
    state: 'waiting',
    message: `On its way to ${formatPhone(phoneNumber)}: this passes when the delivery is reported`,
  }
}

/** What the test has come to; undefined when none was sent. */
export async function settleTest(
  db: Db,
  { organization_id, setup: { test, steps } }: ProviderAccount,
  { findOutcome }: Pick<TestDeps, 'findOutcome'>,
): Promise<StepResult | undefined> {
  if (!test) return undefined
  const outcome = await findOutcome(db, organization_id, test.messageId)
  // What was sent is forgotten one day; what it proved is not.
  if (!outcome) return steps.test
  if (outcome.kind === 'delivered') return { state: 'passed', message: `Delivered to ${formatPhone(test.phoneNumber)}` }
  if (outcome.kind === 'failed')
    return { state: 'failed', message: `It did not reach ${formatPhone(test.phoneNumber)}: ${outcome.detail}` }
  return {
    state: 'waiting',
    message: `On its way to ${formatPhone(test.phoneNumber)}: this passes when the delivery is reported`,
  }
}
