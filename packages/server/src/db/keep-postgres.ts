import { runEvery } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'
import { isAlive } from '../lib/processes.ts'
import { EmbeddedPostgresError, type EmbeddedPostgres } from './embedded.ts'

export type KeepOptions = {
  /** Starts it on the same port, because its address is in use. */
  start(port: number): Promise<EmbeddedPostgres>
  logger: Logger
  /** It did not start too many times in a row. */
  onGivenUp(error: EmbeddedPostgresError): void
}

const checkEveryMs = 500
/** Starts that may fail in a row. A server that came up and ended again, however soon, is always started again. */
const mostFailedStarts = 8

/** Starts the embedded PostgreSQL again whenever its process ends, until it is stopped. */
export function supervisePostgres(first: EmbeddedPostgres, options: KeepOptions): { stop(): Promise<void> } {
  const { logger } = options
  let postgres = first
  let failedStarts = 0
  let hasGivenUp = false

  async function restartIfEnded() {
    if (hasGivenUp || isAlive(postgres.pid)) return
    if (failedStarts === mostFailedStarts) {
      hasGivenUp = true
      options.onGivenUp(
        new EmbeddedPostgresError(
          `The embedded database ended and could not be started again in ${mostFailedStarts} attempts`,
        ),
      )
      return
    }
    logger.error({ pid: postgres.pid, failedStarts }, 'the embedded database ended and is started again')
    failedStarts += 1
    postgres = await options.start(postgres.port)
    failedStarts = 0
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
