import type { ThreadItem, ThreadItemOf } from '@carillon/contract/conversation-records'
import { calendarDay } from '../../../lib/format.ts'
import type { OutboxEntry } from './outbox.ts'

const groupMs = 3 * 60_000

/** A line of the thread as it is drawn. */
export type ThreadRow =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string; count: number }
  | { kind: 'item'; key: string; item: ThreadItem; isFirst: boolean; isLast: boolean }
  | { kind: 'waiting'; key: string; entry: OutboxEntry; isLast: boolean }

/** The items with new and changed ones; those that did not change are the same objects. */
export function mergeItems(items: readonly ThreadItem[], incoming: readonly ThreadItem[]): readonly ThreadItem[] {
  if (incoming.length === 0) return items
  const changed = new Map(incoming.map((item) => [item.id, item]))
  const kept = items.map((item) => {
    const next = changed.get(item.id)
    changed.delete(item.id)
    return next ?? item
  })
  if (changed.size === 0) return kept
  return [...kept, ...changed.values()].sort(byTime)
}

function byTime(a: ThreadItem, b: ThreadItem): number {
  return a.at.localeCompare(b.at) || a.id.localeCompare(b.id)
}

type RowsInput = {
  items: readonly ThreadItem[]
  waiting: readonly OutboxEntry[]
  /** The first message that was unread when the thread was opened, and how many were. */
  unread: { fromId: string; count: number } | undefined
}

/** Days, the mark of unread messages, messages in groups, and replies that were not accepted yet. */
export function rowsOf({ items, waiting, unread }: RowsInput): ThreadRow[] {
  const rows: ThreadRow[] = []
  let day = ''
  items.forEach((item, index) => {
    const today = calendarDay(item.at)
    if (today !== day) rows.push({ kind: 'day', key: `day-${today}`, at: item.at })
    day = today
    if (unread?.fromId === item.id) rows.push({ kind: 'unread', key: 'unread', count: unread.count })
    const isMarked = unread?.fromId === item.id
    const isFirst = isMarked || !isSameGroup(items[index - 1], item)
    const next = items[index + 1]
    const isLast = !next || next.id === unread?.fromId || !isSameGroup(item, next)
    rows.push({ kind: 'item', key: item.id, item, isFirst, isLast })
  })
  const sent = new Set(items.flatMap((item) => (item.kind === 'outbound' && item.clientId ? [item.clientId] : [])))
  const left = waiting.filter(({ clientId }) => !sent.has(clientId))
  left.forEach((entry, index) => {
    rows.push({ kind: 'waiting', key: entry.clientId, entry, isLast: index === left.length - 1 })
  })
  return rows
}

/** Bubbles of the same side and author within three minutes of each other are drawn as one group. */
function isSameGroup(before: ThreadItem | undefined, item: ThreadItem): boolean {
  if (!before || before.kind !== item.kind) return false
  if (calendarDay(before.at) !== calendarDay(item.at)) return false
  if (Date.parse(item.at) - Date.parse(before.at) > groupMs) return false
  if (item.kind === 'inbound') return true
  if (item.kind === 'outbound' && before.kind === 'outbound')
    return authorOf(item) === authorOf(before) && item.source === before.source && before.delivery.status !== 'failed'
  return false
}

function authorOf({ author }: ThreadItemOf<'outbound'>): string {
  return author?._id ?? ''
}

/** Of the newest messages of the person, the first of as many as are unread. */
export function firstUnread(items: readonly ThreadItem[], unread: number): RowsInput['unread'] {
  if (unread === 0) return undefined
  const inbound = items.filter((item) => item.kind === 'inbound')
  const first = inbound.at(-unread) ?? inbound[0]
  return first ? { fromId: first.id, count: unread } : undefined
}

/** Ids of messages whose delivery may still change. */
export function unsettled(items: readonly ThreadItem[]): string[] {
  return items.flatMap((item) =>
    (item.kind === 'outbound' || item.kind === 'campaign') &&
    ['queued', 'sent', 'unknown'].includes(item.delivery.status)
      ? [item.id]
      : [],
  )
}
