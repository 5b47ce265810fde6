import { z } from 'zod'
import { defineEndpoints } from './endpoint.ts'

/** `server`: SMTP. `mailbox`: stored for the demo at /dev/mail. `none`: no mail is sent. */
export const MailMode = z.enum(['server', 'mailbox', 'none'])
export type MailMode = z.infer<typeof MailMode>

const Outcome = z.object({
  at: z.string(),
  to: z.string(),
  subject: z.string(),
  /** The mail server's response. */
  response: z.string(),
})

export const MailStatus = z.object({
  mode: MailMode,
  /** Without user name and password. */
  server: z.object({ host: z.string(), port: z.number(), isEncrypted: z.boolean() }).optional(),
  from: z.string(),
  /** Within the last 30 days. */
  lastSuccess: Outcome.optional(),
  lastFailure: Outcome.optional(),
})
export type MailStatus = z.infer<typeof MailStatus>

export const TestMail = z.object({
  to: z.string(),
  /** `kept`: stored in the demo mailbox. `unreachable`: no connection to the mail server. */
  outcome: z.enum(['accepted', 'refused', 'unreachable', 'timeout', 'kept']),
  /** The server's response, or the error. */
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
    asksProvider: true,
    data: TestMail,
    fallback: 'The test mail could not be sent.',
    impersonation: false,
    addition: true,
  },
})
