import type { Notification } from '@carillon/contract/notifications'
import { expect, test } from 'vitest'
import { addMessage, mergeFeed } from './feed-entries.ts'

const chat = '0199aaaa-0000-8000-8000-000000000001'
const message = (messageId: string, text: string, more: { chatId?: string; sendTime?: string } = {}) => ({
  channel: 'whatsapp' as const,
  chatId: chat,
  messageId,
  senderPhoneNumber: '+919876543210',
  text,
  sendTime: '2026-03-01T10:00:00.000Z',
  ...more,
})
const stored: Notification = {
  _id: 'stored',
  kind: 'message_received',
  title: 'Asha Rao',
  description: 'Hello',
  link: { type: 'conversation', id: chat },
  isNew: true,
  at: '2026-03-01T10:00:01.000Z',
}

test('an incoming message is a new entry at the top with title, description and time', () => {
  const before = addMessage([], message('1', 'Earlier', { chatId: 'other' }))
  const [top, ...others] = addMessage(before, message('2', 'Hello'))
  expect(top).toEqual({
    _id: '2',
    kind: 'message_received',
    title: '+91 98765 43210',
    description: 'Hello',
    link: { type: 'conversation', id: chat },
    isNew: true,
    at: '2026-03-01T10:00:00.000Z',
    isLocal: true,
  })
  expect(others).toEqual(before)
})

test('messages of one conversation are one entry with the latest text and the number of new ones', () => {
  let entries = addMessage([], message('1', 'First'))
  entries = addMessage(entries, message('2', 'Elsewhere', { chatId: 'other' }))
  entries = addMessage(entries, message('3', 'Second'))
  expect(entries.map(({ description, count }) => ({ description, count }))).toEqual([
    { description: 'Second', count: 2 },
    { description: 'Elsewhere', count: undefined },
  ])
})

test('the count starts again after the entry was seen', () => {
  const seen = addMessage([], message('1', 'First')).map((entry) => ({ ...entry, isNew: false }))
  const [entry] = addMessage(seen, message('2', 'Second'))
  expect(entry).toMatchObject({ description: 'Second', isNew: true })
  expect(entry?.count).toBeUndefined()
})

test('a message that the server has stored as a notification is shown once', () => {
  const messages = addMessage([], message('1', 'Hello'))
  expect(mergeFeed(messages, [stored])).toEqual([stored])
  const later = addMessage(messages, message('2', 'Still there?', { sendTime: '2026-03-01T10:05:00.000Z' }))
  expect(mergeFeed(later, [stored]).map(({ description }) => description)).toEqual(['Still there?', 'Hello'])
})
