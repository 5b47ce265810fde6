import type { linkEndpoints } from '@carillon/contract/links'
import type { Handlers } from '../../http/handlers.ts'
import { getLinkSettings, updateLinkSettings } from './link-settings.ts'
import { listClickers, listLinks } from './read-links.ts'

export function linkHandlers({ publicUrl }: { publicUrl(): string }): Handlers<typeof linkEndpoints> {
  return {
    'links.list': ({ db, actor, input }) => listLinks(db, { id: input.path.id, scope: actor.scope }),
    'links.people': ({ db, actor, input }) => listClickers(db, { id: input.path.id, scope: actor.scope }, input.query),
    'links.settings': ({ db, actor }) => getLinkSettings(db, actor, publicUrl()),
    'links.updateSettings': ({ db, actor, input }) =>
      updateLinkSettings(db, actor, { host: input.body.host, publicUrl: publicUrl() }),
  }
}
