import type { Conversation } from '@carillon/contract/conversation-records'
import { call, type CallData, type CallError } from '../../../lib/call.ts'
import { queries } from '../../../lib/queries.ts'
import type { InboxQuery } from '../chats-view.ts'
import { mergeInPlace, mergeRows, type Change } from './inbox-rows.ts'
import { noteServerTime, renewServerNow, serverNow } from './server-clock.ts'

export type InboxState = {
  status: 'loading' | 'ready' | 'failed'
  error: CallError | undefined
  rows: readonly Conversation[]
  isLoadingMore: boolean
  hasMore: boolean
  /** Rows that arrived above those on screen. */
  fresh: readonly string[]
  /** Rows that slide out. */
  leaving: ReadonlySet<string>
  /** When the list was loaded. */
  loadedAt: number
}

const firstPage = 50
const laterPages = 100
/** How long a row takes to slide out. */
const leaveMs = 450

const start: InboxState = {
  status: 'loading',
  error: undefined,
  rows: [],
  isLoadingMore: false,
  hasMore: false,
  fresh: [],
  leaving: new Set(),
  loadedAt: 0,
}

type Context = { accountId: string | undefined; keptId: string | undefined }

/**
 * The list of one tab with its filters. Pages are added at the end; events change rows in place, many of them in one frame.
 * While the order is held, because the pointer is over the list, rows are not moved.
 */
export class InboxList {
  readonly query: InboxQuery
  /** Where a later `conversations.changes` begins. */
  cursor: string | undefined
  #state = start
  #next: string | undefined
  #loads = 0
  #context: Context = { accountId: undefined, keptId: undefined }
  #isHeld = false
  #isScrolled = false
  /** Changes to apply when the order is no longer held. */
  #held: Change | undefined
  /** Changes to apply in the next frame. */
  #waiting: Change | undefined
  /** Changes of rows that slide out, applied afterwards. */
  readonly #left = new Map<string, Change | undefined>()
  readonly #listeners = new Set<() => void>()

  constructor(query: InboxQuery) {
    this.query = query
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly read = () => this.#state

  #set(patch: Partial<InboxState>) {
    this.#state = { ...this.#state, ...patch }
    for (const listener of this.#listeners) listener()
  }

  async load() {
    this.#loads += 1
    const own = this.#loads
    if (this.#state.status === 'failed') this.#set({ status: 'loading', error: undefined })
    try {
      const page = await this.#read({ limit: firstPage })
      if (own !== this.#loads) return
      this.#next = page.next
      this.cursor = page.cursor
      const { conversations: rows } = page
      const hasMore = page.next !== undefined
      this.#set({ ...start, status: 'ready', rows, hasMore, loadedAt: Date.now() })
    } catch (error) {
      // The contract's calls reject with this type only.
      if (own === this.#loads) this.#set({ status: 'failed', error: error as CallError })
    }
  }

  async loadMore() {
    const after = this.#next
    if (!after || this.#state.isLoadingMore || this.#state.status !== 'ready') return
    const own = this.#loads
    this.#set({ isLoadingMore: true })
    try {
      const page = await this.#read({ limit: laterPages, after })
      if (own !== this.#loads) return
      this.#next = page.next
      const more = new Map(page.conversations.map((conversation) => [conversation.chatId, conversation]))
      for (const { chatId } of this.#state.rows) more.delete(chatId)
      this.#set({
        rows: this.#state.rows.concat([...more.values()]),
        hasMore: page.next !== undefined,
        isLoadingMore: false,
      })
    } catch {
      // Scrolling further tries again; a lost connection is shown by the shell.
      this.#set({ isLoadingMore: false })
    }
  }

  async #read(page: { limit: number; after?: string }) {
    const answer = await call('conversations.list', { query: { ...this.query, ...page } })
    noteServerTime(answer.now)
    renewServerNow()
    return answer
  }

  /** Events of a frame are applied together. */
  change(change: Change) {
    const more = this.#withoutLeaving(change)
    if (!this.#waiting) requestAnimationFrame(() => this.#flush())
    this.#waiting = joined(this.#waiting, more)
  }

  /** A row slides out, and is removed once the server has answered. */
  leave(chatId: string, answer: Promise<unknown>) {
    if (this.#state.status !== 'ready') return
    this.#left.set(chatId, undefined)
    this.#set({ leaving: new Set(this.#left.keys()) })
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const slid = new Promise((resume) => setTimeout(resume, isStill ? 0 : leaveMs))
    void Promise.all([slid, answer]).then(() => {
      const change = this.#left.get(chatId)
      this.#left.delete(chatId)
      if (change) this.#apply(change)
      this.#set({ leaving: new Set(this.#left.keys()) })
    })
  }

  #withoutLeaving({ conversations, gone }: Change): Change {
    const isLeaving = (id: string) => this.#left.has(id)
    for (const conversation of conversations.filter(({ chatId }) => isLeaving(chatId)))
      this.#left.set(conversation.chatId, { conversations: [conversation], gone: [] })
    for (const id of gone.filter(isLeaving)) this.#left.set(id, { conversations: [], gone: [id] })
    return {
      conversations: conversations.filter(({ chatId }) => !isLeaving(chatId)),
      gone: gone.filter((id) => !isLeaving(id)),
    }
  }

  #flush() {
    const arrived = this.#waiting
    this.#waiting = undefined
    if (!arrived || this.#state.status !== 'ready') return
    if (!this.#isHeld) return this.#apply(arrived)
    this.#held = joined(this.#held, arrived)
    const rows = mergeInPlace(this.#state.rows, arrived)
    const known = new Set(rows.map(({ chatId }) => chatId))
    const { added } = mergeRows([], this.#held, this.#contextOf(false))
    this.#set({ rows, fresh: added.filter((id) => !known.has(id)) })
    return undefined
  }

  #apply(arrived: Change) {
    const { rows: before, fresh: known, hasMore } = this.#state
    const { rows, added } = mergeRows(before, arrived, this.#contextOf(hasMore))
    const fresh = this.#isScrolled ? [...new Set([...known, ...added])] : []
    if (rows !== before || fresh.length !== known.length) this.#set({ rows, fresh })
  }

  #contextOf(hasMore: boolean) {
    return { query: this.query, now: serverNow(), hasMore, ...this.#context }
  }

  setContext(context: Context) {
    this.#context = context
  }

  /** While held, rows keep their order. */
  hold(isHeld: boolean) {
    if (this.#isHeld === isHeld) return
    this.#isHeld = isHeld
    if (!isHeld) this.#release()
  }

  #release() {
    const arrived = this.#held
    this.#held = undefined
    if (arrived) this.#apply(arrived)
  }

  scrolled(isScrolled: boolean) {
    this.#isScrolled = isScrolled
    if (!isScrolled && this.#state.fresh.length > 0 && !this.#isHeld) this.#set({ fresh: [] })
  }

  /** Shows the rows that arrived above. */
  reveal() {
    this.#release()
    if (this.#state.fresh.length > 0) this.#set({ fresh: [] })
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
      isNewer(known?.conversation, conversation) && known ? { ...known, conversation } : known,
    )
  }
}

function isNewer(known: Conversation | undefined, conversation: Conversation): boolean {
  return known !== undefined && known !== conversation && known.revision <= conversation.revision
}
