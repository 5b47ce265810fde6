import type { ExclusionReason } from '@carillon/contract/campaign-drafts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBitmap, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import { assignRecipients, type LegTerms } from './assign-recipients.ts'

const people = 40
const seqs = Array.from({ length: people }, (_, seq) => seq)

function bitmapOf(positions: readonly number[]): Bitmap {
  const bitmap = createBitmap(people)
  for (const position of positions) setBit(bitmap, position)
  return bitmap
}

function leg(enterReasons: string[], obstacles: Partial<Record<ExclusionReason, number[]>> = {}): LegTerms {
  return {
    enterReasons,
    // The keys of the parameter are reasons.
    obstacles: (Object.entries(obstacles) as [ExclusionReason, number[]][]).map(([reason, positions]) => ({
      reason,
      positions: bitmapOf(positions),
    })),
  }
}

const members = (bitmap: Bitmap | undefined) => seqs.filter((seq) => !bitmap || hasBit(bitmap, seq))

test('without obstacles every leg is for everyone', () => {
  const { legs, skipped } = assignRecipients([leg([]), leg(['failed'])], people)
  expect(legs).toEqual([
    { starters: undefined, followers: undefined },
    { starters: undefined, followers: undefined },
  ])
  expect(skipped).toEqual([])
})

test('who cannot be reached begins with the next leg that is entered for that reason', () => {
  const { legs, skipped } = assignRecipients(
    [
      leg([], { number_unreachable: [1, 2, 3] }),
      leg(['number_unreachable'], { opted_out: [2] }),
      leg(['number_unreachable']),
    ],
    people,
  )
  expect(members(legs[1]?.starters)).toEqual([1, 3])
  expect(members(legs[2]?.starters)).toEqual([])
  expect(skipped).toMatchObject([{ leg: 1, reason: 'opted_out' }])
  expect(members(skipped[0]?.members)).toEqual([2])
  expect(members(legs[1]?.followers)).toEqual(seqs.filter((seq) => ![1, 2, 3].includes(seq)))
  expect(members(legs[2]?.followers)).toEqual(seqs)
})

test('a recipient without a value for one message gets the next one, whatever its conditions', () => {
  const { legs } = assignRecipients([leg([], { missing_variable: [7] }), leg(['number_unreachable'])], people)
  expect(members(legs[1]?.starters)).toEqual([7])
})

test('who opted out is skipped, and may enter a later leg', () => {
  const { legs, skipped } = assignRecipients([leg([], { opted_out: [5] }), leg(['opted_out'])], people)
  expect(skipped).toMatchObject([{ leg: 0, reason: 'opted_out' }])
  expect(members(legs[0]?.starters)).toEqual(seqs.filter((seq) => seq !== 5))
  expect(members(legs[1]?.starters)).toEqual([])
  expect(members(legs[1]?.followers)).toEqual(seqs)
})

test('every recipient begins with one leg or is skipped, and follows only on later legs without an obstacle', () => {
  const reasons = ['number_unreachable', 'opted_out', 'missing_variable'] as const
  const positions = fc.uniqueArray(fc.nat(people - 1), { maxLength: 20 })
  const terms = fc.record({
    enterReasons: fc.subarray([...reasons]),
    obstacles: fc.array(fc.record({ reason: fc.constantFrom(...reasons), positions: positions.map(bitmapOf) }), {
      maxLength: 3,
    }),
  })
  fc.assert(
    fc.property(fc.array(terms, { minLength: 1, maxLength: 4 }), (all) => {
      const { legs, skipped } = assignRecipients(all, people)
      for (const seq of seqs) {
        const starts = legs.flatMap(({ starters }, index) => (members(starters).includes(seq) ? [index] : []))
        const isPlain = all.every(({ obstacles }) => obstacles.length === 0)
        const skips = skipped.filter(({ members: set }) => hasBit(set, seq))
        expect(isPlain ? 1 : starts.length + skips.length).toBe(1)
        if (isPlain) continue
        for (const [index, { followers }] of legs.entries()) {
          if (!members(followers).includes(seq)) continue
          expect(index).toBeGreaterThan(starts[0] ?? skips[0]?.leg ?? 0)
          expect(all[index]?.obstacles.some(({ positions: set }) => hasBit(set, seq))).toBe(false)
        }
      }
    }),
  )
})
