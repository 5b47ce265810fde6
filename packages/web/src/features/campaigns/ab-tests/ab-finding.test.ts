import type { VariantResult } from '@carillon/contract/ab-tests'
import { expect, test } from 'vitest'
import { formatDateTime } from '../../../lib/format.ts'
import { controlGroupText, findingOf, markOf } from './ab-finding.ts'

const at = '2026-03-02T10:00:00.000Z'

function result(variant: number, value: number | null): VariantResult {
  const counts = { people: 1000, sent: 1000, delivered: 990, read: 0, clicked: 100, replied: 3, cost: 150 }
  return { variant, leg: variant, channel: 'sms', senderName: 'ACMEIN', templateName: 'Sale', ...counts, value }
}

const running = {
  phase: 'testing',
  metric: 'clicked',
  variants: [result(0, 0.1), result(1, 0.124)],
  rest: 8000,
  leader: 1,
  isCertain: true,
  autoSend: true,
  decidesAt: at,
  endsAt: at,
  winner: null,
} as const

test.each([
  ['a certain lead', {}, 'B leads with 12.4% clicked, with 95% confidence.'],
  ['an uncertain lead', { isCertain: false }, 'No certain difference yet; B is ahead with 12.4% clicked.'],
  [
    'the same value',
    { isCertain: false, variants: [result(0, 0.1), result(1, 0.1)], leader: 0 },
    'No difference yet: 10.0% clicked.',
  ],
  ['no value', { isCertain: false, variants: [result(0, null), result(1, null)], leader: null }, 'No results yet.'],
  [
    'a cost',
    { metric: 'cost_per_reply', variants: [result(0, 51), result(1, 50)] } as const,
    'B leads with ₹50.00 per reply, with 95% confidence.',
  ],
])('while the test runs: %s', (_, changed, sentence) => {
  const next = `On ${formatDateTime(at)} a certain winner is sent to the other 8,000 people.`
  expect(findingOf({ ...running, ...changed })).toBe(`${sentence} ${next}`)
})

test('only the message that is ahead, or the winner, is marked', () => {
  const marks = (changed: object) => [0, 1].map((variant) => markOf({ ...running, ...changed }, variant))
  expect(marks({})).toEqual([undefined, 'Leads, certain'])
  expect(marks({ isCertain: false })).toEqual([undefined, 'Ahead, not certain'])
  expect(marks({ isCertain: false, variants: [result(0, 0.1), result(1, 0.1)] })).toEqual([undefined, undefined])
  expect(marks({ winner: 0 })).toEqual(['Winner', undefined])
})

test('before the start and after an end without a winner', () => {
  expect(findingOf({ ...running, phase: 'none', decidesAt: null })).toBe('The test begins when the campaign starts.')
  expect(findingOf({ ...running, phase: 'none' })).toBe('The campaign ended before a winner was chosen.')
})

test('without a rest, nothing follows', () => {
  expect(findingOf({ ...running, rest: 0 })).toBe('B leads with 12.4% clicked, with 95% confidence.')
})

test('if a person must choose, says until when', () => {
  const waiting = { ...running, phase: 'awaiting_winner', isCertain: false } as const
  expect(findingOf(waiting)).toBe(
    `No certain winner. Choose the message for the other 8,000 people by ${formatDateTime(at)}.`,
  )
  expect(findingOf({ ...waiting, isCertain: true, endsAt: null })).toBe(
    'B leads with 12.4% clicked, with 95% confidence. Choose the message for the other 8,000 people.',
  )
})

test('once it is decided, says which message won, and who chose it', () => {
  const decided = { ...running, phase: 'winner_sending', winner: 1 } as const
  expect(findingOf(decided)).toBe('B won with 12.4% clicked; sent to the other 8,000 people.')
  expect(findingOf({ ...decided, winner: 0, decidedBy: 'Asha Rao' })).toBe(
    'Asha Rao chose A, with 10.0% clicked; sent to the other 8,000 people.',
  )
  expect(findingOf({ ...decided, rest: 0 })).toBe('B won with 12.4% clicked.')
})

test('the control group is named only if there is one', () => {
  expect(controlGroupText({ heldOut: 0 })).toBeUndefined()
  expect(controlGroupText({ heldOut: 500 })).toBe('500 in the control group get no message.')
})
