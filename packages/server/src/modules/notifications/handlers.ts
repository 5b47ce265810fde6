import type { notificationEndpoints } from '@carillon/contract/notifications'
import type { Handlers } from '../../http/handlers.ts'
import { listNotifications, readNotifications } from './list-notifications.ts'

export const notificationHandlers: Handlers<typeof notificationEndpoints> = {
  'notifications.list': ({ db, actor, input }) => listNotifications(db, { actor, query: input.query }),
  'notifications.read': async ({ db, actor, input }) => {
    await readNotifications(db, { actor, ids: input.body.ids })
    return {}
  },
}
