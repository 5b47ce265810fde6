/**
 * Calls `work` each time `everyMs` have passed, until it is stopped. A call that is due while another is running is skipped.
 * The timer does not keep the process alive. A rejected promise is ignored: work whose failures matter uses `runEvery`, which
 * logs and retries.
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
