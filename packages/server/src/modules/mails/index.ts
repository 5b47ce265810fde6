/**
 * What the product mails. A mail is written in the transaction of the deed that asks for it and leaves from a job;
 * what it says is the business of the module that asks.
 */
export { mailJobs, mailCron } from './deliver-mails.ts'
export { mailHandlers } from './handlers.ts'
export { mountMailbox } from './mailbox.ts'
export { queueMail, type Mail } from './queue-mail.ts'
