import type { Db } from '../../db/pool.ts'
import { addJob, defineMailJob } from '../../jobs/jobs.ts'
import { newId } from '../../lib/ids.ts'
import { z } from 'zod'

export type Mail = {
  /** The recipient's organisation, whose brand is used. */
  organizationId: string
  to: string
  subject: string
  /** Plain text in paragraphs; the link follows. */
  body: string
  /** Absolute URL, or a path within the product. */
  link?: string
}

export const deliverMail = defineMailJob('mails.deliver', z.object({ organizationId: z.string(), id: z.string() }))

/** Queues a mail to be sent once the transaction commits; returns its id. */
export async function queueMail(db: Db, { organizationId, to, ...content }: Mail): Promise<string> {
  const id = newId()
  await db
    .insertInto('mails')
    .values({ organization_id: organizationId, id, recipient: to, ...content })
    .execute()
  await addJob(db, deliverMail, { payload: { organizationId, id } })
  return id
}
