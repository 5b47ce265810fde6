import type { conversationEndpoints } from '@carillon/contract/conversations'
import type { Handlers } from '../../../http/handlers.ts'
import { listChanges } from '../list/conversation-changes.ts'
import { countConversations } from '../list/count-conversations.ts'
import { getConversation } from '../list/find-conversation.ts'
import { listConversations } from '../list/list-conversations.ts'
import { readViewers } from '../realtime/viewers.ts'
import { searchConversations } from '../search/search-conversations.ts'
import { readThread } from '../thread/read-thread.ts'
import { readScheduledReplies } from '../thread/scheduled-replies.ts'
import { listThreadChanges, readDeliveries } from '../thread/thread-changes.ts'

type Reads =
  | 'conversations.list'
  | 'conversations.counts'
  | 'conversations.changes'
  | 'conversations.search'
  | 'conversations.get'
  | 'conversations.thread'
  | 'conversations.threadChanges'
  | 'conversations.deliveries'

export const conversationReadHandlers: Pick<Handlers<typeof conversationEndpoints>, Reads> = {
  'conversations.list': ({ db, actor, input }) => listConversations(db, { actor, query: input.query }),
  'conversations.counts': ({ db, actor, input }) => countConversations(db, { actor, query: input.query }),
  'conversations.changes': ({ db, actor, input }) => listChanges(db, { actor, since: input.query.since }),
  'conversations.search': ({ db, actor, input }) => searchConversations(db, { actor, query: input.query }),
  'conversations.get': async ({ db, actor, input }) => {
    const { conversation, key, now } = await getConversation(db, { actor, id: input.path.id })
    const [scheduled, viewers] = await Promise.all([readScheduledReplies(db, key), readViewers(db, key)])
    return { conversation, scheduled, viewers, now: now.toISOString() }
  },
  'conversations.thread': ({ db, actor, input }) => readThread(db, { actor, id: input.path.id, query: input.query }),
  'conversations.threadChanges': ({ db, actor, input }) =>
    listThreadChanges(db, { actor, id: input.path.id, since: input.query.since }),
  'conversations.deliveries': ({ db, actor, input }) =>
    readDeliveries(db, { actor, id: input.path.id, ids: input.query.ids }),
}
