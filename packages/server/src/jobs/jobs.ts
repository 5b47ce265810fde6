import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import { z } from 'zod'
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
import { renewRunner, type RunnerTiming } from './runners.ts'

/** A background job: its name in the queue, and its payload schema. */
export type Job<Payload> = { name: string; payload: z.ZodType<Payload> }

/** A job with its implementation. */
export type JobHandler = { name: string; run(payload: unknown, helpers: JobHelpers): Promise<void> }

export type JobHelpers = {
  /** Aborted when the process stops. */
  signal: AbortSignal
}

export type JobRequest<Payload> = {
  payload: Payload
  /** A second job with the same key replaces the first if that has not started. */
  jobKey?: string
  runAt?: Date
  /** Jobs of one queue run one after the other. */
  queue?: string
}

/** Payload of a job that needs none, such as a scheduled one. */
export const noPayload = z.object({})

/** Declares a job for its callers; `handleJob` provides the implementation, where its dependencies are known. */
export function defineJob<Payload>(name: string, payload: z.ZodType<Payload>): Job<Payload> {
  return { name, payload }
}

/** Implements a job. A payload that the schema rejects fails the job. */
export function handleJob<Payload>(
  job: Job<Payload>,
  run: (payload: Payload, helpers: JobHelpers) => Promise<void>,
): JobHandler {
  return { name: job.name, run: async (payload, helpers) => run(job.payload.parse(payload), helpers) }
}

/** Adds a job in the transaction of the change that requires it: both happen, or neither. */
export async function addJob<Payload>(db: Db, job: Job<Payload>, request: JobRequest<Payload>): Promise<void> {
  const { payload, jobKey = null, runAt = null, queue = null } = request
  await sql`select enqueue_job(${job.name}, ${JSON.stringify(payload)}::json, ${jobKey}, ${runAt}::timestamptz, ${queue})`.execute(
    db,
  )
}

export type CronJob = { job: Job<Record<string, never>>; /** Five cron fields, UTC. */ schedule: string }

export type JobRunner = { stop(): Promise<void> }

type JobOptions = {
  pool: pg.Pool
  handlers: readonly JobHandler[]
  cron: CronJob[]
  logger: Logger
  concurrency: number
  /** Shorter in tests. */
  timing?: RunnerTiming
}

/** One run of the queue's runner. It ends by itself if it cannot record that a job is done. */
type RunnerHandle = { runner: Runner; poolId: string; hasEnded: boolean }

const checkEveryMs = 1000

/**
 * Runs the background jobs of this process; failed jobs are retried with increasing delays. A runner that ended without the
 * database is replaced once the database responds, and its jobs are unlocked. So are those of dead processes.
 */
export async function startJobs(options: JobOptions): Promise<JobRunner> {
  const stopping = new AbortController()
  let handle = await launch(options, stopping.signal)

  async function relaunch() {
    if (!handle.hasEnded) return
    await options.pool.query('select graphile_worker.force_unlock_workers($1::text[])', [[handle.poolId]])
    handle = await launch(options, stopping.signal)
  }

  const keeping = runEvery(checkEveryMs, relaunch, { name: 'background jobs', logger: options.logger })
  const alive = renewRunner({ ...options, id: () => handle.poolId })
  return {
    async stop() {
      stopping.abort()
      await keeping.stop()
      await alive.stop()
      if (!handle.hasEnded) await handle.runner.stop()
      await alive.forget()
    },
  }
}

async function launch(options: JobOptions, signal: AbortSignal): Promise<RunnerHandle> {
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
  const runner = await run({
    pgPool: options.pool,
    events,
    concurrency: options.concurrency,
    noHandleSignals: true,
    // The queue logs every finished job; relevant events are logged below.
    logger: new QueueLogger(() => () => undefined),
    pollInterval: 1000,
    // With batching, the queue reports failed writes; without it, it rejects a promise that nothing handles.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: listTasks(options.handlers, signal),
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

function listTasks(handlers: readonly JobHandler[], signal: AbortSignal): TaskList {
  return Object.fromEntries(
    handlers.map(({ name, run }) => [name, (payload: unknown) => withPatience(() => run(payload, { signal }))]),
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
