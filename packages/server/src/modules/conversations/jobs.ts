import { asSystem, type Database } from '../../db/pool.ts'
import { defineJob, handleJob, noPayload, type CronJob, type JobHandler } from '../../jobs/jobs.ts'
import type { Logger } from '../../lib/logger.ts'
import { forgetNotices } from './changes/notify-of-messages.ts'
import { sendReceipt } from './changes/read-conversation.ts'
import { releaseHeld } from './changes/release-held.ts'
import { wakeDue, wakeOne } from './changes/wake.ts'
import { sendScheduled } from './replies/schedule-reply.ts'
import { enqueueOverdue, sendScheduledReply } from './replies/send-scheduled.ts'
import type { ReplyDeps } from './replies/send-reply.ts'

export type InboxJobDeps = ReplyDeps & {
  database: Database
  logger: Logger
  /** Sends a read receipt for a message of a line; undefined if the line cannot. */
  openReceipts(line: {
    organizationId: string
    senderId: string
    signal: AbortSignal
  }): Promise<((messageId: string) => Promise<void>) | undefined>
}

const checkDue = defineJob('conversations.check-due', noPayload)
const sweepNotices = defineJob('conversations.sweep-notices', noPayload)

export const conversationCron: readonly CronJob[] = [
  { job: checkDue, schedule: '* * * * *' },
  { job: sweepNotices, schedule: '23 4 * * *' },
]

export function conversationJobs(deps: InboxJobDeps): JobHandler[] {
  const { database, logger, openReceipts } = deps
  return [
    handleJob(sendScheduled, (key) => sendScheduledReply(deps, key)),
    handleJob(wakeOne, (key) => wakeDue(database, key)),
    handleJob(checkDue, async () => {
      await wakeDue(database)
      await enqueueOverdue(database)
      await asSystem(database, (db) => releaseHeld(db))
    }),
    handleJob(sweepNotices, () => forgetNotices(database)),
    handleJob(sendReceipt, async ({ messageId, ...line }, { signal }) => {
      try {
        await (
          await openReceipts({ ...line, signal })
        )?.(messageId)
      } catch (error) {
        // A receipt is sent once: later ones include it.
        logger.info({ err: error, sender: line.senderId }, 'a read receipt could not be sent')
      }
    }),
  ]
}
