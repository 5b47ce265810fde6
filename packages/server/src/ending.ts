import { every } from './lib/every.ts'
import { findName, findParent, findStart, isAlive } from './lib/processes.ts'

/** Why the process ends: on request, or because of a failure. */
export type Ending = { kind: 'asked'; mayDrain: boolean } | { kind: 'failed'; error: Error }

export type Endings = {
  /** Resolves once, with the first reason. */
  first: Promise<Ending>
  fail(error: Error): void
}

/** npm forwards a terminal's Ctrl-C to a program that already got it: two signals this close count as one. */
const sameSignalMs = 1000
const parentCheckMs = 500

/**
 * Waits for the end of the process: a signal, a failure, or the end of the npm process that started it, which may die
 * without forwarding its signal. A second signal skips the orderly stop.
 */
export function awaitEnding(): Endings {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  let firstSignalAt: number | undefined

  function take(signal: NodeJS.Signals) {
    const now = performance.now()
    if (firstSignalAt !== undefined && now - firstSignalAt > sameSignalMs) process.exit(1)
    firstSignalAt ??= now
    // Interactive use needs no draining of load balancers.
    resolve({ kind: 'asked', mayDrain: signal === 'SIGTERM' })
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, take)
  if (process.env['npm_lifecycle_event'] === 'start') whenNpmEnds(() => resolve({ kind: 'asked', mayDrain: false }))
  return { first: promise, fail: (error) => resolve({ kind: 'failed', error }) }
}

function whenNpmEnds(ended: () => void) {
  const parent = process.ppid
  const npm = findNpm()
  const start = npm && findStart(npm)
  const checking = every(parentCheckMs, () => {
    if (process.ppid === parent && (npm === undefined || (isAlive(npm) && findStart(npm) === start))) return
    checking.stop()
    ended()
  })
}

/** The npm process above this one; shells in between may outlive it. */
function findNpm(): number | undefined {
  let pid: number | undefined = process.ppid
  while (pid !== undefined && pid > 1 && !findName(pid).startsWith('npm')) pid = findParent(pid)
  return pid !== undefined && pid > 1 ? pid : undefined
}
