import { expect, test } from 'vitest'
import { shortWaitingText, waitingText } from './waiting-text.ts'

test.each([
  [
    1,
    '2025-11-22T09:00:00Z',
    '1 waits: WhatsApp limits how many marketing messages a person gets; the message is tried again on 22 Nov.',
  ],
  [
    120,
    '2025-11-22T12:00:00Z',
    '120 wait: WhatsApp limits how many marketing messages a person gets; they are tried again on 22 Nov.',
  ],
  [
    1200,
    '2025-11-24T09:00:00Z',
    '1,200 wait: WhatsApp limits how many marketing messages a person gets; they are tried again from 22 Nov to 24 Nov.',
  ],
])('%i people who wait', (people, until, words) => {
  expect(waitingText({ people, from: '2025-11-22T08:00:00Z', until }, 'WhatsApp')).toBe(words)
})

test('a row of a list says until when', () => {
  const times = { from: '2025-11-22T03:30:00Z', until: '2025-11-22T04:30:00Z' }
  expect(shortWaitingText({ people: 1, ...times })).toBe('1 waits until 22 Nov, 10:00 am')
  expect(shortWaitingText({ people: 1200, ...times })).toBe('1,200 wait until 22 Nov, 10:00 am')
})
