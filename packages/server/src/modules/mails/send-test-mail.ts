import type { TestMail } from '@carillon/contract/mail'
import { createTransport } from 'nodemailer'
import type { RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { conflict } from '../../lib/problem.ts'
import type { MailSettings } from './get-mail-status.ts'
import { queueMail, type Mail } from './queue-mail.ts'
import { htmlOf, textOf } from './write-mail.ts'

type Request = {
  settings: MailSettings
  actor: Pick<UserActor, 'organizationId' | 'email'>
  /** Maximum wait for the mail server. */
  timeoutMs?: number
}

/** Sends a mail to the actor's own address and returns the server's response, which is stored with the mail. */
export async function sendTestMail(
  scoped: RunTransaction,
  { settings, actor, timeoutMs = 20_000 }: Request,
): Promise<TestMail> {
  const { smtpUrl, from, hasMailbox } = settings
  const { organizationId, email: to } = actor
  const mail = {
    organizationId,
    to,
    subject: 'Test mail',
    body: 'This is a test email from the settings page. If you can read this, email works.',
  }
  if (!smtpUrl) {
    if (!hasMailbox) throw conflict('Mail is not configured. Set SMTP_URL and restart the server')
    await scoped((db) => queueMail(db, mail))
    return { to, outcome: 'kept', response: 'Stored in the demo mailbox at /dev/mail' }
  }
  const { outcome, response } = await handOver({ smtpUrl, from, timeoutMs }, mail)
  const at = new Date()
  const result = outcome === 'accepted' ? { sent_at: at, response } : { failed_at: at, error: response }
  await scoped((db) =>
    db
      .insertInto('mails')
      .values({
        organization_id: organizationId,
        id: newId(),
        recipient: to,
        subject: mail.subject,
        body: mail.body,
        attempts: 1,
        ...result,
      })
      .execute(),
  )
  return { to, outcome, response }
}

type Handed = Pick<TestMail, 'outcome' | 'response'>

/** Sends one mail over a new connection, with a short timeout. */
async function handOver(
  { smtpUrl, from, timeoutMs }: { smtpUrl: string; from: string; timeoutMs: number },
  { to, subject, body }: Mail,
): Promise<Handed> {
  const transport = createTransport(smtpUrl)
  const written = { subject, body, link: null }
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<Handed>((resolve) => {
    const response = `No response within ${Math.round(timeoutMs / 1000)} seconds`
    timer = setTimeout(() => resolve({ outcome: 'timeout', response }), timeoutMs)
  })
  const sent = transport
    .sendMail({ from, to, subject, text: textOf(written), html: htmlOf(written) })
    .then(({ response }): Handed => ({ outcome: 'accepted', response: cut(response) }), outcomeOf)
  try {
    return await Promise.race([sent, timedOut])
  } finally {
    clearTimeout(timer)
    transport.close()
  }
}

type SmtpError = { response?: unknown; code?: unknown; message?: unknown }

function outcomeOf(error: SmtpError): Handed {
  if (typeof error.response === 'string') return { outcome: 'refused', response: cut(error.response) }
  return {
    outcome: error.code === 'ETIMEDOUT' ? 'timeout' : 'unreachable',
    response: cut(String(error.message)),
  }
}

const longestResponse = 500
const cut = (text: string) => text.slice(0, longestResponse)
