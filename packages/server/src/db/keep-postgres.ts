import { runEvery } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'
import { isAlive } from '../lib/processes.ts'
import { EmbeddedPostgresError, type EmbeddedPostgres } from './embedded.ts'

export type KeepOptions = {
  /** Starts it on the same port, which existing connections use. */
  start(port: number): Promise<EmbeddedPostgres>
  logger: Logger
  /** It failed to start too many times in a row. */
  onGivenUp(error: EmbeddedPostgresError): void
}

const checkEveryMs = 500
/** Maximum consecutive failed starts. A server that started and ended again is always restarted. */
const mostFailedStarts = 8

/** Restarts the embedded PostgreSQL whenever its process ends, until stopped. */
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
