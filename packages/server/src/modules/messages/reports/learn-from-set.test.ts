import { expect, test } from 'vitest'
import type { MessageStatus } from '@carillon/contract/campaign-records'
import { receiptedIds } from '../../../channels/sms/smpp/message-ids.ts'
import { learnFromSet } from './learn-from-set.ts'
import { reportedOf } from './report-evidence.ts'
import type { Hit } from './reported-messages.queries.ts'

const sequence = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

/** What is learned from reports with these decimal ids, when their messages have ids. */
function learn(
  reported: readonly number[],
  {
    written,
    statusOf = () => 'sent',
    mayWait,
  }: {
    written: readonly number[]
    statusOf?: (id: number) => MessageStatus
    mayWait: boolean
  },
) {
  const messages = new Set(written.map(String))
  const reports = reported.map((id) => {
    const { ids, readings } = receiptedIds(String(id), 'auto')
    const match = { readings, numbers: [], isLocalTime: false }
    return reportedOf({ kind: 'delivery-report', providerMessageIds: ids, match, status: 'delivered', at: new Date(0) })
  })
  const hitsOf = (candidates: readonly string[], number: number) =>
    candidates.flatMap((id, reading) =>
      messages.has(id) ? [hit({ number, reading, id, status: statusOf(Number(id)) })] : [],
    )
  const found = new Map(reports.map(({ candidates }, number) => [number, hitsOf(candidates, number)]))
  return learnFromSet({ reports, found, mayWait: () => mayWait })
}

function hit(more: Pick<Hit, 'number' | 'reading' | 'id' | 'status'>): Hit {
  const { id } = more
  return {
    ...more,
    key: id,
    day: '2026-03-02',
    campaignId: 'c',
    leg: 1,
    seq: Number(id),
    part: null,
    sentAt: 0,
    endedAt: null,
    isSameNumber: null,
    senderId: 'sender',
  }
}

/**
 * The ids of 1 to 500 that have one reading. Read as hexadecimal, 1 to 199 are ids up to 409; another hundred ids are written
 * 100 to 199 in hexadecimal.
 */
const certainOf500 = 201

test('reports whose messages are all recorded are learned from at once', () => {
  expect(learn(sequence(1, 500), { written: sequence(1, 500), mayWait: true })).toEqual({
    reading: 'same',
    votes: certainOf500,
  })
})

test('reports that came before their responses are not learned from for older messages with the same ids', () => {
  const question = { written: sequence(1, 200), mayWait: true }
  expect(learn(sequence(201, 320), question)).toBeUndefined()
  expect(learn(sequence(150, 320), question)).toBeUndefined()
})

test('messages with a final status are not learned from', () => {
  const question = { written: sequence(1, 200), statusOf: () => 'delivered' as const, mayWait: false }
  expect(learn(sequence(201, 320), question)).toBeUndefined()
})

test('among delayed reports, those of lost responses do not prevent learning from the others', () => {
  const written = sequence(1, 500).filter((id) => id % 6 !== 0)
  expect(learn(sequence(1, 500), { written, mayWait: true })).toBeUndefined()
  expect(learn(sequence(1, 500), { written, mayWait: false })).toMatchObject({ reading: 'same' })
})
