import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/jobs.ts'
import { newId } from '../../lib/ids.ts'

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

declare module '../../jobs/jobs.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface JobPayloads {
    'mails.deliver': { organizationId: string; id: string }
  }
}

/** Writes a mail to be sent once the transaction commits. */
export async function queueMail(db: Db, { organizationId, to, ...content }: Mail): Promise<void> {
  const id = newId()
  await db
    .insertInto('mails')
    .values({ organization_id: organizationId, id, recipient: to, ...content })
    .execute()
  await enqueue(db, { name: 'mails.deliver', payload: { organizationId, id } })
}
