import type { Conversation, ThreadItem } from '@carillon/contract/conversation-records'
import { useVirtualizer } from '@tanstack/react-virtual'
import clsx from 'clsx'
import { ArrowDown } from 'lucide-react'
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { Spinner } from '../../../ui/spinner.tsx'
import { personName } from '../person-name.ts'
import { useOutbox, type OutboxEntry } from '../state/outbox.ts'
import { useTyping } from '../state/presence.ts'
import { rowsOf, type ThreadRow } from '../state/thread-items.ts'
import type { Thread, ThreadState } from '../state/thread.ts'
import { useMarkRead } from '../state/use-mark-read.ts'
import { Bubble } from './bubble.tsx'
import type { BubbleActions } from './bubble-actions.ts'
import { DayLine, EventLine, NoteBubble, UnreadLine, WaitingBubble } from './thread-lines.tsx'

type ThreadLogProps = {
  conversation: Conversation
  thread: Thread
  state: ThreadState
  accountId: string | undefined
  /** An item to scroll to and mark, such as a search result. */
  itemId: string | undefined
  actions: BubbleActions
}

/** Pixels from the end within which the reader counts as reading the newest messages. */
const endThreshold = 48
/** Rows from the edge at which the next page is loaded. */
const loadAhead = 8

/** The messages. Loading older ones and messages that arrive do not move what is read; the end is followed while it is shown. */
export function ThreadLog(props: ThreadLogProps) {
  const { conversation, thread, state, itemId, actions } = props
  const waiting = useOutbox(conversation.chatId)
  const { items, unread, isAtNewest } = state
  const rows = useMemo(
    () => rowsOf({ items, waiting: isAtNewest ? waiting : [], unread }),
    [items, waiting, unread, isAtNewest],
  )
  const scroll = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the component is not compiled
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => estimate(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 6,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: endThreshold,
    paddingStart: 12,
    paddingEnd: 8,
  })
  const drawn = virtual.getVirtualItems()
  const isAtEnd = virtual.isAtEnd(endThreshold) && isAtNewest
  const [markedId, jump] = useJump({ rows, thread, itemId, virtual })
  useFirstPlace({ rows, unread, itemId, virtual })
  useMarkRead({ conversation, items, isAtEnd, lastKey: lastShownKey(rows, drawn, virtual) })
  useMorePages({ thread, state, count: rows.length, drawn })
  useStayAtEnd({ isAtEnd, scroll, virtual })
  useOwnSends({ waiting, isAtNewest, thread, virtual })
  const missed = useMissed({ rows, isAtEnd, missed: state.missed })
  const ownActions = useMemo(() => ({ ...actions, onJump: jump }), [actions, jump])

  async function toNewest() {
    if (!isAtNewest) await thread.load()
    requestAnimationFrame(() => virtual.scrollToEnd())
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroll}
        role="log"
        aria-live="off"
        aria-label="Messages"
        tabIndex={0}
        className="scrollbar-none relative flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain focus-visible:-outline-offset-2 [overflow-anchor:none]"
      >
        <div className="relative mt-auto w-full shrink-0" style={{ height: virtual.getTotalSize() }}>
          {state.isLoadingOlder ? <LoadingOlder /> : null}
          {drawn.map(({ key, index, start }) => {
            const row = rows[index]
            if (!row) return null
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute top-0 left-0 w-full px-5 max-md:px-4"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Row {...props} row={row} markedId={markedId} actions={ownActions} />
              </div>
            )
          })}
        </div>
        <TypingLine chatId={conversation.chatId} name={personName(conversation)} />
      </div>
      {isAtEnd ? null : <NewestPill missed={missed} onPress={() => void toNewest()} />}
    </div>
  )
}

function LoadingOlder() {
  return (
    <p className="absolute inset-x-0 top-1 z-1 grid place-items-center text-muted-foreground">
      <Spinner />
      <span className="sr-only">Loading older messages</span>
    </p>
  )
}

