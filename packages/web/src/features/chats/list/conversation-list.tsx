import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, type MouseEvent, type RefObject } from 'react'
import type { Conversation } from '@carillon/contract/conversation-records'
import { Spinner } from '../../../ui/spinner.tsx'
import type { InboxList, InboxState } from '../state/inbox-list.ts'
import { useServerNow } from '../state/server-clock.ts'
import { ConversationRow } from './conversation-row.tsx'

const rowHeight = 64
const estimateSize = () => rowHeight
/** Rows before the end at which the next page is loaded. */
const loadAhead = 30
/** How long a pointer that does not move holds the order of rows. */
const holdMs = 4000

type ConversationListProps = {
  list: InboxList
  state: InboxState
  openId: string | undefined
  activeId: string | undefined
  selected: ReadonlySet<string>
  /** Rows have boxes, and a press selects. */
  isChoosing: boolean
  hrefOf: (chatId: string) => string
  onOpen: (chatId: string) => void
  onActive: (chatId: string) => void
  onToggle: (chatId: string) => void
  scrollRef: RefObject<HTMLDivElement | null>
}

/** The rows on screen, of any number. The row under the reader stays where it is when others arrive above it. */
export function ConversationList(props: ConversationListProps) {
  const { list, state, scrollRef } = props
  const { rows, hasMore, fresh } = state
  // With another function, all rows are measured again.
  const keyOf = useCallback((index: number) => list.read().rows[index]?.chatId ?? index, [list])
  // oxlint-disable-next-line react/incompatible-library -- the component is not compiled
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize,
    overscan: 8,
    getItemKey: keyOf,
    directDomUpdates: true,
  })
  const items = virtual.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lastIndex >= rows.length - loadAhead) void list.loadMore()
  }, [list, hasMore, lastIndex, rows.length])
  useAnchor(rows, scrollRef)
  const hold = useHold(list)

  return (
    <div className="relative min-h-0 flex-1">
      <FreshPill
        count={fresh.length}
        onReveal={() => {
          list.reveal()
          scrollRef.current?.scrollTo({ top: 0 })
        }}
      />
      <div
        ref={scrollRef}
        onScroll={({ currentTarget }) => list.scrolled(currentTarget.scrollTop > rowHeight / 2)}
        onPointerMove={hold.begin}
        onPointerLeave={hold.end}
        onClick={(event) => press(event, props)}
        className="scrollbar-none h-full overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <ul ref={virtual.containerRef} aria-label="Conversations" className="relative">
          <Rows {...props} indexes={items.map(({ index }) => index)} measure={virtual.measureElement} />
        </ul>
        {state.isLoadingMore ? <LoadingMore /> : null}
      </div>
    </div>
  )
}

type RowsProps = ConversationListProps & {
  indexes: readonly number[]
  measure: (element: Element | null) => void
}

function Rows(props: RowsProps) {
  const { state, openId, activeId, selected, isChoosing, hrefOf, onToggle, indexes, measure } = props
  const { rows, hasMore, leaving } = state
  const now = useServerNow()
  const shown = indexes.map((index) => rows[index]?.chatId)
  const tabStop = shown.includes(activeId) ? activeId : shown[0]
  const firstLeaving = leaving.size === 0 ? -1 : rows.findIndex(({ chatId }) => leaving.has(chatId))
  return indexes.map((index) => {
    const row = rows[index]
    if (!row) return null
    const { chatId } = row
    return (
      <li
        key={chatId}
        data-index={index}
        ref={measure}
        aria-setsize={hasMore ? -1 : rows.length}
        aria-posinset={index + 1}
        className="absolute top-0 left-0 w-full after:absolute after:top-0 after:right-0 after:left-17 after:h-px after:bg-line first:after:hidden"
      >
        <ConversationRow
          conversation={row}
          href={hrefOf(chatId)}
          now={now}
          isOpen={chatId === openId}
          isActive={chatId === tabStop}
          isChosen={selected.has(chatId)}
          isChoosing={isChoosing}
          motion={leaving.has(chatId) ? 'leaves' : firstLeaving >= 0 && index > firstLeaving ? 'follows' : undefined}
        />
        {isChoosing ? (
          <span className="absolute top-0 left-0 grid h-16 w-11 place-items-center">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Select ${row.name}`}
              checked={selected.has(chatId)}
              onChange={() => onToggle(chatId)}
              className="check-box size-4 rounded-sm border border-input bg-card"
            />
          </span>
        ) : null}
      </li>
    )
  })
}

function FreshPill({ count, onReveal }: { count: number; onReveal: () => void }) {
  if (count === 0) return null
  return (
    <button
      type="button"
      onClick={onReveal}
      className="absolute top-2 left-1/2 z-10 inline-flex h-7 -translate-x-1/2 animate-fade-in items-center gap-1 rounded-full bg-primary px-3 text-caption font-medium text-primary-foreground shadow-2"
    >
      <ArrowUp aria-hidden className="size-3.5" /> {count} new
    </button>
  )
}

function LoadingMore() {
  return (
    <p className="grid h-12 place-items-center text-muted-foreground">
      <Spinner />
      <span className="sr-only">Loading more conversations</span>
    </p>
  )
}

/** One listener for all rows. */
function press(event: MouseEvent, { isChoosing, onOpen, onActive, onToggle }: ConversationListProps) {
  if (!(event.target instanceof Element) || event.altKey || event.metaKey || event.ctrlKey) return
  const id = event.target.closest('[data-chat]')?.getAttribute('data-chat')
  if (!id) return
  event.preventDefault()
  if (event.shiftKey || isChoosing) return onToggle(id)
  onActive(id)
  return onOpen(id)
}

/** While the pointer moves over the list, rows keep their order. */
function useHold(list: InboxList) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      list.hold(false)
    },
    [list],
  )
  const end = () => {
    clearTimeout(timer.current)
    list.hold(false)
  }
  return {
    begin() {
      list.hold(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(end, holdMs)
    },
    end,
  }
}

/** Keeps the first visible row in place when rows above it are added or removed. */
function useAnchor(rows: readonly Conversation[], scroll: RefObject<HTMLDivElement | null>) {
  const before = useRef(rows)
  useLayoutEffect(() => {
    const element = scroll.current
    const known = before.current
    before.current = rows
    if (!element || known === rows || element.scrollTop < rowHeight / 2) return
    const at = Math.floor(element.scrollTop / rowHeight)
    const first = known[at]
    // Rows that were added at the end move none.
    if (!first || rows[at]?.chatId === first.chatId) return
    const index = rows.findIndex(({ chatId }) => chatId === first.chatId)
    if (index >= 0) element.scrollBy({ top: (index - at) * rowHeight, behavior: 'instant' })
  }, [rows, scroll])
}
