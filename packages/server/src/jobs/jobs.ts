import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import {
  Logger as QueueLogger,
  parseCronItems,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import { withPatience } from '../db/bounded-queries.ts'
import type { Db } from '../db/pool.ts'
import { inBackground, runEvery } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'
import { keepRunnerAlive, type RunnerTiming } from './runners.ts'

/** What a job's payload is, by the job's name. Modules add theirs by declaration merging, next to the code that reads it. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
export interface JobPayloads {
  /** Nothing runs under this name; it gives the map a first entry. */
  'jobs.none': Record<string, never>
}

export type JobName = keyof JobPayloads

export type EnqueueOptions = {
  /** A second job under the same key replaces the first while that has not begun. */
  jobKey?: string
  runAt?: Date
  /** Jobs of one queue run one after the other. */
  queue?: string
}

/** Adds a job in the transaction of the change that asks for it: both happen, or neither. */
export async function enqueue<Name extends JobName>(
  db: Db,
  job: { name: Name; payload: JobPayloads[Name] } & EnqueueOptions,
): Promise<void> {
  await sql`select enqueue_job(${job.name}, ${JSON.stringify(job.payload)}::json, ${job.jobKey ?? null}, ${job.runAt ?? null}::timestamptz, ${job.queue ?? null})`.execute(
    db,
  )
}

export type JobHandlers = {
  [Name in JobName]?: (payload: JobPayloads[Name], helpers: { signal: AbortSignal }) => Promise<void>
}

export type CronJob = { name: JobName; /** Five fields, UTC. */ schedule: string }

export type JobRunner = { stop(): Promise<void> }

type JobOptions = {
  pool: pg.Pool
  handlers: JobHandlers
  cron: CronJob[]
  logger: Logger
  concurrency: number
  /** Shorter in tests. */
  timing?: RunnerTiming
}

/** One life of the queue's runner. It ends by itself when it cannot write down that a job is done. */
type Life = { runner: Runner; poolId: string; hasEnded: boolean }

const checkEveryMs = 1000

/**
 * Runs the background jobs of this process; a job that fails is tried again with growing delays. A runner that ended without
 * the database is replaced once the database answers, and the jobs it held are free again. So are those of a process that
 * died.
 */
export async function startJobs(options: JobOptions): Promise<JobRunner> {
  const stopping = new AbortController()
  let life = await launch(options, stopping.signal)

  async function relaunch() {
    if (!life.hasEnded) return
    await options.pool.query('select graphile_worker.force_unlock_workers($1::text[])', [[life.poolId]])
    life = await launch(options, stopping.signal)
  }

  const keeping = runEvery(checkEveryMs, relaunch, { name: 'background jobs', logger: options.logger })
  const alive = keepRunnerAlive({ ...options, id: () => life.poolId })
  return {
    async stop() {
      stopping.abort()
      await keeping.stop()
      await alive.stop()
      if (!life.hasEnded) await life.runner.stop()
      await alive.forget()
    },
  }
}

async function launch(options: JobOptions, signal: AbortSignal): Promise<Life> {
  // The queue declares the emitter's events and takes any emitter.
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
  const runner = await run({
    pgPool: options.pool,
    events,
    concurrency: options.concurrency,
    noHandleSignals: true,
    // The queue tells every job it finished; what matters is logged below.
    logger: new QueueLogger(() => () => undefined),
    pollInterval: 1000,
    // Through its batches the queue reports what it could not write; without them it rejects a promise that nothing handles.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: listTasks(options.handlers, signal),
    parsedCronItems: parseCronItems(
      options.cron.map(({ name, schedule }) => ({
        task: name,
        match: schedule,
        identifier: name,
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

function listTasks(handlers: JobHandlers, signal: AbortSignal): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      // The queue keeps payloads as JSON; what went in under a name comes out under it.
      (payload: unknown) =>
        withPatience(() =>
          (handler as (payload: unknown, helpers: { signal: AbortSignal }) => Promise<void>)(payload, { signal }),
        ),
    ]),
  )
}

function reportJobs(events: WorkerEvents, logger: Logger) {
  events.on('job:error', ({ job, error }) =>
    logger.warn({ job: job.task_identifier, attempt: job.attempts, err: error }, 'a job failed'),
  )
  events.on('job:failed', ({ job, error }) =>
    logger.error({ job: job.task_identifier, err: error }, 'a job was given up'),
  )
}
