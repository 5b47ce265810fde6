import { sql } from 'kysely'
import { Logger as QueueLogger, parseCronItems, run, type Runner } from 'graphile-worker'
import type pg from 'pg'
import type { Db } from '../db/pool.ts'
import type { Logger } from '../lib/logger.ts'

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

/** Runs the background jobs of this process; a job that fails is tried again with growing delays. */
export async function startJobs(options: {
  pool: pg.Pool
  handlers: JobHandlers
  cron: CronJob[]
  logger: Logger
  concurrency: number
}): Promise<JobRunner> {
  const { handlers, logger } = options
  const stopping = new AbortController()
  const runner: Runner = await run({
    pgPool: options.pool,
    concurrency: options.concurrency,
    noHandleSignals: true,
    // The queue tells every job it finished; what matters is logged below.
    logger: new QueueLogger(() => () => undefined),
    pollInterval: 1000,
    taskList: Object.fromEntries(
      Object.entries(handlers).map(([name, handler]) => [
        name,
        // The queue keeps payloads as JSON; what went in under a name comes out under it.
        (payload: unknown) =>
          (handler as (payload: unknown, helpers: { signal: AbortSignal }) => Promise<void>)(payload, {
            signal: stopping.signal,
          }),
      ]),
    ),
    parsedCronItems: parseCronItems(
      options.cron.map(({ name, schedule }) => ({
        task: name,
        match: schedule,
        identifier: name,
        options: { backfillPeriod: 0 },
      })),
    ),
  })
  runner.events.on('job:error', ({ job, error }) =>
    logger.warn({ job: job.task_identifier, attempt: job.attempts, err: error }, 'a job failed'),
  )
  runner.events.on('job:failed', ({ job, error }) =>
    logger.error({ job: job.task_identifier, err: error }, 'a job was given up'),
  )
  return {
    async stop() {
      stopping.abort()
      await runner.stop()
    },
  }
}
