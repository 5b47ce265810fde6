import type { Conversation } from '@carillon/contract/conversation-records'
import type { ConversationChange } from '@carillon/contract/conversations'
import { useState } from 'react'
import { countOf, formatCount } from '../../../lib/format.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { toast } from '../../../ui/toast.tsx'
import { leaveLists, takeConversations } from './use-inbox-list.ts'

const counts = ['conversations.counts'] as const

/** Changes of one conversation or several; the rows show them at once. */
export function useChanges() {
  const [answers] = useState(() => new Answers())
  const change = useApiWrite('conversations.change', {
    refreshes: counts,
    onSuccess(conversation) {
      takeConversations([conversation])
      answers.settle(conversation.chatId, conversation)
    },
    onError({ message }, { path }) {
      toast.error(message)
      answers.settle(path.id)
    },
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
  const changeOne = ({ chatId, revision }: Conversation, changes: ConversationChange) =>
    change.mutate({ path: { id: chatId }, body: { ...changes, revision } })
  const changeMany = (ids: readonly string[], changes: ConversationChange) =>
    many.mutate({ body: { ids: [...ids], change: changes } })

  return {
    isPending: change.isPending || many.isPending,
    change: changeOne,
    changeMany,
    /** The row slides out of the list; a toast undoes it. */
    resolve(conversation: Conversation, onUndone: () => void) {
      const answer = answers.of(conversation.chatId)
      if (!answer) return
      leaveLists(conversation.chatId, answer)
      changeOne(conversation, { status: 'resolved' })
      void answer.then((resolved) => {
        if (!resolved) return
        toast.success('Conversation resolved', {
          action: {
            label: 'Undo',
            onClick() {
              changeOne(resolved, statusOf(conversation))
              onUndone()
            },
          },
        })
      })
    },
    resolveMany(conversations: readonly Conversation[]) {
      const ids = conversations.map(({ chatId }) => chatId)
      changeMany(ids, { status: 'resolved' })
      toast.success(`${countOf(ids.length, 'conversation')} resolved`, {
        action: { label: 'Undo', onClick: () => changeMany(ids, { status: 'open' }) },
      })
    },
  }
}

export type Changes = ReturnType<typeof useChanges>

/** What restores the status that a conversation had. */
function statusOf({ status, snoozedUntil, snoozeNote }: Conversation): ConversationChange {
  return {
    status,
    ...(status === 'snoozed' && snoozedUntil ? { snoozedUntil } : {}),
    ...(status === 'snoozed' && snoozeNote ? { snoozeNote } : {}),
  }
}

/** Answers of the server that are still to come, by conversation. */
class Answers {
  readonly #waiting = new Map<string, (conversation: Conversation | undefined) => void>()

  /** The changed conversation, or undefined after a failure. No promise while another answer is to come. */
  of(chatId: string): Promise<Conversation | undefined> | undefined {
    if (this.#waiting.has(chatId)) return undefined
    return new Promise((resolve) => this.#waiting.set(chatId, resolve))
  }

  settle(chatId: string, conversation?: Conversation) {
    this.#waiting.get(chatId)?.(conversation)
    this.#waiting.delete(chatId)
  }
}
