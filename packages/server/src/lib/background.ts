import type { Logger } from './logger.ts'

export type BackgroundOptions = {
  /** Name of the task in the log, such as `housekeeping`. */
  name: string
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

export type Repeated = {
  /** Runs now instead of at the next interval; during a run, once more after it. */
  now(): void
  /** Starts no further run and waits for the current one. */
  stop(): Promise<void>
}

const firstRetryMs = 1000
const leastLongestRetryMs = 2000
const longestRetryMs = 60_000

/**
 * Runs `work` now and then `everyMs` after the end of each run, so runs never overlap. A failed run is logged and retried
 * with increasing delays. Only the first failure of a series and the recovery are logged, so that an outage does not flood
 * the log.
 */
export function runEvery(everyMs: number, work: () => Promise<void>, { name, logger }: BackgroundOptions): Repeated {
  let failures = 0
  let isStopped = false
  let runAgain = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function attempt() {
    try {
      await work()
      if (failures > 0) logger.info({ task: name, failures }, 'a background task works again')
      failures = 0
    } catch (error) {
      if (failures === 0) logger.warn({ task: name, err: error }, 'a background task failed and is retried')
      failures += 1
    }
  }

  function now() {
    if (isStopped) return
    runAgain = running !== undefined
    if (running) return
    clearTimeout(timer)
    running = attempt().finally(() => {
      running = undefined
      if (isStopped) return
      if (runAgain) now()
      else timer = setTimeout(now, failures > 0 ? retryDelay(everyMs, failures) : everyMs)
    })
  }

  now()
  return {
    now,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}

function retryDelay(everyMs: number, failures: number): number {
  const longest = Math.min(Math.max(everyMs, leastLongestRetryMs), longestRetryMs)
  return Math.min(longest, Math.min(everyMs, firstRetryMs) * 2 ** (failures - 1))
}

/** Does not wait for `promise`; a rejection is logged. */
export function inBackground(promise: Promise<unknown>, { name, logger }: BackgroundOptions): void {
  promise.catch((error: unknown) => logger.error({ task: name, err: error }, 'a background task failed'))
}
