import { isCollision } from '../../../db/collisions.ts'
import { isUnavailable } from '../../../db/unavailable.ts'
import { retry } from '../../../lib/retry.ts'

const delaysMs = [100, 300, 1000, 2000, 4000]

/**
 * Writes results of messages that were sent. They must survive a restart of the database, so the write is retried for some
 * seconds; every such write is safe to repeat. After that the lane fails, and its next owner writes *unknown*.
 */
export async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  return retry(write, { isTransient: (error) => isUnavailable(error) || isCollision(error), delaysMs })
}
