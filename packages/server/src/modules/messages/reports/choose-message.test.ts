import { expect, test } from 'vitest'
import { chooseMessage, type Circumstances } from './choose-message.ts'
import { reportedOf } from './report-evidence.ts'
import type { Hit } from './reported-messages.queries.ts'

const now = Date.parse('2026-03-02T10:00:00Z')
const minute = 60_000

const hit = (seq: number, more: Partial<Hit> = {}): Hit => ({
  senderId: 'sender',
  number: 0,
  reading: 0,
  day: '2026-03-02',
  campaignId: 'c',
  leg: 1,
  seq,
  part: null,
  id: '10',
  key: `c 1 ${seq}`,
  status: 'sent',
  sentAt: now - minute,
  endedAt: null,
  isSameNumber: true,
  ...more,
})

const around = (more: Partial<Circumstances> = {}): Circumstances => ({
  learned: undefined,
  isClockKnown: true,
  now,
  mayWait: true,
  ...more,
})

function choose(hits: Hit[], { numbers = ['919812345678'], submittedMs = 0, ids = ['10', 'a', '16'], ...more } = {}) {
  const report = reportedOf({
    kind: 'delivery-report',
    providerMessageIds: ids,
    match: {
      readings: ['same', 'decimal', 'hexadecimal'].slice(0, ids.length) as never,
      numbers,
      isLocalTime: true,
      ...(submittedMs ? { submittedAt: new Date(submittedMs) } : {}),
    },
    status: 'failed',
    at: new Date(now),
  })
  const choice = chooseMessage(report, hits, around(more as Partial<Circumstances>))
  return choice.kind === 'found' ? choice.hit.seq : choice.kind
}

const other = { isSameNumber: false }
const unnamed = { isSameNumber: null }
const delivered = { status: 'delivered' as const, endedAt: now - minute }
const yesterday = { sentAt: now - 24 * 60 * minute }

test.each<[string, Hit[], object, number | 'wait']>([
  ['the only one of its number', [hit(1), hit(2, { reading: 1, ...other })], {}, 1],
  ['another reading, of its number', [hit(1, other), hit(2, { reading: 1 })], {}, 2],
  ['none of another number', [hit(1, other)], {}, 'wait'],
  ['none of another number, ever', [hit(1, other)], { mayWait: false }, 'wait'],
  ['two readings of one number: uncertain', [hit(1), hit(2, { reading: 1 })], {}, 'wait'],
  ['two readings of one number, at last: the narrowest', [hit(1), hit(2, { reading: 1 })], { mayWait: false }, 1],
  ['two readings, one learned', [hit(1), hit(2, { reading: 1 })], { learned: 'decimal' }, 2],
  ['not the learned reading: its message may come', [hit(1)], { learned: 'decimal' }, 'wait'],
  ['not the learned reading, at last', [hit(1)], { learned: 'decimal', mayWait: false }, 1],
  ['without a number, not learned', [hit(1, unnamed)], { numbers: [] }, 'wait'],
  [
    'without a number, learned',
    [hit(1, unnamed), hit(2, { ...unnamed, reading: 1 })],
    { numbers: [], learned: 'decimal' },
    2,
  ],
  ['without a number, an id that reads one way', [hit(1, unnamed)], { numbers: [], ids: ['7'] }, 1],
  ['the youngest without an end', [hit(1, { sentAt: now - 2 * minute }), hit(2)], {}, 2],
  ['the one without an end', [hit(1, { sentAt: now - 2 * minute }), hit(2, delivered)], {}, 1],
  ['all have an end: a younger one may come', [hit(1, delivered)], {}, 'wait'],
  ['all have an end, at last', [hit(1, delivered)], { mayWait: false }, 1],
  ['an old one: a younger one may come', [hit(1, yesterday)], {}, 'wait'],
  ['an old one that was submitted then', [hit(1, yesterday), hit(2)], { submittedMs: yesterday.sentAt }, 1],
  ['a young one that was submitted now', [hit(1, yesterday), hit(2)], { submittedMs: now - minute }, 2],
  ['none was submitted then', [hit(2)], { submittedMs: now - 60 * minute }, 'wait'],
])('%s', (_, hits, more, expected) => {
  expect(choose(hits, more)).toBe(expected)
})

test('a repeated final status matches the message that has it', () => {
  const ended = hit(2, { status: 'failed', endedAt: now })
  expect(choose([hit(1, { sentAt: now - 5 * minute }), ended], { mayWait: false } as object)).toBe(2)
})
