import type { Notification, NotificationKind } from '@carillon/contract/notifications'
import { sql } from 'kysely'
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

/**
 * Adds notifications in the transaction of what they tell of, for accounts above and below the one that acts; each web
 * process finds and pushes them by itself.
 */
export async function notify(db: Db, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return
  const entries = notifications.map(({ organizationId, accountId, eventKey, ...told }) => ({
    ...told,
    id: newId(),
    organization_id: organizationId,
    account_id: accountId,
    event_key: eventKey,
  }))
  await sql`select add_notifications(${JSON.stringify(entries)}::jsonb)`.execute(db)
}
