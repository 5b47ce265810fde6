import type { Logger } from './logger.ts'

export type LastResort = {
  /** Number of promise rejections without a handler. */
  unhandledRejections(): number
}

/**
 * Handles uncaught errors. An unhandled rejection concerns one piece of work: it is logged and counted. After an uncaught
 * exception the state of the process is undefined, so it must stop and be replaced.
 */
export function catchTheRest(logger: Logger, onUncaught: (error: Error) => void): LastResort {
  let rejections = 0
  process.on('unhandledRejection', (reason) => {
    rejections += 1
    logger.error({ err: reason }, 'unhandled promise rejection')
  })
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception; the process stops')
    onUncaught(error)
  })
  // A closed pipe, such as that of a log collector that exited, must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return { unhandledRejections: () => rejections }
}
