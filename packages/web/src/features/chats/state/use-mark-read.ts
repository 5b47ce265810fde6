import type { Conversation, ThreadItem } from '@carillon/contract/conversation-records'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useApiWrite } from '../../../lib/use-api.ts'
import { takeConversations } from './use-inbox-list.ts'

type MarkReadInput = {
  conversation: Conversation
  items: readonly ThreadItem[]
  isAtEnd: boolean
  /** The last row that is on screen. */
  lastKey: string | undefined
}

const afterMs = 400

/** Marks messages as read once they were on screen in a visible page; those that arrive meanwhile stay unread. */
export function useMarkRead({ conversation, items, isAtEnd, lastKey }: MarkReadInput) {
  const { chatId, unread } = conversation
  const isVisible = useSyncExternalStore(listen, () => document.visibilityState === 'visible')
  const write = useApiWrite('conversations.read', {
    refreshes: ['conversations.counts'],
    onSuccess: (changed) => takeConversations([changed]),
  })
  const mutate = useLatest(write.mutate)
  const reported = useRef<string>(undefined)
  const end = isAtEnd ? items.length : items.findIndex(({ id }) => id === lastKey) + 1
  const seen = isVisible && unread > 0 ? items.slice(0, end).findLast(({ kind }) => kind === 'inbound')?.id : undefined

  useEffect(() => {
    if (!seen || reported.current === seen) return undefined
    const timer = setTimeout(() => {
      reported.current = seen
      mutate.current({ path: { id: chatId }, body: { upTo: seen } })
    }, afterMs)
    return () => clearTimeout(timer)
  }, [seen, chatId, mutate])
}

function listen(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** The newest value, for timers and listeners. */
function useLatest<Value>(value: Value) {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
