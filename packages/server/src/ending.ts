import { every } from './lib/every.ts'
import { findName, findParent, findStart, isAlive } from './lib/processes.ts'

/** Why the process ends: somebody asked for it, or it cannot go on. */
export type Ending = { kind: 'asked'; mayDrain: boolean } | { kind: 'failed'; error: Error }

export type Endings = {
  /** Resolves once, with the first reason. */
  first: Promise<Ending>
  fail(error: Error): void
}

/** npm passes a terminal's Ctrl-C on to a program that already got it: two signals so close are one. */
const sameSignalMs = 1000
const parentCheckMs = 500

/**
 * Waits for the end of the process: a signal, a failure, or the end of the npm that started it, which may die without
 * passing its signal on. A second signal does not wait for an orderly stop.
 */
export function awaitEnding(): Endings {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  let firstSignalAt: number | undefined

  function take(signal: NodeJS.Signals) {
    const now = performance.now()
    if (firstSignalAt !== undefined && now - firstSignalAt > sameSignalMs) process.exit(1)
    firstSignalAt ??= now
    // A person at the terminal does not wait for load balancers.
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

/** The npm above this process: between them stand shells, which may outlive it. */
function findNpm(): number | undefined {
  let pid: number | undefined = process.ppid
  while (pid !== undefined && pid > 1 && !findName(pid).startsWith('npm')) pid = findParent(pid)
  return pid !== undefined && pid > 1 ? pid : undefined
}
