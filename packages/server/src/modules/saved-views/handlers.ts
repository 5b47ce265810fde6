import type { savedViewEndpoints } from '@carillon/contract/saved-views'
import type { Handlers } from '../../http/handlers.ts'
import { changeView, createView, listViews, removeView } from './saved-views.ts'

export const savedViewHandlers: Handlers<typeof savedViewEndpoints> = {
  'savedViews.list': async ({ db, actor, input }) => ({ views: await listViews(db, actor, input.query.list) }),
  'savedViews.create': ({ db, actor, input }) => createView(db, actor, input.body),
  'savedViews.change': ({ db, actor, input }) => changeView(db, actor, { id: input.path.id, ...input.body }),
  'savedViews.remove': async ({ db, actor, input }) => {
    await removeView(db, actor, input.path.id)
    return {}
  },
}
