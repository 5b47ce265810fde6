import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { addJob } from '../../jobs/jobs.ts'
import { storableText } from '../../lib/storable.ts'
import type { MailAttempt } from '../mails/index.ts'
import { deliverReport, type DeliveryKey } from './delivery-job.ts'
import { settleRun } from './settle-run.ts'

/** Result of a delivery attempt, in words for the log. */
export type AttemptResult = {
  error: string | null
  response: string | null
  /** Further attempts would fail as well. */
  isFinal?: boolean
}

const minuteMs = 60_000
/** Waits after the first, second, … failed attempt. */
export const retryWaitsMs = [1, 5, 30, 120, 360].map((minutes) => minutes * minuteMs)
/** The mail server's queue continues, so a late success still counts. */
const mostMailAttempts = 10

type Recorded = AttemptResult & { key: DeliveryKey; now: Date }

/** Adds an attempt to the log of a delivery that waits, and plans the next one. */
export async function recordAttempt(db: Db, { key, now, ...result }: Recorded): Promise<void> {
  const before = await lockDelivery(db, key)
  if (before?.status !== 'waiting') return
  const waitMs = result.error === null || result.isFinal ? undefined : retryWaitsMs[before.count]
  const nextAt = waitMs === undefined ? null : new Date(now.getTime() + waitMs)
  const failed = nextAt === null ? 'failed' : 'waiting'
  await append(db, { key, at: now, result, status: result.error === null ? 'delivered' : failed, nextAt })
  if (nextAt) await addJob(db, deliverReport, { payload: key, runAt: nextAt })
  await settleRun(db, { organizationId: key.organizationId, runId: before.run_id })
}

/** Adds the result of a mail to the log of the delivery that it belongs to. Retries are made by the queue of mails. */
export async function noteMailAttempt(db: Db, { organizationId, id, outcome, response }: MailAttempt): Promise<void> {
  const delivery = await db
    .selectFrom('report_deliveries')
    .select(['id', 'run_id', 'status', sql<number>`jsonb_array_length(attempts)`.as('count')])
    .where('organization_id', '=', organizationId)
    .where('mail_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!delivery) return
  const isSent = outcome === 'sent'
  const isOver = outcome === 'refused' || delivery.count + 1 >= mostMailAttempts
  const unsent = isOver ? 'failed' : 'waiting'
  const refused = outcome === 'refused' ? `The mail server refused the mail: ${response}` : response
  await append(db, {
    key: { organizationId, deliveryId: delivery.id },
    at: new Date(),
    result: isSent ? { error: null, response } : { error: refused, response: null },
    status: isSent ? 'delivered' : unsent,
    nextAt: null,
  })
  // Of a delivery that failed, further attempts are only logged.
  if (delivery.status === 'waiting' || isSent) await settleRun(db, { organizationId, runId: delivery.run_id })
}

function lockDelivery(db: Db, { organizationId, deliveryId }: DeliveryKey) {
  return db
    .selectFrom('report_deliveries')
    .select(['run_id', 'status', sql<number>`jsonb_array_length(attempts)`.as('count')])
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .forUpdate()
    .executeTakeFirst()
}

type Appended = {
  key: DeliveryKey
  at: Date
  result: AttemptResult
  status: 'waiting' | 'delivered' | 'failed'
  nextAt: Date | null
}

async function append(db: Db, { key, at, result, status, nextAt }: Appended): Promise<void> {
  const { error, response } = result
  const words = (text: string | null) => (text === null ? null : storableText(text).slice(0, 500))
  const attempt = { at: at.toISOString(), error: words(error), response: words(response) }
  await db
    .updateTable('report_deliveries')
    .set({
      status,
      next_attempt_at: nextAt,
      attempts: sql`attempts || ${JSON.stringify([attempt])}::jsonb`,
    })
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.deliveryId)
    .execute()
}
