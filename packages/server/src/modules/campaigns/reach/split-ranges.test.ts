import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitRanges } from './split-ranges.ts'

test('the recipients without an answer are in exactly one batch, and no batch spans two countries', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 199 }), { maxLength: 6 })
  fc.assert(
    fc.property(
      cuts,
      fc.uniqueArray(fc.nat(199), { maxLength: 40 }),
      fc.integer({ min: 1, max: 50 }),
      (at, known, size) => {
        const bounds = [0, ...at.toSorted((one, other) => one - other), 200]
        const ranges = bounds.slice(1).map((hi, index) => ({ lo: bounds[index] ?? 0, hi }))
        const answered = known.toSorted((one, other) => one - other).map((lo) => ({ lo, hi: lo + 1 }))
        const batches = splitRanges(ranges, answered, size)
        const covered = batches.flatMap(({ lo, hi }) => Array.from({ length: hi - lo }, (_, index) => lo + index))
        const expected = Array.from({ length: 200 }, (_, seq) => seq).filter((seq) => !known.includes(seq))
        expect(covered.toSorted((one, other) => one - other)).toEqual(expected)
        for (const { lo, hi } of batches) {
          expect(hi - lo).toBeLessThanOrEqual(size)
          expect(ranges.some((range) => lo >= range.lo && hi <= range.hi)).toBe(true)
        }
      },
    ),
  )
})
