import type { ThreadItem } from '@carillon/contract/conversation-records'
import { call, type CallError } from '../../../lib/call.ts'
import { noteServerTime, renewServerNow } from './server-clock.ts'
import { firstUnread, mergeItems, unsettled } from './thread-items.ts'

export type ThreadState = {
  status: 'loading' | 'ready' | 'failed'
  error: CallError | undefined
  items: readonly ThreadItem[]
  /** The newest page is loaded, so that new items follow the last one. */
  isAtNewest: boolean
  hasOlder: boolean
  isLoadingOlder: boolean
  isLoadingNewer: boolean
  /** Items that arrived while an older page was shown. */
  missed: number
  unread: { fromId: string; count: number } | undefined
}

export type Thread = ReturnType<typeof createThread>

const start: ThreadState = {
  status: 'loading',
  error: undefined,
  items: [],
  isAtNewest: true,
  hasOlder: false,
  isLoadingOlder: false,
  isLoadingNewer: false,
  missed: 0,
  unread: undefined,
}

/** The items of a conversation, loaded by pages and kept up to date by events. */
export function createThread(chatId: string) {
  const path = { id: chatId }
  let state = start
  let before: string | undefined
  let after: string | undefined
  let cursor: string | undefined
  let loads = 0
  let early: ThreadItem[] = []
  const listeners = new Set<() => void>()

  function set(patch: Partial<ThreadState>) {
    state = { ...state, ...patch }
    for (const listener of listeners) listener()
  }

  /** The newest page, or the one around an item. `unread`: how many messages were unread when the thread was opened. */
  async function load({ around, unread = 0 }: { around?: string | undefined; unread?: number } = {}) {
    loads += 1
    const own = loads
    if (state.status === 'failed') set({ status: 'loading', error: undefined })
    try {
      const page = await call('conversations.thread', { path, query: around ? { around } : {} })
      if (own !== loads) return
      noteServerTime(page.now)
      renewServerNow()
      ;({ before, after, cursor } = page)
      const items = after === undefined ? mergeItems(page.items, early) : page.items
      early = []
      set({
        status: 'ready',
        error: undefined,
        items,
        isAtNewest: after === undefined,
        hasOlder: before !== undefined,
        missed: 0,
        unread: firstUnread(items, unread),
      })
    } catch (error) {
      // The contract's calls reject with this type only.
      if (own === loads) set({ status: 'failed', error: error as CallError })
    }
  }

  async function loadOlder() {
    if (!before || state.isLoadingOlder) return
    const own = loads
    set({ isLoadingOlder: true })
    try {
      const page = await call('conversations.thread', { path, query: { before } })
      if (own !== loads) return
      before = page.before
      set({ items: mergeItems(page.items, state.items), hasOlder: before !== undefined, isLoadingOlder: false })
    } catch {
      // Scrolling up again tries again.
      set({ isLoadingOlder: false })
    }
  }

  async function loadNewer() {
    if (!after || state.isLoadingNewer) return
    const own = loads
    set({ isLoadingNewer: true })
    try {
      const page = await call('conversations.thread', { path, query: { after } })
      if (own !== loads) return
      after = page.after
      const isAtNewest = after === undefined
      set({
        items: mergeItems(state.items, page.items),
        isAtNewest,
        isLoadingNewer: false,
        ...(isAtNewest ? { missed: 0 } : {}),
      })
    } catch {
      // Scrolling down again tries again.
      set({ isLoadingNewer: false })
    }
  }

  /** New and changed items. */
  function take(incoming: readonly ThreadItem[]) {
    if (state.status !== 'ready') {
      early = [...early, ...incoming]
      return
    }
    const known = new Set(state.items.map(({ id }) => id))
    const changed = state.isAtNewest ? incoming : incoming.filter(({ id }) => known.has(id))
    const missed = state.isAtNewest ? 0 : state.missed + incoming.filter(({ id }) => !known.has(id)).length
    const items = mergeItems(state.items, changed)
    if (items !== state.items || missed !== state.missed) set({ items, missed })
  }

  /** Reads what changed while there was no connection. */
  async function catchUp() {
    if (!cursor) return load()
    try {
      const changes = await call('conversations.threadChanges', { path, query: { since: cursor } })
      noteServerTime(changes.now)
      cursor = changes.cursor
      if (changes.isStale) return await load()
      take(changes.items)
    } catch {
      // The next reconnection tries again from the same cursor.
    }
    return undefined
  }

  /** Reads the delivery of messages that is not final yet. */
  async function refreshDeliveries() {
    const ids = unsettled(state.items).slice(-50)
    if (ids.length === 0) return
    try {
      take((await call('conversations.deliveries', { path, query: { ids: ids.join(',') } })).items)
    } catch {
      // The next interval tries again.
    }
  }

  return {
    chatId,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    read: () => state,
    load,
    loadOlder,
    loadNewer,
    take,
    catchUp,
    refreshDeliveries,
  }
}