function NewestPill({ missed, onPress }: { missed: number; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="absolute right-4 bottom-3 z-10 inline-flex h-8 animate-fade-in items-center justify-center gap-1.5 rounded-full border border-edge bg-popover px-3 text-dense font-medium shadow-2"
    >
      {missed > 0 ? 'New messages' : <span className="sr-only">Newest messages</span>}
      <ArrowDown aria-hidden className="size-4" />
      {missed > 0 ? <span className="tabular-nums">{missed}</span> : null}
    </button>
  )
}

type MorePages = { thread: Thread; state: ThreadState; count: number; drawn: readonly { index: number }[] }

/** Loads the next page before its edge comes into view. */
function useMorePages({ thread, state: { hasOlder, isAtNewest }, count, drawn }: MorePages) {
  const first = drawn[0]?.index ?? 0
  const last = drawn.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasOlder && first < loadAhead) void thread.loadOlder()
  }, [thread, hasOlder, first, count])
  useEffect(() => {
    if (!isAtNewest && last >= count - loadAhead) void thread.loadNewer()
  }, [thread, isAtNewest, last, count])
}

type Virtual = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>

function estimate(row: ThreadRow | undefined): number {
  if (!row || row.kind === 'day' || row.kind === 'unread') return 32
  if (row.kind === 'item' && row.item.kind === 'event') return 28
  if (row.kind === 'item' && 'body' in row.item && row.item.body.media) return 210
  return 64
}

type RowProps = {
  row: ThreadRow
  conversation: Conversation
  accountId: string | undefined
  markedId: string | undefined
  actions: BubbleActions
}

const Row = memo(
  function Row({ row, conversation, accountId, markedId, actions }: RowProps) {
    const { chatId, channel } = conversation
    if (row.kind === 'day') return <DayLine at={row.at} />
    if (row.kind === 'unread') return <UnreadLine count={row.count} />
    if (row.kind === 'waiting')
      return <WaitingBubble entry={row.entry} channel={channel} isLast={row.isLast} onTemplate={actions.onTemplate} />
    const { item } = row
    const isMarked = item.id === markedId
    if (item.kind === 'event') return <EventLine item={item} />
    if (item.kind === 'note')
      return <NoteBubble item={item} accountId={accountId} channel={channel} isMarked={isMarked} />
    return (
      <Bubble
        chatId={chatId}
        channel={channel}
        item={item}
        isFirst={row.isFirst}
        isLast={row.isLast}
        isMarked={isMarked}
        actions={actions}
      />
    )
  },
  (before, after) =>
    isSameRow(before.row, after.row) &&
    before.accountId === after.accountId &&
    before.actions === after.actions &&
    isMarked(before) === isMarked(after) &&
    before.conversation.chatId === after.conversation.chatId,
)

const isMarked = ({ row, markedId }: RowProps) => row.kind === 'item' && row.item.id === markedId

/** Rows are built anew with each change; their contents are the same objects. */
function isSameRow(a: ThreadRow, b: ThreadRow): boolean {
  if (a.kind === 'item' && b.kind === 'item')
    return a.item === b.item && a.isFirst === b.isFirst && a.isLast === b.isLast
  if (a.kind === 'waiting' && b.kind === 'waiting') return a.entry === b.entry && a.isLast === b.isLast
  return a.kind === b.kind && a.key === b.key
}

/** The last row that is entirely on screen. */
function lastShownKey(rows: readonly ThreadRow[], drawn: ReturnType<Virtual['getVirtualItems']>, virtual: Virtual) {
  const end = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0) + 8
  const index = drawn.findLast((item) => item.end <= end)?.index
  return index === undefined ? undefined : rows[index]?.key
}

type JumpInput = { rows: readonly ThreadRow[]; thread: Thread; itemId: string | undefined; virtual: Virtual }

