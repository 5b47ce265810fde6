import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { conflict } from '../../../lib/problem.ts'

/** Sends a variant to the recipients who are not in the test. */
export async function chooseWinner(
  _db: Db,
  _choice: { actor: UserActor; id: string; variant: number },
): Promise<{ _id: string; winner: number }> {
  throw conflict('This campaign has no test')
}
