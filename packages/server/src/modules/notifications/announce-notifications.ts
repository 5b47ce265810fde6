import type { NotificationEvent } from '@carillon/contract/realtime'
import { asSystem, type Database } from '../../db/pool.ts'
import type { EventOf } from '../../events/domain-events.ts'
import { presentNotification } from './list-notifications.ts'

/** Sends to one account only. */
export type AnnounceNotification = (to: { accountId: string }, event: NotificationEvent) => void

/** Pushes new notifications to the sockets of this process, oldest first. */
export async function announceNotifications(
  database: Database,
  events: readonly EventOf<'notification.added'>[],
  announce: AnnounceNotification,
): Promise<void> {
  const rows = await asSystem(database, (db) =>
    db
      .selectFrom('notifications')
      .selectAll()
      .where('organization_id', 'in', [...new Set(events.map(({ organizationId }) => organizationId))])
      .where(
        'id',
        'in',
        events.flatMap(({ subjectIds }) => subjectIds),
      )
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  )
  for (const row of rows) announce({ accountId: row.account_id }, presentNotification(row))
}
