import type { inboxSettingsEndpoints } from '@carillon/contract/inbox-settings'
import type { Handlers } from '../../../http/handlers.ts'
import { createReply, deleteReply, listReplies, updateReply } from '../settings/canned-replies.ts'
import { getSettings, saveSettings } from '../settings/inbox-settings.ts'
import { listLabels } from '../settings/labels.ts'
import { createTeam, deleteTeam, listTeams, updateTeam } from '../settings/teams.ts'

export const inboxSettingsHandlers: Handlers<typeof inboxSettingsEndpoints> = {
  'cannedReplies.list': async ({ db, actor }) => ({ cannedReplies: await listReplies(db, actor) }),
  'cannedReplies.create': ({ db, actor, input }) => createReply(db, { actor, wanted: input.body }),
  'cannedReplies.update': ({ db, actor, input }) => updateReply(db, { actor, id: input.path.id, wanted: input.body }),
  'cannedReplies.delete': async ({ db, actor, input }) => {
    await deleteReply(db, { actor, id: input.path.id })
    return {}
  },
  'labels.list': async ({ db, actor, input }) => ({
    labels: await listLabels(db, { actor, search: input.query.search }),
  }),
  'teams.list': async ({ db, actor }) => ({ teams: await listTeams(db, actor) }),
  'teams.create': ({ db, actor, input }) => createTeam(db, { actor, wanted: input.body }),
  'teams.update': ({ db, actor, input }) => updateTeam(db, { actor, id: input.path.id, wanted: input.body }),
  'teams.delete': async ({ db, actor, input }) => {
    await deleteTeam(db, { actor, id: input.path.id })
    return {}
  },
  'inboxSettings.get': ({ db, actor }) => getSettings(db, actor),
  'inboxSettings.update': ({ db, actor, input }) => saveSettings(db, { actor, settings: input.body }),
}
