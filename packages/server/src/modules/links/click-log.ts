import type { Database } from '../../db/pool.ts'
import { runEvery, type Repeated } from '../../lib/background.ts'
import type { Logger } from '../../lib/logger.ts'
import { createCounter } from '../../lib/metrics.ts'
import { writeClicks, type Click } from './write-clicks.ts'

export type ClickLog = {
  note(click: Click): void
  /** Writes the waiting clicks regularly, and all of them when it stops. */
  start(): { stop(): Promise<void> }
}

const writeEveryMs = 250
/** Clicks that wait in memory while the database is slow or away, and those of one statement. */
type Limits = { waiting: number; batch: number }
const defaultLimits: Limits = { waiting: 100_000, batch: 1000 }

const lost = createCounter({
  name: 'carillon_link_clicks_lost_total',
  help: 'Clicks on tracked links that were not counted, because too many waited to be written',
  labelNames: [],
})

type Deps = { database: Database; logger: Logger; limits?: Limits }

/** Collects clicks in memory and appends them in batches, so that no redirect waits. A crash loses those of the last moments. */
export function createClickLog({ database, logger, limits = defaultLimits }: Deps): ClickLog {
  const waiting: Click[] = []
  let dropped = 0
  let writing: Repeated | undefined

  function note(click: Click) {
    if (waiting.length >= limits.waiting) {
      dropped += 1
      lost({}).count += 1
      return
    }
    waiting.push(click)
    if (waiting.length === limits.batch) writing?.now()
  }

  async function write() {
    if (dropped > 0) {
      logger.warn({ dropped }, 'clicks on tracked links were not counted: too many waited to be written')
      dropped = 0
    }
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limits.batch)
      await writeClicks(database, batch)
      // Clicks that were noted meanwhile are behind them.
      waiting.splice(0, batch.length)
    }
  }

  return {
    note,
    start() {
      const repeated = runEvery(writeEveryMs, write, { name: 'writing clicks on tracked links', logger })
      writing = repeated
      return {
        async stop() {
          await repeated.stop()
          await write().catch((error: unknown) =>
            logger.warn({ err: error, clicks: waiting.length }, 'the last clicks on tracked links were lost'),
          )
        },
      }
    },
  }
}
