import type { mailEndpoints } from '@carillon/contract/mail'
import type { Handlers } from '../../http/handlers.ts'
import { getMailStatus, type MailSettings } from './get-mail-status.ts'
import { sendTestMail } from './send-test-mail.ts'

export function mailHandlers(settings: MailSettings): Handlers<typeof mailEndpoints> {
  return {
    'mail.status': ({ db }) => getMailStatus(db, settings),
    'mail.test': { withoutTransaction: ({ actor, scoped }) => sendTestMail(scoped, { settings, actor }) },
  }
}
