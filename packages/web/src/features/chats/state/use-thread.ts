import { useEffect, useState, useSyncExternalStore } from 'react'
import { onReconnected } from '../../../lib/connection.ts'
import { queries } from '../../../lib/queries.ts'
import { onChat, onSocketReturn } from '../../../lib/socket.ts'
import { onAccepted } from './outbox.ts'
import { Thread, type ThreadState } from './thread.ts'

const deliveriesEveryMs = 4000

type Start = { chatId: string; unread: number; around: string | undefined }

/** The thread of a conversation; mounted once for each conversation. */
export function useThread({ chatId, unread, around }: Start): [Thread, ThreadState] {
  const [thread] = useState(() => new Thread(chatId))
  const [unreadAtStart] = useState(unread)
  const state = useSyncExternalStore(thread.subscribe, thread.read)

  useEffect(() => {
    void thread.load({ around, unread: around ? 0 : unreadAtStart })
  }, [thread, around, unreadAtStart])
  useEffect(() => {
    const catchUp = () => void thread.catchUp()
    const stops = [
      onChat('threadItem', (event) => event.chatId === chatId && thread.take([event.item])),
      onAccepted((event) => {
        if (event.chatId !== chatId) return
        thread.take([event.item])
        void queries.invalidateQueries({ queryKey: ['conversations.get', { path: { id: chatId } }] })
      }),
      onSocketReturn(catchUp),
      onReconnected(catchUp),
    ]
    const timer = setInterval(() => void thread.refreshDeliveries(), deliveriesEveryMs)
    return () => {
      stops.forEach((stop) => stop())
      clearInterval(timer)
    }
  }, [thread, chatId])
  return [thread, state]
}
