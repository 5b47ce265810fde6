import { createTransport, type Transporter } from 'nodemailer'
import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
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

export type MailOptions = {
  database: Database
  /** Undefined: mails stay in the database and are read there. */
  smtpUrl: string | undefined
  from: string
  /** The demo mailbox shows links; otherwise a link is deleted once its mail was sent. */
  storesLinks: boolean
  /** Public base URL; links are stored without it. */
  publicUrl(): string
}

export function mailJobs({ database, smtpUrl, from, storesLinks, publicUrl }: MailOptions): JobHandler[] {
  const transport = smtpUrl ? createTransport({ url: smtpUrl, ...timeouts }) : undefined
  return [
    handleJob(deliverMail, async (mail) => {
      if (transport) await deliver(database, { transport, from, publicUrl: publicUrl(), ...mail })
      else if (!storesLinks) await dropLink(database, mail)
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

async function dropLink(
  database: Database,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await asSystem(database, (db) =>
    db
      .updateTable('mails')
      .set({ link: null })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute(),
  )
}

type Delivery = { transport: Transporter; from: string; publicUrl: string; organizationId: string; id: string }

/** Sends one mail; a failure is recorded and retried by the queue. */
async function deliver(
  database: Database,
  { transport, from, publicUrl, organizationId, id }: Delivery,
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
  const mail = { ...stored, link: stored.link && new URL(stored.link, publicUrl).href }
  const sender = await asSystem(database, (db) => findSender(db, organizationId))
  const note = (change: { sent_at: Date; link: null; response: string } | { error: string; failed_at: Date }) =>
    asSystem(database, (db) =>
      db
        .updateTable('mails')
        .set((row) => ({ ...change, attempts: row('attempts', '+', 1) }))
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute(),
    )
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
    await note({ error: error instanceof Error ? error.message : String(error), failed_at: new Date() })
    throw error
  }
  // The link may sign someone in, so it is deleted.
  await note({ sent_at: new Date(), link: null, response })
}

/** 'Carillon <mail@example.com>' or the bare address. */
function addressOf(from: string): string {
  return /<([^>]+)>/.exec(from)?.[1] ?? from
}
