import type { MailStatus } from '@carillon/contract/mail'
import type { Db } from '../../db/pool.ts'

export type MailSettings = {
  smtpUrl: string | undefined
  from: string
  /** In a demo without mail server, mails are shown at /dev/mail. */
  hasMailbox: boolean
}

export async function getMailStatus(db: Db, { smtpUrl, from, hasMailbox }: MailSettings): Promise<MailStatus> {
  const last = (column: 'sent_at' | 'failed_at') =>
    db
      .selectFrom('mails')
      .select([column, 'recipient', 'subject', 'response', 'error'])
      .where(column, 'is not', null)
      .orderBy(column, 'desc')
      .limit(1)
      .executeTakeFirst()
  const sent = await last('sent_at')
  const failed = await last('failed_at')
  const present = (at: Date | null | undefined, row: typeof sent, response: string | null | undefined) =>
    row && at ? { at: at.toISOString(), to: row.recipient, subject: row.subject, response: response ?? '' } : undefined
  return {
    mode: smtpUrl ? 'server' : hasMailbox ? 'mailbox' : 'none',
    server: smtpUrl ? serverOf(smtpUrl) : undefined,
    from,
    lastSuccess: present(sent?.sent_at, sent, sent?.response),
    lastFailure: present(failed?.failed_at, failed, failed?.error),
  }
}

/** Host and port of the mail server, without credentials. */
function serverOf(smtpUrl: string): NonNullable<MailStatus['server']> {
  const { hostname, port, protocol } = new URL(smtpUrl)
  const isEncrypted = protocol === 'smtps:'
  return { host: hostname, port: Number(port) || (isEncrypted ? 465 : 587), isEncrypted }
}
