import { isCollision } from '../../../db/collisions.ts'
import { isUnavailable } from '../../../db/unavailable.ts'

const delaysMs = [100, 300, 1000, 2000, 4000]

/**
 * Writes what is known of messages that have left. It must not be lost to a database that restarts, so it is tried again
 * for some seconds; every such write may be repeated. Afterwards the lane breaks, and its next owner says *unknown*.
 */
export async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  for (const delayMs of delaysMs) {
    try {
      return await write()
    } catch (error) {
      if (!isUnavailable(error) && !isCollision(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  return write()
}
