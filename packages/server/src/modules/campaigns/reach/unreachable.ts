import type { Db } from '../../../db/pool.ts'
import { createBitmap, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import { listBatches, type ReachKey } from './reach.queries.ts'

/** Who can be reached, as a provider said. Recipients without an answer may be reachable. */
export type KnownReach = {
  /** Recipients it cannot reach; undefined if none. */
  unreachable: Bitmap | undefined
  /** It answered for all or some. */
  isReachKnown: boolean
}

export const nothingKnown: KnownReach = { unreachable: undefined, isReachKnown: false }

export async function findUnreachable(
  db: Db,
  key: ReachKey,
  { reading, accepted }: { reading: number; accepted: number },
): Promise<KnownReach> {
  const batches = await listBatches(db, key, reading)
  let unreachable: Bitmap | undefined
  for (const { lo, hi, reachable } of batches)
    for (let seq = lo; seq < hi; seq += 1) {
      if (hasBit(reachable, seq - lo)) continue
      unreachable ??= createBitmap(accepted)
      setBit(unreachable, seq)
    }
  return { unreachable, isReachKnown: batches.length > 0 }
}
