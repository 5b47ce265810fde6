import { isCollision } from '../../../db/collisions.ts'
import { isUnavailable } from '../../../db/unavailable.ts'
import { runEvery } from '../../../lib/background.ts'
import { failPoint } from '../../../lib/fail-points.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Pool } from './lanes.queries.ts'
import { recordResults, type DeliveryResult } from './results.queries.ts'

export type Recorder = {
  add(result: DeliveryResult): void
  /** Stores what is waiting, as far as the database is available. */
  stop(): Promise<void>
}

type Options = { pool: Pool; logger: Logger; onStored(results: readonly DeliveryResult[]): void }

const mostAtOnce = 500
/** Results are stored together if they arrive within this time. */
const gatherMs = 10
const retryEveryMs = 1000

/** Stores results in batches, one at a time. While the database is unavailable they wait. */
export function createRecorder({ pool, logger, onStored }: Options): Recorder {
  let waiting: DeliveryResult[] = []
  let timer: NodeJS.Timeout | undefined

  async function store() {
    timer = undefined
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostAtOnce)
      failPoint('webhook-before-record')
      await storeBatch({ pool, logger }, batch)
      waiting = waiting.slice(batch.length)
      onStored(batch)
    }
  }

  const storing = runEvery(retryEveryMs, store, { name: 'storing results of webhooks', logger })
  return {
    add(result) {
      waiting.push(result)
      if (waiting.length >= mostAtOnce) storing.now()
      else timer ??= setTimeout(storing.now, gatherMs)
    },
    async stop() {
      clearTimeout(timer)
      await storing.stop()
      await store().catch((error: unknown) =>
        logger.warn(
          { err: error, results: waiting.length },
          'results of webhooks were not stored: they are sent again',
        ),
      )
    },
  }
}

/** A result that cannot be stored does not hold up the others; its delivery is sent again by the next owner. */
async function storeBatch(
  { pool, logger }: Pick<Options, 'pool' | 'logger'>,
  batch: readonly DeliveryResult[],
): Promise<void> {
  try {
    await recordResults(pool, batch)
  } catch (error) {
    if (isUnavailable(error) || isCollision(error)) throw error
    if (batch.length > 1) {
      for (const result of batch) await storeBatch({ pool, logger }, [result])
      return
    }
    logger.error({ delivery: batch[0]?.id, err: error }, 'the result of a webhook could not be stored')
  }
}
