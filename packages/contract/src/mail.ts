import { z } from 'zod'
import { defineEndpoints } from './endpoint.ts'

/** `server`: mails go out over SMTP. `mailbox`: the demo keeps them at /dev/mail. `none`: no mail is sent. */
export const MailMode = z.enum(['server', 'mailbox', 'none'])
export type MailMode = z.infer<typeof MailMode>

const Outcome = z.object({
  at: z.string(),
  to: z.string(),
  subject: z.string(),
  /** In the words of the mail server. */
  response: z.string(),
})

export const MailStatus = z.object({
  mode: MailMode,
  /** Without user and password. */
  server: z.object({ host: z.string(), port: z.number(), isEncrypted: z.boolean() }).optional(),
  from: z.string(),
  /** Of the last thirty days. */
  lastSuccess: Outcome.optional(),
  lastFailure: Outcome.optional(),
})
export type MailStatus = z.infer<typeof MailStatus>

export const TestMail = z.object({
  to: z.string(),
  /** `kept`: in the mailbox of the demo. `unreachable`: there was no connection to the mail server. */
  outcome: z.enum(['accepted', 'refused', 'unreachable', 'timeout', 'kept']),
  /** What the server said, or what went wrong. */
  response: z.string(),
})
export type TestMail = z.infer<typeof TestMail>

export const mailEndpoints = defineEndpoints({
  'mail.status': {
    route: 'GET /api/admin/mail',
    summary: 'Mail configuration, last success and last failure',
    roles: ['admin'],
    data: MailStatus,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'mail.test': {
    route: 'POST /api/admin/mail/test',
    summary: 'Send a test mail to the caller’s address and return the mail server’s response',
    roles: ['admin'],
    data: TestMail,
    fallback: 'The test mail could not be sent.',
    impersonation: false,
    addition: true,
  },
})
