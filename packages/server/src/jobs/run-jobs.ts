import { EventEmitter } from 'node:events'
import {
  Logger as QueueLogger,
  parseCronItems,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker'
import type pg from 'pg'
import { withPatience } from '../db/bounded-queries.ts'
import { inBackground, runEvery } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'
import type { CronJob, JobHandler, WaitsFor } from './jobs.ts'
import { createProviderPauses, ProviderPaused } from './provider-pauses.ts'
import { renewRunner, type RunnerTiming } from './runners.ts'

export type JobRunner = { stop(): Promise<void> }

/** How many jobs of each kind run at a time. */
const places: Record<WaitsFor, number> = {
  nothing: 4,
  'mail server': 4,
  // Each costs a request and next to no work. An organisation occupies at most two.
  provider: 64,
  // More than an organisation may have at once.
  report: 3,
}

/** Milliseconds between looks for jobs whose time has come; new ones are announced. Each idle place looks for itself. */
const pollEveryMs: Record<WaitsFor, number> = { nothing: 1000, 'mail server': 1000, provider: 10_000, report: 1000 }

/** Ends a job whose provider answers, but never comes to an end. */
const providerDeadlineMs = 300_000

type JobOptions = {
  pool: pg.Pool
  handlers: readonly JobHandler[]
  cron: readonly CronJob[]
  logger: Logger
  /** Shorter in tests. */
  timing?: RunnerTiming
}

type GroupOptions = JobOptions & { waitsFor: WaitsFor; signal: AbortSignal }

/** One run of the queue's runner. It ends by itself if it cannot record that a job is done. */
type RunnerHandle = { runner: Runner; poolId: string; hasEnded: boolean }

const checkEveryMs = 1000

/** Runs the background jobs of this process, each kind in its own places; failed jobs are retried with increasing delays. */
export async function startJobs(options: JobOptions): Promise<JobRunner> {
  const stopping = new AbortController()
  const runners: JobRunner[] = []
  for (const waitsFor of ['nothing', 'mail server', 'provider', 'report'] as const) {
    const handlers = options.handlers.filter((handler) => handler.waitsFor === waitsFor)
    const names = new Set(handlers.map(({ name }) => name))
    const cron = options.cron.filter(({ job }) => names.has(job.name))
    if (handlers.length > 0)
      runners.push(await startGroup({ ...options, handlers, cron, waitsFor, signal: stopping.signal }))
  }
  return {
    async stop() {
      stopping.abort()
      await Promise.all(runners.map((runner) => runner.stop()))
    },
  }
}

/**
 * Runs the jobs of one kind. A runner that ended without the database is replaced once the database responds, and its jobs are
 * unlocked. So are those of dead processes.
 */
async function startGroup(options: GroupOptions): Promise<JobRunner> {
  const tasks = listTasks(options)
  let handle = await launch(options, tasks)

  async function relaunch() {
    if (!handle.hasEnded) return
    await options.pool.query('select graphile_worker.force_unlock_workers($1::text[])', [[handle.poolId]])
    handle = await launch(options, tasks)
  }

  const keeping = runEvery(checkEveryMs, relaunch, { name: 'background jobs', logger: options.logger })
  const alive = renewRunner({ ...options, id: () => handle.poolId })
  return {
    async stop() {
      await keeping.stop()
      await alive.stop()
      if (!handle.hasEnded) await handle.runner.stop()
      await alive.forget()
    },
  }
}

async function launch(options: GroupOptions, taskList: TaskList): Promise<RunnerHandle> {
  // The queue declares the events of the emitter and accepts any emitter.
  const events = new EventEmitter() as WorkerEvents
  let poolId = ''
  let hasEnded = false
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id
  })
  events.on('pool:release', () => {
    hasEnded = true
  })
  reportJobs(events, options.logger)
  continueQueues(events)
  const runner = await run({
    pgPool: options.pool,
    events,
    concurrency: places[options.waitsFor],
    noHandleSignals: true,
    // The queue logs every finished job; relevant events are logged below.
    logger: new QueueLogger(() => () => undefined),
    pollInterval: pollEveryMs[options.waitsFor],
    // With batching, the queue reports failed writes; without it, it rejects a promise that nothing handles.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList,
    parsedCronItems: parseCronItems(
      options.cron.map(({ job, schedule }) => ({
        task: job.name,
        match: schedule,
        identifier: job.name,
        options: { backfillPeriod: 0 },
      })),
    ),
  })
  inBackground(runner.promise, { name: 'background jobs', logger: options.logger })
  return {
    runner,
    get poolId() {
      return poolId
    },
    get hasEnded() {
      return hasEnded
    },
  }
}

function listTasks({ handlers, signal }: GroupOptions): TaskList {
  const pauses = createProviderPauses()
  return Object.fromEntries(
    handlers.map(({ name, waitsFor, run }) => {
      const once = (payload: unknown) => withPatience(() => run(payload, { signal }))
      const bounded = (payload: unknown) => {
        const deadline = AbortSignal.any([signal, AbortSignal.timeout(providerDeadlineMs)])
        return pauses.run(organizationOf(payload), () => withPatience(() => run(payload, { signal: deadline })))
      }
      return [name, waitsFor === 'provider' ? bounded : once]
    }),
  )
}

/** `defineProviderJob` requires it of the payload. */
function organizationOf(payload: unknown): string {
  return String(Object(payload).organizationId)
}

function reportJobs(events: WorkerEvents, logger: Logger) {
  events.on('job:error', ({ job, error }) => {
    // The job before it was reported.
    if (error instanceof ProviderPaused) return
    logger.warn({ job: job.task_identifier, attempt: job.attempts, err: error }, 'a job failed')
  })
  events.on('job:failed', ({ job, error }) =>
    logger.error({ job: job.task_identifier, err: error }, 'a job was given up'),
  )
}

/** The queue writes that a job is done after this time at most, unless the database is busy. */
const writtenAfterMs = 50

/** A place looks for its next job before the last one has left its queue, so the next of that queue would wait for a poll. */
function continueQueues(events: WorkerEvents) {
  let pool: WorkerPool | undefined
  const release = () => {
    pool = undefined
  }
  events.on('pool:create', ({ workerPool }) => {
    pool = workerPool
  })
  events.on('pool:gracefulShutdown', release)
  events.on('pool:forcefulShutdown', release)
  events.on('job:complete', ({ job }) => {
    if (job.job_queue_id !== null) setTimeout(() => pool?.nudge(1), writtenAfterMs).unref()
  })
}
