import type { Conversation } from '@carillon/contract/conversation-records'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { emit, onChat } from '../../../lib/socket.ts'

const viewingEveryMs = 10_000
const replyingEveryMs = 3000
const typingForMs = 6000

type Chat = Pick<Conversation, 'chatId' | 'channel' | 'phoneNumber'>

function announce({ chatId, channel, phoneNumber = '' }: Chat, eventType: 'VIEWING' | 'REPLYING' | 'LEFT') {
  emit('event', { eventType, chatId, messageId: '', phoneNumber, channel })
}

/** Tells colleagues that the account has a conversation open, as long as the page is visible. Returns what to call on typing. */
export function usePresence({ chatId, channel, phoneNumber }: Chat): () => void {
  const repliedAt = useRef(0)
  useEffect(() => {
    const chat = { chatId, channel, ...(phoneNumber ? { phoneNumber } : {}) }
    const update = () => announce(chat, document.visibilityState === 'visible' ? 'VIEWING' : 'LEFT')
    update()
    const timer = setInterval(() => {
      const isTyping = Date.now() - repliedAt.current < viewingEveryMs
      if (document.visibilityState === 'visible' && !isTyping) announce(chat, 'VIEWING')
    }, viewingEveryMs)
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
      announce(chat, 'LEFT')
    }
  }, [chatId, channel, phoneNumber])
  return () => {
    if (Date.now() - repliedAt.current < replyingEveryMs) return
    repliedAt.current = Date.now()
    announce({ chatId, channel, ...(phoneNumber ? { phoneNumber } : {}) }, 'REPLYING')
  }
}

/** Conversations whose person types, each with the timer that ends it. */
const typing = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

function mark(chatId: string, isTyping: boolean) {
  clearTimeout(typing.get(chatId))
  if (isTyping)
    typing.set(
      chatId,
      setTimeout(() => mark(chatId, false), typingForMs),
    )
  else typing.delete(chatId)
  for (const listener of listeners) listener()
}

onChat('typingStatus', ({ chatId, isTyping = true }) => mark(chatId, isTyping))
onChat('threadItem', ({ chatId, item }) => item.kind === 'inbound' && typing.has(chatId) && mark(chatId, false))

/** Whether the person types. */
export function useTyping(chatId: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => typing.has(chatId),
  )
}
