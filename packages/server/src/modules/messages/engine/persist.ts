import { isCollision } from '../../../db/collisions.ts'
import { isUnavailable } from '../../../db/unavailable.ts'
import { retry } from '../../../lib/retry.ts'

const delaysMs = [100, 300, 1000, 2000, 4000]

/**
 * Writes what is known of messages that have left. It must not be lost to a database that restarts, so it is tried again
 * for some seconds; every such write may be repeated. Afterwards the lane breaks, and its next owner says *unknown*.
 */
export async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  return retry(write, { isTransient: (error) => isUnavailable(error) || isCollision(error), delaysMs })
}
