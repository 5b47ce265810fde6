import type { RefObject } from 'react'
import { useHotkeys } from '../../lib/hotkeys.ts'
import type { Conversation } from '@carillon/contract/conversation-records'
import type { Inbox } from './use-inbox.ts'

const rowHeight = 64

type ChatKeys = {
  inbox: Inbox
  rows: readonly Conversation[]
  /** The rows are covered by what a search found. */
  isSearching: boolean
  scroll: RefObject<HTMLDivElement | null>
  onDetails: () => void
  onNew: () => void
}

/** The keys of the list. They move between rows and act on the row that has the focus. */
export function useChatKeys({ inbox, rows, isSearching, scroll, onDetails, onNew }: ChatKeys, enabled: boolean) {
  const { activeId, openId, selection } = inbox
  function move(step: 1 | -1, isWanted: (row: Conversation) => boolean = () => true) {
    if (isSearching) return
    const from = rows.findIndex(({ chatId }) => chatId === activeId)
    const start = from < 0 ? (step > 0 ? 0 : rows.length - 1) : from + step
    for (let index = start; index >= 0 && index < rows.length; index += step) {
      const row = rows[index]
      if (!row || !isWanted(row)) continue
      inbox.setActive(row.chatId)
      focusRow(scroll.current, index, row.chatId)
      return
    }
  }
  const isUnread = ({ unread }: Conversation) => unread > 0
  useHotkeys(
    {
      KeyJ: () => move(1),
      KeyK: () => move(-1),
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      'Alt+ArrowDown': () => move(1, isUnread),
      'Alt+ArrowUp': () => move(-1, isUnread),
      KeyE: inbox.resolve,
      KeyU: inbox.markUnread,
      KeyS: () => inbox.openFor('snooze'),
      KeyA: () => inbox.openFor('assign'),
      KeyX: () => activeId && selection.toggle(activeId),
      KeyI: () => openId && onDetails(),
      Escape: selection.clear,
      // With an open conversation this key begins a note.
      ...(openId ? {} : { KeyN: onNew }),
    },
    enabled && inbox.dialog === undefined,
  )
}

/** Scrolls a row into view and focuses it once it is drawn. */
function focusRow(element: HTMLDivElement | null, index: number, chatId: string) {
  if (!element) return
  const top = index * rowHeight
  if (top < element.scrollTop) element.scrollTop = top
  else if (top + rowHeight > element.scrollTop + element.clientHeight)
    element.scrollTop = top + rowHeight - element.clientHeight
  let tries = 0
  const focus = () => {
    const link = element.querySelector<HTMLElement>(`[data-chat="${CSS.escape(chatId)}"]`)
    tries += 1
    if (link) link.focus({ preventScroll: true })
    else if (tries < 5) requestAnimationFrame(focus)
  }
  requestAnimationFrame(focus)
}
