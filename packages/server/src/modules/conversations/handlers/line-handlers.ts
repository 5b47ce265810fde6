import type { conversationEndpoints } from '@carillon/contract/conversations'
import type { Handlers } from '../../../http/handlers.ts'
import { storeMedia, type FileStore } from '../../files/index.ts'
import { getConversation } from '../list/find-conversation.ts'
import { listLineTemplates } from '../lines/line-templates.ts'
import { listLines } from '../lines/list-lines.ts'
import { openFile } from '../thread/open-file.ts'

type Part = Pick<
  Handlers<typeof conversationEndpoints>,
  'conversations.lines' | 'conversations.templates' | 'conversations.file' | 'conversations.upload'
>

export function conversationLineHandlers(store: FileStore): Part {
  return {
    'conversations.lines': async ({ db, actor }) => ({ lines: await listLines(db, actor) }),
    'conversations.templates': async ({ db, actor, input }) => {
      const { search, limit } = input.query
      return { templates: await listLineTemplates(db, { actor, lineId: input.path.id, search, limit }) }
    },
    'conversations.file': ({ db, actor, input }) =>
      openFile(db, store, { actor, id: input.path.id, fileId: input.path.fileId }),
    'conversations.upload': async ({ db, actor, input, files }) => {
      const { conversation } = await getConversation(db, { actor, id: input.path.id })
      return storeMedia(db, store, { actor, channel: conversation.channel, upload: files['fileContent'] })
    },
  }
}
