import { formatPhone } from '@carillon/contract/phone'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { sql } from 'kysely'
import { activateLine } from './activate-sender.ts'
import { listLines } from './lines.ts'
import type { ProviderAccount, StepResult } from './provider-accounts.ts'

/** The first message of a connected account. */
export type ConnectionTest = {
  actor: UserActor
  senderId: string
  /** The account, whose templates it may use. */
  accountId: string
  displayNumber: string
  phoneNumber: string
}

type SendDeps = {
  /** Queues it as a priority message; passed in, because this module may not import the engine. */
  send(db: Db, message: ConnectionTest): Promise<{ messageId: string }>
  wakeLanes(db: Db): void
}

/** The outcome of a message; undefined while it is unknown. */
export type FindOutcome = (db: Db, message: { organizationId: string; id: string }) => Promise<TestOutcome | undefined>

export type TestOutcome = { kind: 'under-way' | 'delivered' } | { kind: 'failed'; detail: string }

/** Sends the first message of an account. Activates the line that sends it, if necessary. */
export async function sendTestMessage(
  db: Db,
  test: { actor: UserActor; account: ProviderAccount; lineId: string | undefined; phoneNumber: string },
  deps: SendDeps,
): Promise<StepResult> {
  const { actor, account, lineId, phoneNumber } = test
  const lines = await listLines(db, actor.scope, { channel: account.channel, accountId: account.id, lineId })
  const line = lines.find(({ is_active }) => is_active) ?? lines.find(({ registered_at }) => registered_at) ?? lines[0]
  if (!line) return { state: 'failed', message: 'The account has no such number: refresh the account' }
  if (!line.is_active) await activateLine(db, { actor, line, isActive: true })
  const { messageId } = await deps.send(db, {
    actor,
    senderId: line.id,
    accountId: account.id,
    displayNumber: line.facts.displayNumber,
    phoneNumber,
  })
  deps.wakeLanes(db)
  await sql`
    update provider_accounts set setup = setup || ${JSON.stringify({ test: { messageId, phoneNumber } })}::jsonb
    where organization_id = ${account.organization_id}::uuid and id = ${account.id}::uuid`.execute(db)
  return {
    state: 'waiting',
    message: `Sent to ${formatPhone(phoneNumber)}: waiting for the delivery report`,
  }
}

/** The result of the test; undefined if none was sent. */
export async function settleTest(
  db: Db,
  { organization_id, setup: { test, steps } }: ProviderAccount,
  findOutcome: FindOutcome,
): Promise<StepResult | undefined> {
  if (!test) return undefined
  const outcome = await findOutcome(db, { organizationId: organization_id, id: test.messageId })
  // Messages are deleted after a while; their results stay.
  if (!outcome) return steps['test']
  if (outcome.kind === 'delivered') return { state: 'passed', message: `Delivered to ${formatPhone(test.phoneNumber)}` }
  if (outcome.kind === 'failed')
    return { state: 'failed', message: `Not delivered to ${formatPhone(test.phoneNumber)}: ${outcome.detail}` }
  return {
    state: 'waiting',
    message: `Sent to ${formatPhone(test.phoneNumber)}: waiting for the delivery report`,
  }
}
