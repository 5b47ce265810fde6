import type { Conversation } from '@carillon/contract/conversation-records'
import { expect, test } from 'vitest'
import { mergeInPlace, mergeRows, type ListContext } from './inbox-rows.ts'

const now = Date.parse('2025-11-03T08:00:00Z')
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()

function build(chatId: string, fields: Partial<Conversation> = {}): Conversation {
  return {
    chatId,
    channel: 'whatsapp',
    line: { _id: 'line', name: 'Support' },
    contactId: 'contact',
    name: chatId,
    status: 'open',
    handledBy: 'human',
    priority: 'normal',
    labels: [],
    unread: 0,
    isBlocked: false,
    openedAt: at(-60),
    lastMessage: { text: 'Hello', type: 'text', by: 'person', at: at(-1) },
    revision: 1,
    ...fields,
  }
}

const closing = (chatId: string, minutes: number, fields: Partial<Conversation> = {}) =>
  build(chatId, { windowExpiresAt: at(minutes), ...fields })

function contextOf(query: Partial<ListContext['query']> = {}, rest: Partial<ListContext> = {}): ListContext {
  return {
    query: { box: 'all', order: 'closing', status: 'active', ...query },
    accountId: 'me',
    now,
    keptId: undefined,
    hasMore: false,
    ...rest,
  }
}

const idsOf = (rows: readonly Conversation[]) => rows.map(({ chatId }) => chatId)
const change = (...conversations: Conversation[]) => ({ conversations, gone: [] })

test('the window that closes first is first, then channels without one, then closed windows', () => {
  const all = [closing('closed', -5), build('sms', { channel: 'sms' }), closing('late', 300), closing('soon', 10)]
  expect(idsOf(mergeRows([], change(...all), contextOf()).rows)).toEqual(['soon', 'late', 'sms', 'closed'])
})

test('a changed row moves to its place, and the others are the same objects', () => {
  const rows = [closing('a', 10), closing('b', 20), closing('c', 30)]
  const { rows: merged, added } = mergeRows(rows, change(closing('a', 25, { revision: 2 })), contextOf())
  expect(idsOf(merged)).toEqual(['b', 'a', 'c'])
  expect([merged[0], merged[2], added]).toEqual([rows[1], rows[2], []])
  expect(merged[0]).toBe(rows[1])
})

test('an older revision changes nothing', () => {
  const rows = [closing('a', 10, { revision: 5 })]
  expect(mergeRows(rows, change(closing('a', 90, { revision: 4 })), contextOf()).rows).toBe(rows)
})

test('a row that no longer matches leaves, unless it is open; one that is gone leaves always', () => {
  const rows = [closing('a', 10), closing('b', 20)]
  const resolved = change(closing('a', 10, { status: 'resolved', revision: 2 }))
  expect(idsOf(mergeRows(rows, resolved, contextOf()).rows)).toEqual(['b'])
  expect(idsOf(mergeRows(rows, resolved, contextOf({}, { keptId: 'a' })).rows)).toEqual(['a', 'b'])
  expect(idsOf(mergeRows(rows, { conversations: [], gone: ['a'] }, contextOf({}, { keptId: 'a' })).rows)).toEqual(['b'])
})

test('a new row is added where it belongs; beyond the loaded rows it waits for its page', () => {
  const rows = [closing('a', 10), closing('b', 20)]
  const early = mergeRows(rows, change(closing('new', 15)), contextOf({}, { hasMore: true }))
  expect([idsOf(early.rows), early.added]).toEqual([['a', 'new', 'b'], ['new']])
  expect(mergeRows(rows, change(closing('new', 99)), contextOf({}, { hasMore: true })).added).toEqual([])
})

test.each([
  [{ box: 'mine' }, ['mine']],
  [{ box: 'unassigned' }, ['free', 'unread', 'labelled', 'bot']],
  [{ unread: 'true' }, ['unread']],
  [{ label: 'vip' }, ['labelled']],
  [{ handledBy: 'bot' }, ['bot']],
  [{ closingSoon: 'true' }, ['free']],
  [{ channel: 'sms' }, []],
] as const)('the filter %j shows %j', (...[query, expected]) => {
  const all = [
    closing('free', 60),
    closing('mine', 150, { assignee: { _id: 'me', name: 'Ravi' } }),
    closing('unread', 160, { unread: 2 }),
    closing('labelled', 170, { labels: ['vip'] }),
    closing('bot', 180, { handledBy: 'bot' }),
  ]
  expect(idsOf(mergeRows([], change(...all), contextOf(query)).rows)).toEqual(expected)
})

test('while the order is held, rows change where they are', () => {
  const rows = [closing('a', 10), closing('b', 20)]
  const merged = mergeInPlace(rows, change(closing('b', 1, { unread: 3, revision: 2 }), closing('c', 5)))
  expect(merged.map(({ chatId, unread }) => [chatId, unread])).toEqual([
    ['a', 0],
    ['b', 3],
  ])
  expect(mergeInPlace(rows, change(closing('c', 5)))).toBe(rows)
})
