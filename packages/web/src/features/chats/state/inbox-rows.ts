import type { Conversation } from '@carillon/contract/conversation-records'
import type { InboxQuery } from '../chats-view.ts'
import { windowOf } from './service-window.ts'

const closingSoonMs = 2 * 60 * 60_000

export type ListContext = {
  query: InboxQuery
  /** The signed-in account. */
  accountId: string | undefined
  now: number
  /** The open conversation stays in the list although it no longer matches. */
  keptId: string | undefined
  /** There are rows after the last one, so a row that belongs after it is not shown yet. */
  hasMore: boolean
}

export type Merged = {
  rows: readonly Conversation[]
  /** Rows that were not in the list before. */
  added: readonly string[]
}

export type Change = { conversations: readonly Conversation[]; gone: readonly string[] }

/**
 * The list after some conversations changed. Rows that did not change are the same objects. A list may have 100,000 rows, so each
 * is looked at once, and new places are found by bisection.
 */
export function mergeRows(rows: readonly Conversation[], change: Change, context: ListContext): Merged {
  const { query, now, hasMore } = context
  const added = new Map(change.conversations.map((conversation) => [conversation.chatId, conversation]))
  const changed = new Map(added)
  const gone = new Set(change.gone)
  const moved: Conversation[] = []
  const kept = rows.filter(({ chatId, revision }) => {
    const next = changed.get(chatId)
    if (next) added.delete(chatId)
    if (gone.has(chatId)) return false
    if (!next || next.revision < revision) return true
    if (shows(next, context)) moved.push(next)
    return false
  })
  const arrived = [...added.values()].filter(({ chatId }) => !gone.has(chatId)).filter((row) => shows(row, context))
  if (moved.length === 0 && arrived.length === 0 && kept.length === rows.length) return { rows, added: [] }

  const compare = comparatorOf(query, now)
  const last = kept.at(-1)
  const fits = (row: Conversation) => !hasMore || last === undefined || compare(row, last) <= 0
  const placed = [...moved, ...arrived].filter((row) => row.chatId === context.keptId || fits(row)).sort(compare)
  return {
    rows: mergeSorted(kept, placed, compare),
    added: arrived.filter((row) => placed.includes(row)).map(({ chatId }) => chatId),
  }
}

/** The same rows with their new content, in the old order: while the pointer is over the list. */
export function mergeInPlace(rows: readonly Conversation[], { conversations }: Change): readonly Conversation[] {
  const changed = new Map(conversations.map((conversation) => [conversation.chatId, conversation]))
  let hasChanged = false
  const next = rows.map((row) => {
    const other = changed.get(row.chatId)
    if (!other || other.revision < row.revision) return row
    hasChanged = true
    return other
  })
  return hasChanged ? next : rows
}

/** Merges a few sorted rows into many. */
function mergeSorted(
  many: readonly Conversation[],
  few: readonly Conversation[],
  compare: (a: Conversation, b: Conversation) => number,
): Conversation[] {
  const parts: Conversation[][] = []
  let from = 0
  for (const row of few) {
    const at = placeOf(row, { among: many, from, compare })
    parts.push(many.slice(from, at), [row])
    from = at
  }
  return [...parts, many.slice(from)].flat()
}

type Place = {
  among: readonly Conversation[]
  from: number
  compare: (a: Conversation, b: Conversation) => number
}

/** The index of the first row that does not come before the row. */
function placeOf(row: Conversation, { among, from, compare }: Place): number {
  let [low, high] = [from, among.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = among[middle]
    if (other && compare(other, row) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function shows(conversation: Conversation, { keptId, ...context }: ListContext): boolean {
  return conversation.chatId === keptId || matches(conversation, context)
}

/** Whether a conversation is in the chosen tab and passes the filters. */
export function matches(
  conversation: Conversation,
  { query, accountId, now }: Pick<ListContext, 'query' | 'accountId' | 'now'>,
): boolean {
  const { box, status, channel, line, label, handledBy, unread, closingSoon } = query
  const { assignee } = conversation
  return [
    box === 'all' || (box === 'mine' ? assignee?._id === accountId : assignee === undefined),
    status === 'active' ? conversation.status !== 'resolved' : conversation.status === status,
    channel === undefined || conversation.channel === channel,
    line === undefined || conversation.line._id === line,
    label === undefined || conversation.labels.includes(label),
    handledBy === undefined || conversation.handledBy === handledBy,
    unread === undefined || conversation.unread > 0,
    closingSoon === undefined || isClosingSoon(conversation, now),
  ].every(Boolean)
}

function isClosingSoon(conversation: Conversation, now: number): boolean {
  const { level, leftMs } = windowOf(conversation, now)
  return level !== 'none' && level !== 'closed' && leftMs < closingSoonMs
}

/** The order of the server's list. */
export function comparatorOf({ order, status }: Pick<InboxQuery, 'order' | 'status'>, now: number) {
  if (order === 'newest' || status === 'resolved') return newestFirst
  if (order === 'waiting') return longestWaitingFirst
  return (a: Conversation, b: Conversation) => {
    const [first, second] = [rankOf(a, now), rankOf(b, now)]
    if (first !== second) return first - second
    if (first === 1) return newestFirst(a, b)
    return first === 0 ? closingFirst(a, b) : closingFirst(b, a)
  }
}

/** Open windows, then conversations without one, then closed windows. */
function rankOf({ windowExpiresAt }: Conversation, now: number): number {
  if (windowExpiresAt === undefined) return 1
  return Date.parse(windowExpiresAt) > now ? 0 : 2
}

function closingFirst(a: Conversation, b: Conversation): number {
  return compareText(a.windowExpiresAt ?? '', b.windowExpiresAt ?? '') || compareText(a.chatId, b.chatId)
}

function newestFirst(a: Conversation, b: Conversation): number {
  return compareText(b.lastMessage.at, a.lastMessage.at) || compareText(b.chatId, a.chatId)
}

/** Those that wait for no answer last. */
function longestWaitingFirst(a: Conversation, b: Conversation): number {
  if (a.waitingSince && b.waitingSince)
    return compareText(a.waitingSince, b.waitingSince) || compareText(a.chatId, b.chatId)
  if (a.waitingSince) return -1
  return b.waitingSince ? 1 : newestFirst(a, b)
}

/** Ids and times in ISO 8601, which `localeCompare` would compare far more slowly. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
