import type { Db } from '../../../db/pool.ts'
import { createBitmap, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import { listBatches, type ReachKey } from './reach.queries.ts'

/** Recipients that a provider said it cannot reach; undefined if none. Those without an answer may be reachable. */
export async function findUnreachable(
  db: Db,
  key: ReachKey,
  { reading, accepted }: { reading: number; accepted: number },
): Promise<Bitmap | undefined> {
  const batches = await listBatches(db, key, reading)
  let unreachable: Bitmap | undefined
  for (const { lo, hi, reachable } of batches)
    for (let seq = lo; seq < hi; seq += 1) {
      if (hasBit(reachable, seq - lo)) continue
      unreachable ??= createBitmap(accepted)
      setBit(unreachable, seq)
    }
  return unreachable
}
