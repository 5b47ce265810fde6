import type { Notification, NotificationKind } from '@carillon/contract/notifications'
import type { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'

export type NewNotification = {
  organizationId: string
  accountId: string
  kind: z.infer<typeof NotificationKind>
  title: string
  description: string
  link?: NonNullable<Notification['link']>
  /** The event it tells of: told twice, it stays one notification. Such as 'campaign_completed:<id>'. */
  eventKey: string
}

/** Adds notifications in the transaction of what they tell of; each web process finds and pushes them by itself. */
export async function notify(db: Db, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return
  await db
    .insertInto('notifications')
    .values(
      notifications.map(({ organizationId, accountId, kind, title, description, link, eventKey }) => ({
        organization_id: organizationId,
        id: newId(),
        account_id: accountId,
        kind,
        title,
        description,
        link: link ? JSON.stringify(link) : null,
        event_key: eventKey,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
