import { createTransport, type Transporter } from 'nodemailer'
import { sql, type Updateable } from 'kysely'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import type { Mails } from '../../db/schema.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import { deliverMail } from './queue-mail.ts'
import { findSender } from './find-sender.ts'
import { htmlOf, textOf } from './write-mail.ts'

/** Days a mail is kept, sent or not. */
const keptDays = 30

/** In milliseconds; parameters of the URL override them. A mail server that does not answer holds up the other mails for this long. */
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

const sweepMails = defineJob('mails.sweep', noPayload)

export const mailCron: CronJob[] = [{ job: sweepMails, schedule: '41 2 * * *' }]

/** One try to send a mail. */
export type MailAttempt = {
  organizationId: string
  id: string
  outcome: 'sent' | 'failed' | 'refused'
  /** What the mail server said, or why it could not be reached. */
  response: string
}

export type MailOptions = {
  database: Database
  /** In the transaction that records an attempt. */
  onAttempt(db: Db, attempt: MailAttempt): Promise<void>
  /** Undefined: mails stay in the database and are read there. */
  smtpUrl: string | undefined
  from: string
  /** The demo mailbox shows links; otherwise a link is deleted once its mail was sent. */
  storesLinks: boolean
  /** Public base URL; links are stored without it. */
  publicUrl(): string
}

export function mailJobs(options: MailOptions): JobHandler[] {
  const { database, smtpUrl, storesLinks } = options
  const transport = smtpUrl ? createTransport({ url: smtpUrl, ...timeouts }) : undefined
  return [
    handleJob(deliverMail, async (mail) => {
      if (transport) await deliver(options, { transport, ...mail })
      else await keep(options, mail)
    }),
    handleJob(sweepMails, async () => {
      await asSystem(database, (db) =>
        sql`delete from mails where created_at < now() - make_interval(days => ${keptDays})`.execute(db),
      )
      // After a day without delivery, the link has expired or can be requested again.
      await asSystem(database, (db) =>
        sql`update mails set link = null where link is not null and created_at < now() - interval '1 day' and not ${storesLinks}`.execute(
          db,
        ),
      )
    }),
  ]
}

type MailKey = { organizationId: string; id: string }

/** Without a mail server, mails are read in the demo mailbox, or not at all. */
async function keep({ database, storesLinks, onAttempt }: MailOptions, { organizationId, id }: MailKey) {
  await asSystem(database, async (db) => {
    if (!storesLinks)
      await db
        .updateTable('mails')
        .set({ link: null })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute()
    await onAttempt(db, {
      organizationId,
      id,
      ...(storesLinks
        ? { outcome: 'sent', response: 'Stored in the demo mailbox' }
        : { outcome: 'refused', response: 'Mail is not configured on this server' }),
    })
  })
}

/** Sends one mail; a failure is recorded and retried by the queue, unless the server refuses the recipient for good. */
async function deliver(
  { database, from, publicUrl, onAttempt }: MailOptions,
  { transport, organizationId, id }: MailKey & { transport: Transporter },
): Promise<void> {
  const stored = await asSystem(database, (db) =>
    db
      .selectFrom('mails')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('sent_at', 'is', null)
      .executeTakeFirst(),
  )
  if (!stored) return
  const mail = { ...stored, link: stored.link && new URL(stored.link, publicUrl()).href }
  const sender = await asSystem(database, (db) => findSender(db, organizationId))
  const note = ({ change, ...attempt }: Pick<MailAttempt, 'outcome' | 'response'> & { change: Updateable<Mails> }) =>
    asSystem(database, async (db) => {
      await db
        .updateTable('mails')
        .set((row) => ({ ...change, attempts: row('attempts', '+', 1) }))
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute()
      await onAttempt(db, { organizationId, id, ...attempt })
    })
  let response: string
  try {
    const answer = await transport.sendMail({
      from: sender?.name ? { name: sender.name, address: addressOf(from) } : from,
      ...(sender?.replyTo ? { replyTo: sender.replyTo } : {}),
      to: mail.recipient,
      subject: mail.subject,
      text: textOf(mail),
      html: htmlOf(mail, sender?.brand),
    })
    response = String(answer.response)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isRefused = isBounce(error)
    await note({
      outcome: isRefused ? 'refused' : 'failed',
      response: message,
      change: { error: message, failed_at: new Date() },
    })
    if (isRefused) return
    throw error
  }
  // The link may sign someone in, so it is deleted.
  await note({ outcome: 'sent', response, change: { sent_at: new Date(), link: null, response } })
}

/** The server refused the sender or the recipient, and says that it will do so again. */
function isBounce(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  return error.code === 'EENVELOPE' && Number(error.responseCode) >= 500
}

/** 'Carillon <mail@example.com>' or the bare address. */
function addressOf(from: string): string {
  return /<([^>]+)>/.exec(from)?.[1] ?? from
}
