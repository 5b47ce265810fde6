import { ExclusionReason } from '@carillon/contract/campaign-drafts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBitmap, hasBit, setBit } from '../../../lib/bitmap.ts'
import { assignRecipients } from './assign-recipients.ts'
import { createBeginnings, exclusionOf } from './beginnings.ts'

const people = 24
const seqs = Array.from({ length: people }, (_, seq) => seq)
const reasons = ExclusionReason.exclude(['held_out']).options

const positions = fc.uniqueArray(fc.nat(people - 1), { maxLength: 12 })
const leg = fc
  .record({
    enterReasons: fc.subarray<string>(reasons),
    obstacles: fc.record({ opted_out: positions, number_unreachable: positions, missing_variable: positions }),
  })
  .map(({ enterReasons, obstacles }) => ({
    enterReasons,
    parts: Uint8Array.from(seqs, (seq) => (obstacles.missing_variable.includes(seq) ? 0 : 1)),
    obstacles: reasons.map((reason) => {
      const bitmap = createBitmap(people)
      for (const position of obstacles[reason]) setBit(bitmap, position)
      return { reason, positions: bitmap }
    }),
  }))
type Leg = typeof leg extends fc.Arbitrary<infer Value> ? Value : never

const obstaclesAt = ({ obstacles }: Leg, seq: number) =>
  obstacles.flatMap(({ reason, positions: set }) => (hasBit(set, seq) ? [reason] : []))

test('recipients begin with a message that can be sent to them, or are excluded by one, and no later one accepts them', () => {
  fc.assert(
    fc.property(fc.array(leg, { minLength: 2, maxLength: 5 }), (legs) => {
      const { legs: recipients, skipped } = assignRecipients(legs, people)
      const beginningAt = createBeginnings(
        legs.map((one, index) => ({
          ...one,
          recipients: recipients[index] ?? { starters: undefined, followers: undefined },
        })),
        skipped,
      )
      for (const seq of seqs) {
        const beginning = beginningAt(seq)
        const exclusion = exclusionOf(beginning)
        const free = legs.map((one) => obstaclesAt(one, seq).length === 0)
        if (!exclusion) {
          expect(free[beginning]).toBe(true)
          continue
        }
        const { leg: last, reason } = exclusion
        expect(legs[last] && obstaclesAt(legs[last], seq)).toContain(reason)
        const accepts = ({ enterReasons }: Leg) => reason === 'missing_variable' || enterReasons.includes(reason)
        expect(legs.some((one, index) => index > last && accepts(one) && free[index])).toBe(false)
      }
    }),
  )
})

test('with a single message, those without a value for it are excluded when it is sent', () => {
  const beginningAt = createBeginnings(
    [{ recipients: { starters: undefined, followers: undefined }, enterReasons: [], parts: Uint8Array.of(1, 0, 2) }],
    [],
  )
  expect([0, 1, 2].map(beginningAt).map(exclusionOf)).toEqual([
    undefined,
    { leg: 0, reason: 'missing_variable' },
    undefined,
  ])
})
