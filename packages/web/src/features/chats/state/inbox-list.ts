import type { Conversation } from '@carillon/contract/conversation-records'
import { call, type CallData, type CallError } from '../../../lib/call.ts'
import { queries } from '../../../lib/queries.ts'
import type { InboxQuery } from '../chats-view.ts'
import { mergeInPlace, mergeRows } from './inbox-rows.ts'
import { noteServerTime, renewServerNow, serverNow } from './server-clock.ts'

export type InboxState = {
  status: 'loading' | 'ready' | 'failed'
  error: CallError | undefined
  rows: readonly Conversation[]
  isLoadingMore: boolean
  hasMore: boolean
  /** Rows that arrived above those on screen. */
  fresh: readonly string[]
  /** When the list was loaded. */
  loadedAt: number
}

type Change = { conversations: readonly Conversation[]; gone: readonly string[] }

export type InboxList = ReturnType<typeof createInboxList>

const pageSize = 50
const empty: InboxState = {
  status: 'loading',
  error: undefined,
  rows: [],
  isLoadingMore: false,
  hasMore: false,
  fresh: [],
  loadedAt: 0,
}

/**
 * The list of one tab with its filters. Pages are added at the end; events change rows in place, many of them in one frame.
 * While the order is held, because the pointer is over the list, rows are not moved.
 */
export function createInboxList(query: InboxQuery) {
  let state = empty
  let next: string | undefined
  let cursor: string | undefined
  let loads = 0
  let accountId: string | undefined
  let keptId: string | undefined
  let isHeld = false
  let isScrolled = false
  let held: Change | undefined
  let waiting: Change | undefined
  const listeners = new Set<() => void>()

  function set(patch: Partial<InboxState>) {
    state = { ...state, ...patch }
    for (const listener of listeners) listener()
  }

  async function load() {
    loads += 1
    const own = loads
    if (state.status === 'failed') set({ status: 'loading', error: undefined })
    try {
      const page = await call('conversations.list', { query: { ...query, limit: pageSize } })
      if (own !== loads) return
      take(page)
      set({ status: 'ready', error: undefined, rows: page.conversations, fresh: [], loadedAt: Date.now() })
    } catch (error) {
      // The contract's calls reject with this type only.
      if (own === loads) set({ status: 'failed', error: error as CallError })
    }
  }

  function take(page: CallData<'conversations.list'>) {
    noteServerTime(page.now)
    renewServerNow()
    next = page.next
    cursor ??= page.cursor
    set({ hasMore: next !== undefined })
  }

  async function loadMore() {
    if (!next || state.isLoadingMore || state.status !== 'ready') return
    const own = loads
    set({ isLoadingMore: true })
    try {
      const page = await call('conversations.list', { query: { ...query, limit: 100, after: next } })
      if (own !== loads) return
      take(page)
      const known = new Set(state.rows.map(({ chatId }) => chatId))
      set({
        rows: [...state.rows, ...page.conversations.filter(({ chatId }) => !known.has(chatId))],
        isLoadingMore: false,
      })
    } catch {
      // Scrolling further tries again; a lost connection is shown by the shell.
      set({ isLoadingMore: false })
    }
  }

  /** Events of a frame are applied together. */
  function change(more: Change) {
    if (!waiting) requestAnimationFrame(flush)
    waiting = joined(waiting, more)
  }

  function flush() {
    const arrived = waiting
    waiting = undefined
    if (!arrived || state.status !== 'ready') return
    if (!isHeld) return apply(arrived)
    held = joined(held, arrived)
    const rows = mergeInPlace(state.rows, arrived)
    const known = new Set(rows.map(({ chatId }) => chatId))
    const context = { query, accountId, now: serverNow(), keptId, hasMore: false }
    const { added } = mergeRows([], held, context)
    set({ rows, fresh: added.filter((id) => !known.has(id)) })
  }

  function apply(arrived: Change) {
    const context = { query, accountId, now: serverNow(), keptId, hasMore: state.hasMore }
    const { rows, added } = mergeRows(state.rows, arrived, context)
    const fresh = isScrolled ? [...new Set([...state.fresh, ...added])] : []
    if (rows !== state.rows || fresh.length !== state.fresh.length) set({ rows, fresh })
  }

  function release() {
    const arrived = held
    held = undefined
    if (arrived) apply(arrived)
  }

  return {
    query,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    read: () => state,
    load,
    loadMore,
    change,
    /** Where a later `conversations.changes` begins. */
    cursor: () => cursor,
    setCursor: (value: string) => {
      cursor = value
    },
    setContext(context: { accountId: string | undefined; keptId: string | undefined }) {
      accountId = context.accountId
      keptId = context.keptId
    },
    /** While held, rows keep their order. */
    hold(value: boolean) {
      if (isHeld === value) return
      isHeld = value
      if (!value) release()
    },
    scrolled(value: boolean) {
      isScrolled = value
      if (!value && state.fresh.length > 0 && !isHeld) set({ fresh: [] })
    },
    /** Shows the rows that arrived above. */
    reveal() {
      release()
      if (state.fresh.length > 0) set({ fresh: [] })
    },
    find: (chatId: string) => state.rows.find((row) => row.chatId === chatId),
  }
}

function joined(before: Change | undefined, { conversations, gone }: Change): Change {
  if (!before) return { conversations, gone }
  const newest = new Map(before.conversations.map((conversation) => [conversation.chatId, conversation]))
  for (const conversation of conversations) newest.set(conversation.chatId, conversation)
  for (const id of gone) newest.delete(id)
  const left = new Set([...before.gone, ...gone].filter((id) => !newest.has(id)))
  return { conversations: [...newest.values()], gone: [...left] }
}

type Details = CallData<'conversations.get'>

/** Puts changed conversations where the open thread reads them. */
export function rememberConversations(conversations: readonly Conversation[]) {
  for (const conversation of conversations) {
    queries.setQueryData<Details>(['conversations.get', { path: { id: conversation.chatId } }], (known) =>
      known && known.conversation.revision <= conversation.revision ? { ...known, conversation } : known,
    )
  }
}
