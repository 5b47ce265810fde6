import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { onChat } from '../../lib/socket.ts'
import { refresh, useApi } from '../../lib/use-api.ts'
import { useHasModule } from './use-account.ts'

/** Events of this time are counted with one read. */
const pauseMs = 2000

/** The number of unread conversations; events about conversations renew it and the other counts. */
export function useUnreadConversations(): number {
  const queries = useQueryClient()
  const enabled = useHasModule('chat')
  const counts = useApi('conversations.counts', { query: {} }, { refetchInterval: 60_000, enabled })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const renew = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refresh(queries, ['conversations.counts'])
      }, pauseMs)
    }
    const stops = [onChat('conversation', renew), onChat('conversationGone', renew)]
    return () => {
      stops.forEach((stop) => stop())
      clearTimeout(timer)
    }
  }, [queries])
  return counts.data?.unread ?? 0
}
