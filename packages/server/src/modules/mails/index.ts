/**
 * Outgoing mail. A mail is written in the transaction of the action that causes it and sent by a job; its content is defined
 * by the calling module.
 */
export { mailJobs, mailCron, type MailAttempt } from './deliver-mails.ts'
export { mailHandlers } from './handlers.ts'
export { mountMailbox } from './mailbox.ts'
export { queueMail, type Mail } from './queue-mail.ts'
