import { asSystem, type Db } from '../../db/pool.ts'
import { endRequestsOn } from '../../egress/egress.ts'
import type { Delivered, DeliveryDeps } from './delivered.ts'
import type { DeliveryKey } from './delivery-job.ts'
import { openSecrets } from './destinations.ts'
import { mailReport } from './mail-report.ts'
import { postReport } from './post-report.ts'
import { recordAttempt, type AttemptResult } from './record-attempt.ts'
import { pauseFor } from './run-schedules.ts'
import { destinationOf } from './schedules.queries.ts'
import { uploadReport } from './upload-report.ts'

/** Makes one attempt of a delivery. A mail is handed to the queue of mails, which reports what becomes of it. */
export async function makeDelivery(deps: DeliveryDeps, key: DeliveryKey, signal: AbortSignal): Promise<void> {
  const found = await asSystem(deps.database, (db) => findDelivery(db, key))
  if (!found) return
  const record = (result: AttemptResult) =>
    asSystem(deps.database, (db) => recordAttempt(db, { key, now: deps.clock.now(), ...result }))
  const { delivery, schedule, report } = found
  if (!report) return record({ error: 'The report was deleted', response: null, isFinal: true })
  if (report.status !== 'ready')
    return record({ error: 'The file of the report was deleted after 30 days', response: null, isFinal: true })
  const content = { key, delivery, schedule, report }
  const destination = destinationOf(schedule)
  if (destination.type === 'email') return mailReport(deps, content)
  const result = await send({ ...deps, egress: endRequestsOn(signal, deps.egress) }, content)
  // The process stops: the queue repeats the attempt.
  signal.throwIfAborted()
  await record(result)
  if (result.isGone)
    await asSystem(deps.database, (db) => pauseFor(db, schedule, 'The webhook answered 410: it wants no more reports.'))
}

type Sent = AttemptResult & { isGone?: boolean }

async function send(deps: DeliveryDeps, content: Delivered): Promise<Sent> {
  const { schedule } = content
  const place = { organizationId: schedule.organization_id, id: schedule.id }
  const destination = destinationOf(schedule)
  let secrets: Record<string, string>
  try {
    secrets = openSecrets(deps.secretBox, place, schedule.secrets)
  } catch {
    return { error: 'The secret of this destination cannot be read: enter it again', response: null, isFinal: true }
  }
  if (destination.type === 's3') return uploadReport(deps, { ...content, destination, secrets })
  if (destination.type === 'webhook') return postReport(deps, { ...content, destination, secrets })
  throw new Error('Mails are queued')
}

async function findDelivery(db: Db, { organizationId, deliveryId }: DeliveryKey) {
  const delivery = await db
    .selectFrom('report_deliveries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  if (!delivery) return undefined
  const run = await db
    .selectFrom('report_runs')
    .select(['schedule_id', 'report_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', delivery.run_id)
    .executeTakeFirstOrThrow()
  const schedule = await db
    .selectFrom('report_schedules')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', run.schedule_id)
    .executeTakeFirstOrThrow()
  const report =
    run.report_id === null
      ? undefined
      : await db
          .selectFrom('reports')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .where('id', '=', run.report_id)
          .executeTakeFirst()
  return { delivery, schedule, report }
}
