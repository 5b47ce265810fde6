import { expect, test } from 'vitest'
import { waitingWords } from './waiting-words.ts'

test.each([
  [
    1,
    '2025-11-22T09:00:00Z',
    '1 waits: WhatsApp limits how many offers a person gets; the message is tried again on 22 Nov.',
  ],
  [
    120,
    '2025-11-22T12:00:00Z',
    '120 wait: WhatsApp limits how many offers a person gets; they are tried again on 22 Nov.',
  ],
  [
    1200,
    '2025-11-24T09:00:00Z',
    '1,200 wait: WhatsApp limits how many offers a person gets; they are tried again from 22 Nov to 24 Nov.',
  ],
])('%i people who wait', (people, until, words) => {
  expect(waitingWords({ people, from: '2025-11-22T08:00:00Z', until })).toBe(words)
})
