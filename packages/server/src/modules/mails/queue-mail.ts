import type { Db } from '../../db/pool.ts'
import { addJob, defineJob } from '../../jobs/jobs.ts'
import { newId } from '../../lib/ids.ts'
import { z } from 'zod'

export type Mail = {
  /** Whose mail it is: the organisation of the account it goes to, whose brand it wears. */
  organizationId: string
  to: string
  subject: string
  /** Plain text in paragraphs; the link stands below them. */
  body: string
  /** Whole, or a path inside the product. */
  link?: string
}

export const deliverMail = defineJob('mails.deliver', z.object({ organizationId: z.string(), id: z.string() }))

/** Writes a mail to be sent once the transaction commits. */
export async function queueMail(db: Db, { organizationId, to, ...content }: Mail): Promise<void> {
  const id = newId()
  await db
    .insertInto('mails')
    .values({ organization_id: organizationId, id, recipient: to, ...content })
    .execute()
  await addJob(db, deliverMail, { payload: { organizationId, id } })
}
