import type { Conversation } from '@carillon/contract/conversation-records'
import type { ConversationChange } from '@carillon/contract/conversations'
import { formatCount } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { toast } from '../../../ui/toast.tsx'
import { takeConversations } from './use-inbox-list.ts'

const counts = ['conversations.counts'] as const

/** Changes of one conversation or several; the rows show them at once. */
export function useChanges() {
  const change = useApiWrite('conversations.change', {
    refreshes: counts,
    onSuccess: (conversation) => takeConversations([conversation]),
    onError: ({ message }) => toast.error(message),
  })
  const many = useApiWrite('conversations.changeMany', {
    refreshes: counts,
    onSuccess({ conversations, refused }) {
      takeConversations(conversations)
      const [first] = refused
      if (first) toast.error(`${formatCount(refused.length)} not changed: ${first.message}`)
    },
    onError: ({ message }) => toast.error(message),
  })
  return {
    isPending: change.isPending || many.isPending,
    change: ({ chatId, revision }: Conversation, changes: ConversationChange) =>
      change.mutate({ path: { id: chatId }, body: { ...changes, revision } }),
    changeMany: (ids: readonly string[], changes: ConversationChange) =>
      many.mutate({ body: { ids: [...ids], change: changes } }),
  }
}

export type Changes = ReturnType<typeof useChanges>
