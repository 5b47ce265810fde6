import { runEvery } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'
import { isAlive } from '../lib/processes.ts'
import { EmbeddedPostgresError, type EmbeddedPostgres } from './embedded.ts'

export type KeepOptions = {
  /** Starts it on the same port, because its address is in use. */
  start(port: number): Promise<EmbeddedPostgres>
  logger: Logger
  /** It ended, or did not start, too many times in a row. */
  onGivenUp(error: EmbeddedPostgresError): void
}

const checkEveryMs = 500
const mostRestarts = 8
/** A server that ran for so long was well: what happens later counts anew. */
const wellAfterMs = 60_000

/** Starts the embedded PostgreSQL again whenever its process ends, until it is stopped. */
export function keepPostgres(first: EmbeddedPostgres, options: KeepOptions): { stop(): Promise<void> } {
  const { logger } = options
  let postgres = first
  let startedAt = performance.now()
  let restarts = 0
  let hasGivenUp = false

  async function restartIfEnded() {
    if (hasGivenUp || isAlive(postgres.pid)) return
    if (performance.now() - startedAt > wellAfterMs) restarts = 0
    if (restarts === mostRestarts) {
      hasGivenUp = true
      options.onGivenUp(
        new EmbeddedPostgresError(
          `The embedded database ended and could not be started again in ${mostRestarts} attempts`,
        ),
      )
      return
    }
    restarts += 1
    logger.error({ pid: postgres.pid, restarts }, 'the embedded database ended and is started again')
    startedAt = performance.now()
    postgres = await options.start(postgres.port)
    logger.warn({ pid: postgres.pid }, 'the embedded database runs again')
  }

  const keeping = runEvery(checkEveryMs, restartIfEnded, { name: 'keeping the embedded database', logger })
  return {
    async stop() {
      await keeping.stop()
      await postgres.stop()
    },
  }
}
