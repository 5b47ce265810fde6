import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import type { AccountRow } from '../accounts/index.ts'
import { queueMail } from '../mails/index.ts'
import { notify } from '../notifications/index.ts'

type SecurityChange = { title: string; description: string; /** Follows the description in the mail. */ advice: string }

/** Informs the owner by notification and mail that someone else changed their sign-in. */
export async function notifyOwner(
  db: Db,
  account: AccountRow,
  { title, description, advice }: SecurityChange,
): Promise<void> {
  await notify(db, [
    {
      organizationId: account.organization_id,
      accountId: account.id,
      kind: 'account_security',
      title,
      description,
      link: { type: 'account', id: account.id },
      eventKey: `account_security:${newId()}`,
    },
  ])
  await queueMail(db, {
    organizationId: account.organization_id,
    to: account.email,
    subject: title,
    body: `${description} ${advice}`,
  })
}
