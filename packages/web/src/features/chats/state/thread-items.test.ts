import type { ThreadItem } from '@carillon/contract/conversation-records'
import { expect, test } from 'vitest'
import type { OutboxEntry } from './outbox.ts'
import { firstUnread, mergeItems, rowsOf, unsettled } from './thread-items.ts'

const start = Date.parse('2025-11-03T08:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()

const inbound = (id: string, minutes: number): ThreadItem => ({
  kind: 'inbound',
  id,
  at: at(minutes),
  body: { type: 'text', text: id },
  reactions: [],
})

const outbound = (id: string, minutes: number, clientId?: string): ThreadItem => ({
  kind: 'outbound',
  id,
  at: at(minutes),
  body: { type: 'text', text: id },
  delivery: { status: 'sent', parts: 1, cost: 0 } as never,
  source: 'reply',
  reactions: [],
  ...(clientId ? { clientId } : {}),
})

const waiting = (clientId: string): OutboxEntry => ({
  clientId,
  chatId: 'chat',
  content: { type: 'text', text: clientId },
  body: { type: 'text', text: clientId },
  at: at(9),
  state: 'sending',
})

test('new items are added in the order of time, changed ones replace theirs', () => {
  const items = [inbound('a', 0), inbound('c', 2)]
  const merged = mergeItems(items, [inbound('b', 1), outbound('c', 2)])
  expect(merged.map(({ id, kind }) => `${id} ${kind}`)).toEqual(['a inbound', 'b inbound', 'c outbound'])
  expect(merged[0]).toBe(items[0])
  expect(mergeItems(items, [])).toBe(items)
})

test('a day begins with its date, and bubbles within three minutes are a group', () => {
  const items = [inbound('a', 0), inbound('b', 2), inbound('c', 7), outbound('d', 8), inbound('e', 24 * 60)]
  const rows = rowsOf({ items, waiting: [], unread: undefined })
  expect(rows.map(({ kind, key }) => (kind === 'item' ? key : kind))).toEqual(['day', 'a', 'b', 'c', 'd', 'day', 'e'])
  const edges = rows.flatMap((row) => (row.kind === 'item' ? [[row.key, row.isFirst, row.isLast]] : []))
  expect(edges.slice(0, 3)).toEqual([
    ['a', true, false],
    ['b', false, true],
    ['c', true, true],
  ])
})

test('the mark of unread messages is before the first of them and begins a group', () => {
  const items = [inbound('a', 0), inbound('b', 1), inbound('c', 2)]
  const rows = rowsOf({ items, waiting: [], unread: firstUnread(items, 2) })
  expect(rows.map(({ kind, key }) => (kind === 'item' ? key : kind))).toEqual(['day', 'a', 'unread', 'b', 'c'])
  expect(rows[3]).toMatchObject({ key: 'b', isFirst: true, isLast: false })
  expect(firstUnread(items, 0)).toBeUndefined()
})

test('a reply is shown once: until it is accepted as one that waits', () => {
  const rows = rowsOf({
    items: [outbound('a', 0, 'first')],
    waiting: [waiting('first'), waiting('second')],
    unread: undefined,
  })
  expect(rows.map(({ kind, key }) => `${kind} ${key}`).slice(1)).toEqual(['item a', 'waiting second'])
})

test('messages whose delivery may change are asked for again', () => {
  const read = { ...outbound('b', 1), delivery: { status: 'read', parts: 1, cost: 0 } } as ThreadItem
  expect(unsettled([outbound('a', 0), read, inbound('c', 2)])).toEqual(['a'])
})
