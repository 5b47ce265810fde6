import type { Answer, Input } from '@carillon/contract/endpoint'
import { Notification, type notificationEndpoints } from '@carillon/contract/notifications'
import { paginate } from '@carillon/contract/paging'
import type { Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { Notifications } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'

export type NotificationRow = Selectable<Notifications>

type Query = Input<(typeof notificationEndpoints)['notifications.list']>['query']
type Page = Answer<(typeof notificationEndpoints)['notifications.list']>

export async function listNotifications(db: Db, { actor, query }: { actor: UserActor; query: Query }): Promise<Page> {
  const own = db
    .selectFrom('notifications')
    .where('organization_id', '=', actor.organizationId)
    .where('account_id', '=', actor.accountId)
  const counted = await own
    .select((read) => [
      read.fn.countAll<number>().as('total'),
      read.fn.countAll<number>().filterWhere('read_at', 'is', null).as('unread'),
    ])
    .executeTakeFirstOrThrow()
  const isUnread = query.unread === 'true'
  const wanted = query.unread === undefined ? own : own.where('read_at', isUnread ? 'is' : 'is not', null)
  const rows = await wanted
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute()
  const total = { true: counted.unread, false: counted.total - counted.unread, all: counted.total }[
    query.unread ?? 'all'
  ]
  return {
    notifications: rows.map(presentNotification),
    total,
    unread: counted.unread,
    totalPages: paginate(query, total).totalPages,
    currentPage: query.page,
  }
}

/** Marks the caller's notifications as read: the given ones, or all. */
export async function readNotifications(
  db: Db,
  { actor, ids }: { actor: UserActor; ids: readonly string[] | undefined },
): Promise<void> {
  const unread = db
    .updateTable('notifications')
    .set({ read_at: new Date() })
    .where('organization_id', '=', actor.organizationId)
    .where('account_id', '=', actor.accountId)
    .where('read_at', 'is', null)
  if (ids === undefined) await unread.execute()
  else if (ids.length > 0) await unread.where('id', 'in', ids).execute()
}

/** Parsed by the schema: a link format of an older version is dropped, the notification is kept. */
export function presentNotification(row: NotificationRow): Notification {
  const link = Notification.shape.link.safeParse(row.link ?? undefined)
  return {
    _id: row.id,
    kind: Notification.shape.kind.parse(row.kind),
    title: row.title,
    description: row.description,
    ...(link.data ? { link: link.data } : {}),
    ...(row.count > 1 ? { count: row.count } : {}),
    isNew: row.read_at === null,
    at: row.created_at.toISOString(),
  }
}
