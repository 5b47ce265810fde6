import { landingPath } from '@carillon/contract/roles'
import { ReportDetails } from '@carillon/contract/report-file-records'
import { sql } from 'kysely'
import { asSystem, type Db } from '../../db/pool.ts'
import { queueMail } from '../mails/index.ts'
import type { Delivered, DeliveryDeps } from './delivered.ts'
import { recordAttempt } from './record-attempt.ts'

/** Queues a mail with the sums of a report. The file is read on the screen, by a member who may see it. */
export async function mailReport(deps: DeliveryDeps, { key, delivery, schedule, report }: Delivered): Promise<void> {
  await asSystem(deps.database, async (db) => {
    const waiting = await db
      .selectFrom('report_deliveries')
      .select('mail_id')
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.deliveryId)
      .where('status', '=', 'waiting')
      .forUpdate()
      .executeTakeFirst()
    if (!waiting || waiting.mail_id !== null) return
    const member = await findMember(db, key.organizationId, delivery.target)
    if (!member) {
      const error = 'Not an active member of the organization any more'
      return recordAttempt(db, { key, now: deps.clock.now(), error, response: null, isFinal: true })
    }
    const mailId = await queueMail(db, {
      organizationId: key.organizationId,
      to: delivery.target,
      subject: report.name,
      ...contentOf({
        report,
        mayOpen: `${schedule.path}.`.startsWith(`${member.path}.`),
        role: member.role,
        name: schedule.name,
      }),
    })
    await db
      .updateTable('report_deliveries')
      .set({ mail_id: mailId })
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.deliveryId)
      .execute()
  })
}

async function findMember(db: Db, organizationId: string, address: string) {
  return db
    .selectFrom('accounts')
    .select(['path', 'role'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`lower(email) = ${address}`)
    .where('status', '=', 'active')
    .executeTakeFirst()
}

type Content = Pick<Delivered, 'report'> & { mayOpen: boolean; role: keyof typeof landingPath; name: string }

function contentOf({ report, mayOpen, role, name }: Content): { body: string; link?: string } {
  const summary = ReportDetails.shape.summary.parse(report.summary)
  const notes = ReportDetails.shape.notes.parse(report.notes)
  const lines = [
    `The scheduled report "${name}" is ready: ${countOf(report.rows)}, ${daysOf(report)}, ${report.timezone}.`,
    ...(summary.length > 0
      ? [summary.map(({ label, value }) => `${label}: ${value.toLocaleString('en-IN')}`).join('\n')]
      : []),
    ...notes,
    mayOpen
      ? `The file can be downloaded until ${report.expires_at?.toISOString().slice(0, 10) ?? ''}, after signing in.`
      : 'Your account has no access to the file: ask the person who created the schedule.',
  ]
  return { body: lines.join('\n\n'), ...(mayOpen ? { link: `${landingPath[role]}/reports?c=${report.id}` } : {}) }
}

const countOf = (rows: number) => `${rows.toLocaleString('en-IN')} ${rows === 1 ? 'row' : 'rows'}`
const daysOf = ({ first_day: from, last_day: to }: Delivered['report']) => (from === to ? from : `${from} to ${to}`)
