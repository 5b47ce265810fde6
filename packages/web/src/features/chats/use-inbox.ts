import type { Conversation } from '@carillon/contract/conversation-records'
import type { ConversationChange } from '@carillon/contract/conversations'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CallData } from '../../lib/call.ts'
import { onChat } from '../../lib/socket.ts'
import type { ChatsView } from './chats-view.ts'
import { neighbourOf, type Gone } from './open-chat.tsx'
import { useChanges } from './state/use-changes.ts'
import { useSelection } from './state/use-inbox-list.ts'
import type { ChatDialog } from './thread/use-conversation-menu.ts'

type Details = CallData<'conversations.get'>

type InboxInput = {
  view: ChatsView
  setView: (patch: Partial<ChatsView>, change?: { replace?: boolean }) => void
  rows: readonly Conversation[]
  isMobile: boolean
}

/** What is open, which row has the focus, which are selected, and what is done with them. */
export function useInbox({ view, setView, rows, isMobile }: InboxInput) {
  const queries = useQueryClient()
  const { openId } = view
  const selection = useSelection(rows)
  const [movedTo, setActive] = useState<string>()
  const [dialog, setDialog] = useState<ChatDialog>()
  const [isAssigning, setAssigning] = useState(false)
  const [gone, setGone] = useState<Gone>()
  const changes = useChanges()
  const activeId = movedTo ?? openId

  useEffect(
    () =>
      onChat('conversationGone', ({ chatId, assignee }) => {
        setGone({ chatId, assignee })
      }),
    [],
  )
  useEffect(
    () =>
      onChat('conversation', ({ chatId }) => {
        setGone((known) => (known?.chatId === chatId ? undefined : known))
      }),
    [],
  )

  const open = (chatId: string | undefined) => {
    setActive(chatId)
    setView({ openId: chatId, itemId: undefined, showsDetails: false })
  }
  /** The conversation that keys act on: the row with the focus, else the open one. */
  function find(chatId: string | undefined): Conversation | undefined {
    if (!chatId) return undefined
    const row = rows.find((candidate) => candidate.chatId === chatId)
    return row ?? queries.getQueryData<Details>(['conversations.get', { path: { id: chatId } }])?.conversation
  }
  const target = selection.selected.size > 0 ? undefined : find(activeId)

  function changeTargets(change: ConversationChange) {
    if (selection.selected.size > 0) {
      changes.changeMany([...selection.selected], change)
      selection.clear()
    } else if (target) changes.change(target, change)
  }
  function resolveOne(conversation: Conversation) {
    if (conversation.status === 'resolved') return changes.change(conversation, { status: 'open' })
    const next = neighbourOf(rows, conversation.chatId)
    const wasOpen = conversation.chatId === openId
    changes.resolve(conversation, () => wasOpen && open(conversation.chatId))
    if (wasOpen) open(isMobile ? undefined : next)
    else if (conversation.chatId === activeId) setActive(next)
    return undefined
  }
  function resolve() {
    if (selection.selected.size > 0) {
      changes.resolveMany(rows.filter(({ chatId }) => selection.selected.has(chatId)))
      selection.clear()
    } else if (target) resolveOne(target)
  }
  /** Opens a dialog for the selected conversations or the one that keys act on. */
  function openFor(next: ChatDialog | undefined) {
    if (next === undefined || selection.selected.size > 0 || target) setDialog(next)
  }
  return {
    openId,
    activeId,
    setActive,
    selection,
    gone,
    changes,
    dialog,
    target,
    isAssigning,
    setAssigning,
    open,
    close: () => open(undefined),
    changeTargets,
    markUnread: () => changeTargets({ isUnread: true }),
    resolve,
    resolveOne,
    openFor,
  }
}

export type Inbox = ReturnType<typeof useInbox>
