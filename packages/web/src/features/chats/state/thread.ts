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

type Load = {
  /** An item whose page is shown instead of the newest one. */
  around?: string | undefined
  /** How many messages were unread when the thread was opened. */
  unread?: number
}

/** The items of a conversation, loaded by pages and kept up to date by events. */
export class Thread {
  readonly chatId: string
  #state = start
  #before: string | undefined
  #after: string | undefined
  #cursor: string | undefined
  #loads = 0
  /** Items that arrived before the first page. */
  #early: ThreadItem[] = []
  readonly #listeners = new Set<() => void>()

  constructor(chatId: string) {
    this.chatId = chatId
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly read = () => this.#state

  #set(patch: Partial<ThreadState>) {
    this.#state = { ...this.#state, ...patch }
    for (const listener of this.#listeners) listener()
  }

  async load({ around, unread = 0 }: Load = {}) {
    this.#loads += 1
    const own = this.#loads
    if (this.#state.status === 'failed') this.#set({ status: 'loading', error: undefined })
    try {
      const page = await this.#read(around ? { around } : {})
      if (own !== this.#loads) return
      renewServerNow()
      this.#before = page.before
      this.#after = page.after
      this.#cursor = page.cursor
      const isAtNewest = page.after === undefined
      const items = isAtNewest ? mergeItems(page.items, this.#early) : page.items
      this.#early = []
      this.#set({
        ...start,
        status: 'ready',
        items,
        isAtNewest,
        hasOlder: page.before !== undefined,
        unread: firstUnread(items, unread),
      })
    } catch (error) {
      // The contract's calls reject with this type only.
      if (own === this.#loads) this.#set({ status: 'failed', error: error as CallError })
    }
  }

  async loadOlder() {
    const before = this.#before
    if (!before || this.#state.isLoadingOlder) return
    const own = this.#loads
    this.#set({ isLoadingOlder: true })
    try {
      const page = await this.#read({ before })
      if (own !== this.#loads) return
      this.#before = page.before
      const items = mergeItems(page.items, this.#state.items)
      this.#set({ items, hasOlder: page.before !== undefined, isLoadingOlder: false })
    } catch {
      // Scrolling up again tries again.
      this.#set({ isLoadingOlder: false })
    }
  }

  async loadNewer() {
    const after = this.#after
    if (!after || this.#state.isLoadingNewer) return
    const own = this.#loads
    this.#set({ isLoadingNewer: true })
    try {
      const page = await this.#read({ after })
      if (own !== this.#loads) return
      this.#after = page.after
      const isAtNewest = page.after === undefined
      const items = mergeItems(this.#state.items, page.items)
      this.#set({ items, isAtNewest, isLoadingNewer: false, ...(isAtNewest ? { missed: 0 } : {}) })
    } catch {
      // Scrolling down again tries again.
      this.#set({ isLoadingNewer: false })
    }
  }

  async #read(query: { before?: string; after?: string; around?: string }) {
    const page = await call('conversations.thread', { path: { id: this.chatId }, query })
    noteServerTime(page.now)
    return page
  }

  /** New and changed items. */
  take(incoming: readonly ThreadItem[]) {
    const { status, items, isAtNewest, missed } = this.#state
    if (status !== 'ready') {
      this.#early = [...this.#early, ...incoming]
      return
    }
    const known = new Set(items.map(({ id }) => id))
    const isNew = ({ id }: ThreadItem) => !known.has(id)
    const merged = mergeItems(items, isAtNewest ? incoming : incoming.filter((item) => !isNew(item)))
    const more = isAtNewest ? 0 : missed + incoming.filter(isNew).length
    if (merged !== items || more !== missed) this.#set({ items: merged, missed: more })
  }

  /** Reads what changed while there was no connection. */
  async catchUp() {
    if (!this.#cursor) return this.load()
    try {
      const changes = await call('conversations.threadChanges', {
        path: { id: this.chatId },
        query: { since: this.#cursor },
      })
      noteServerTime(changes.now)
      this.#cursor = changes.cursor
      if (changes.isStale) return await this.load()
      this.take(changes.items)
    } catch {
      // The next reconnection tries again from the same cursor.
    }
    return undefined
  }

  /** Reads the delivery of messages that is not final yet. */
  async refreshDeliveries() {
    const ids = unsettled(this.#state.items).slice(-50)
    if (ids.length === 0) return
    try {
      const query = { ids: ids.join(',') }
      this.take((await call('conversations.deliveries', { path: { id: this.chatId }, query })).items)
    } catch {
      // The next interval tries again.
    }
  }
}
