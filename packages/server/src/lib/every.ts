/**
 * Calls `work` each time `everyMs` have passed, until it is stopped. A call that is due while one is under way is left out.
 * It keeps no process alive. A promise that rejects is ignored: work whose failures matter is run by `runEvery`, which logs
 * and retries them.
 */
export function every(everyMs: number, work: () => void | Promise<void>): { stop(): void } {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    const running = work()
    if (!running) return
    isRunning = true
    const end = () => {
      isRunning = false
    }
    running.then(end, end)
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
