import type { Logger } from './logger.ts'

export type LastResort = {
  /** Promises that were rejected without a handler. */
  unhandledRejections(): number
}

/**
 * What no handler caught. A rejected promise belongs to one piece of work: it is logged and counted, and the others go on.
 * After an exception that nothing caught the state of the process is not known: it has to stop and be replaced.
 */
export function catchTheRest(logger: Logger, onUncaught: (error: Error) => void): LastResort {
  let rejections = 0
  process.on('unhandledRejection', (reason) => {
    rejections += 1
    logger.error({ err: reason }, 'a promise was rejected without a handler')
  })
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'an exception was not caught; the process stops')
    onUncaught(error)
  })
  // A closed pipe, such as that of a log collector that went away, ends nothing.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return { unhandledRejections: () => rejections }
}