/** Scrolls to an item, which is marked for a moment; one that is not loaded is loaded with its surroundings. */
function useJump({ rows, thread, itemId, virtual }: JumpInput): [string | undefined, (id: string) => void] {
  const [target, setTarget] = useState<Target | undefined>(itemId ? { id: itemId, number: 0 } : undefined)
  const [known, setKnown] = useState(itemId)
  if (known !== itemId) {
    setKnown(itemId)
    setTarget(itemId ? { id: itemId, number: 0 } : undefined)
  }
  const index = target ? rows.findIndex(({ key }) => key === target.id) : -1
  const isThere = index >= 0
  const place = useRef(index)
  const current = useRef(rows)
  useLayoutEffect(() => {
    place.current = index
    current.current = rows
  })
  // Once for each jump, as soon as the item is loaded.
  useEffect(() => {
    if (!target || !isThere) return undefined
    virtual.scrollToIndex(place.current, { align: 'center' })
    const timer = setTimeout(() => setTarget((now) => (now === target ? undefined : now)), markedMs)
    return () => clearTimeout(timer)
  }, [target, isThere, virtual])

  const [jump] = useState(() => (id: string) => {
    setTarget((before) => ({ id, number: (before?.number ?? 0) + 1 }))
    if (!current.current.some(({ key }) => key === id)) void thread.load({ around: id })
  })
  return [isThere ? target?.id : undefined, jump]
}

/** A jump to the same item again is another one. */
type Target = { id: string; number: number }

const markedMs = 2500

type FirstPlace = Pick<JumpInput, 'rows' | 'itemId' | 'virtual'> & { unread: ThreadState['unread'] }

/** A thread opens at the first unread message, else at the end. */
function useFirstPlace({ rows, unread, itemId, virtual }: FirstPlace) {
  const isPlaced = useRef(false)
  useLayoutEffect(() => {
    if (isPlaced.current || rows.length === 0) return
    isPlaced.current = true
    if (itemId) return
    const index = rows.findIndex(({ kind }) => kind === 'unread')
    if (unread && index >= 0) virtual.scrollToIndex(index, { align: 'start' })
    else virtual.scrollToEnd()
  }, [rows, unread, itemId, virtual])
}

type StayAtEnd = { isAtEnd: boolean; scroll: RefObject<HTMLDivElement | null>; virtual: Virtual }

/** The end stays in view when the room changes, as when the composer grows or a phone shows its keyboard. */
function useStayAtEnd({ isAtEnd, scroll, virtual }: StayAtEnd) {
  const wasAtEnd = useRef(isAtEnd)
  useEffect(() => {
    wasAtEnd.current = isAtEnd
  }, [isAtEnd])
  useEffect(() => {
    const element = scroll.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => {
      if (wasAtEnd.current) virtual.scrollToEnd()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroll, virtual])
}

type OwnSends = {
  waiting: readonly OutboxEntry[]
  isAtNewest: boolean
  thread: Thread
  virtual: Virtual
}

/** A reply that was just sent from here is shown, wherever one was reading. */
function useOwnSends({ waiting, isAtNewest, thread, virtual }: OwnSends) {
  const known = useRef(waiting)
  useEffect(() => {
    const before = new Set(known.current.map(({ clientId }) => clientId))
    known.current = waiting
    if (waiting.every(({ clientId }) => before.has(clientId))) return
    const loaded = isAtNewest ? Promise.resolve() : thread.load()
    void loaded.then(() => requestAnimationFrame(() => virtual.scrollToEnd()))
  }, [waiting, isAtNewest, thread, virtual])
}

type MissedInput = { rows: readonly ThreadRow[]; isAtEnd: boolean; missed: number }

/** How many messages arrived below what is read. */
function useMissed({ rows, isAtEnd, missed }: MissedInput): number {
  const lastKey = rows.at(-1)?.key
  const [readTo, setReadTo] = useState(lastKey)
  if (isAtEnd && readTo !== lastKey) setReadTo(lastKey)
  if (readTo === undefined && lastKey !== undefined) setReadTo(lastKey)
  const from = rows.findLastIndex(({ key }) => key === readTo)
  if (from < 0) return missed
  const after = rows.slice(from + 1)
  return missed + after.filter((row) => row.kind === 'item' && isMessage(row.item)).length
}

const isMessage = ({ kind }: ThreadItem) => kind !== 'event'

function TypingLine({ chatId, name }: { chatId: string; name: string }) {
  const isTyping = useTyping(chatId)
  return (
    <p aria-hidden={!isTyping} className={clsx('px-5 text-caption text-brand-text', isTyping ? 'pb-2' : 'sr-only')}>
      {isTyping ? `${name} is typing…` : ''}
    </p>
  )
}
