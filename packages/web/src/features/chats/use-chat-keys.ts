import type { RefObject } from 'react'
import { useHotkeys } from '../../lib/hotkeys.ts'
import type { Conversation } from '@carillon/contract/conversation-records'

const rowHeight = 64

type ChatKeys = {
  rows: readonly Conversation[]
  activeId: string | undefined
  scroll: RefObject<HTMLDivElement | null>
  onActive: (chatId: string) => void
  onResolve: () => void
  onUnread: () => void
  onSnooze: () => void
  onAssign: () => void
  onToggle: (chatId: string) => void
  onDetails: () => void
  onEscape: () => void
}

/** The keys of the list. They move between rows and act on the row that has the focus. */
export function useChatKeys(keys: ChatKeys, enabled: boolean) {
  const { rows, activeId, scroll, onActive } = keys
  function move(step: 1 | -1, isWanted: (row: Conversation) => boolean = () => true) {
    const from = rows.findIndex(({ chatId }) => chatId === activeId)
    const start = from < 0 ? (step > 0 ? 0 : rows.length - 1) : from + step
    for (let index = start; index >= 0 && index < rows.length; index += step) {
      const row = rows[index]
      if (!row || !isWanted(row)) continue
      onActive(row.chatId)
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
      KeyE: keys.onResolve,
      KeyU: keys.onUnread,
      KeyS: keys.onSnooze,
      KeyA: keys.onAssign,
      KeyX: () => activeId && keys.onToggle(activeId),
      KeyI: keys.onDetails,
      Escape: keys.onEscape,
    },
    enabled,
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
