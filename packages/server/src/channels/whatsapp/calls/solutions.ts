import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { badField } from '../../../lib/problem.ts'
import { recordAudit, whoActs } from '../../../modules/audit/index.ts'
import { findChannelSetting, saveChannelSetting } from '../../../modules/senders/index.ts'

/** A solution of a Meta partner, under which customers sign up. */
export type Solution = { solutionId: string; name: string; provider: string }

const key = 'whatsapp_solution'

/** The installation's solution for sign-ups; null if it is no longer offered. */
export async function getSolution(db: Db, solutions: readonly Solution[]): Promise<string | null> {
  const chosen: unknown = Object(await findChannelSetting(db, key)).solutionId
  return solutions.find(({ solutionId }) => solutionId === chosen)?.solutionId ?? null
}

export async function chooseSolution(
  db: Db,
  solutions: readonly Solution[],
  { actor, solutionId }: { actor: UserActor; solutionId: string | null },
): Promise<void> {
  if (solutionId !== null && !solutions.some((solution) => solution.solutionId === solutionId))
    throw badField('solutionId', 'Unknown solution: choose one from the list')
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'whatsapp_solution.chosen',
    details: { solutionId },
  })
  await saveChannelSetting(db, key, { solutionId })
}
