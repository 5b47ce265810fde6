import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db/pool.ts'

/**
 * What a job waits for besides the database and files. Each kind has places of its own in a process, so that a provider or
 * mail server that does not answer delays no other kind. Nor do reports, each of which reads for as long as its file is long.
 */
export type WaitsFor = 'nothing' | 'mail server' | 'provider' | 'report'

/** A background job: its name in the queue, and its payload schema. */
export type Job<Payload> = {
  name: string
  payload: z.ZodType<Payload>
  waitsFor?: WaitsFor
  /** Jobs of one queue run one after the other, in all processes. */
  queueOf?(payload: Payload): string
}

/** A job with its implementation. */
export type JobHandler = {
  name: string
  waitsFor: WaitsFor
  run(payload: unknown, helpers: JobHelpers): Promise<void>
}

export type JobHelpers = {
  /** Aborted when the process stops; for jobs that wait for a provider also at their deadline. */
  signal: AbortSignal
}

export type JobRequest<Payload> = {
  payload: Payload
  /** A second job with the same key replaces the first if that has not started. */
  jobKey?: string
  runAt?: Date
}

/** Payload of a job that needs none, such as a scheduled one. */
export const noPayload = z.object({})

/** Declares a job for its callers; `handleJob` provides the implementation, where its dependencies are known. */
export function defineJob<Payload>(name: string, payload: z.ZodType<Payload>): Job<Payload> {
  return { name, payload }
}

/** Declares a job that waits for the mail server. */
export function defineMailJob<Payload>(name: string, payload: z.ZodType<Payload>): Job<Payload> {
  return { name, payload, waitsFor: 'mail server' }
}

/**
 * Declares a job that waits for a provider. Of each organisation one runs at a time, and one of those with `purpose`: a file
 * that takes long does not hold up the rest.
 */
export function defineProviderJob<Payload extends { organizationId: string }>(
  name: string,
  payload: z.ZodType<Payload>,
  purpose: 'accounts' | 'media' | 'reach' | 'receipts' | 'reports' = 'accounts',
): Job<Payload> & Required<Pick<Job<Payload>, 'queueOf'>> {
  return {
    name,
    payload,
    waitsFor: 'provider',
    queueOf: ({ organizationId }) => `provider:${purpose}:${organizationId}`,
  }
}

/** Declares a job that writes a report. Of each organisation one runs at a time in each of its places. */
export function defineReportJob<Payload extends { organizationId: string; place: number }>(
  name: string,
  payload: z.ZodType<Payload>,
): Job<Payload> {
  return {
    name,
    payload,
    waitsFor: 'report',
    queueOf: ({ organizationId, place }) => `report:${organizationId}:${place}`,
  }
}

/** Implements a job. A payload that the schema rejects fails the job. */
export function handleJob<Payload>(
  job: Job<Payload>,
  run: (payload: Payload, helpers: JobHelpers) => Promise<void>,
): JobHandler {
  const { name, waitsFor = 'nothing' } = job
  return { name, waitsFor, run: async (payload, helpers) => run(job.payload.parse(payload), helpers) }
}

/** Adds a job in the transaction of the change that requires it, so that both are committed or neither is. */
export async function addJob<Payload>(db: Db, job: Job<Payload>, request: JobRequest<Payload>): Promise<void> {
  await addJobs(db, job, [request])
}

/** Adds any number of jobs of one kind in one statement. */
export async function addJobs<Payload>(
  db: Db,
  job: Job<Payload>,
  requests: readonly JobRequest<Payload>[],
): Promise<void> {
  if (requests.length === 0) return
  const payloads = requests.map(({ payload }) => JSON.stringify(payload))
  const keys = requests.map(({ jobKey }) => jobKey ?? null)
  const times = requests.map(({ runAt }) => runAt ?? null)
  const queues = requests.map(({ payload }) => job.queueOf?.(payload) ?? null)
  await sql`
    select enqueue_job(${job.name}, payload::json, job_key, run_at, queue)
    from unnest(${payloads}::text[], ${keys}::text[], ${times}::timestamptz[], ${queues}::text[]) as request (payload, job_key, run_at, queue)
  `.execute(db)
}

export type CronJob = { job: Job<Record<string, never>>; /** Five cron fields, UTC. */ schedule: string }
