import { getChannel } from '../../channels/index.ts'
import { Refusal } from '../../channels/management.ts'
import type { Db, RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { clearConnectionFailure } from './connection-failures.ts'
import {
  lockUnchanged,
  writeSteps,
  type AccountKey,
  type ProviderAccount,
  type StepResult,
} from './provider-accounts.ts'

type Step = {
  actor: UserActor
  transaction: RunTransaction
  account: ProviderAccount
  name: string
  run(): Promise<StepResult>
}

type StepDeps = {
  clock: Clock
  /** Resumes campaigns paused because of this account. */
  onConnectionRestored(db: Db, account: AccountKey): Promise<void>
}

/** Runs a step of a connection and stores its result; a failure is a result, not an error. */
export async function runStep({ actor, transaction, account, name, run }: Step, deps: StepDeps): Promise<StepResult> {
  const result = await withFailures(run)
  await transaction(async (db) => {
    await lockUnchanged(db, account)
    await writeSteps(db, account, { [name]: { ...result, at: deps.clock.now().toISOString() } })
    const key = { organizationId: account.organization_id, accountId: account.id }
    const isAccess = name === 'token' && result.state === 'passed'
    if (isAccess && (await clearConnectionFailure(db, key))) await deps.onConnectionRestored(db, key)
    const { audited } = getChannel(account.channel).accounts
    await recordAudit(db, {
      organizationId: account.organization_id,
      ...whoActs(actor),
      action: `${audited.account}.step_${result.state}`,
      object: { type: audited.account, id: account.id },
      details: { step: name },
    })
  })
  return result
}

async function withFailures(run: () => Promise<StepResult>): Promise<StepResult> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Refusal || error instanceof Problem) return { state: 'failed', message: error.message }
    throw error
  }
}
