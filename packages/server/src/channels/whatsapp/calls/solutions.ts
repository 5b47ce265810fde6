import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { badField } from '../../../lib/problem.ts'
import { recordAudit, whoActs } from '../../../modules/audit/index.ts'

/** A solution of a partner of the provider, under which customers sign up. */
export type Solution = { solutionId: string; name: string; provider: string }

const key = 'whatsapp_solution'

/** Which one accounts sign up with. It holds for the whole installation, so it lies in no organisation. */
export async function getSolution(db: Db, solutions: readonly Solution[]): Promise<string | null> {
  const row = await db.selectFrom('system_state').select('value').where('key', '=', key).executeTakeFirst()
  // One that is no longer offered is chosen no longer.
  return solutions.find(({ solutionId }) => solutionId === Object(row?.value).solutionId)?.solutionId ?? null
}

export async function chooseSolution(
  db: Db,
  solutions: readonly Solution[],
  { actor, solutionId }: { actor: UserActor; solutionId: string | null },
): Promise<void> {
  if (solutionId !== null && !solutions.some((solution) => solution.solutionId === solutionId))
    throw badField('solutionId', 'Unknown solution: choose one of those offered')
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'whatsapp_solution.chosen',
    details: { solutionId },
  })
  await sql`insert into system_state (key, value) values (${key}, ${JSON.stringify({ solutionId })}::jsonb)
    on conflict (key) do update set value = excluded.value`.execute(db)
}
