import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSample } from './sample.ts'

function sampleOf(rows: Iterable<number>) {
  const sample = createSample()
  for (const row of rows) sample.add(row)
  return sample
}

test('a few rows are all included', () => {
  expect(sampleOf([3, 7, 9]).spread(50)).toEqual([3, 7, 9])
  expect(sampleOf([]).spread(50)).toEqual([])
})

test('of a million rows, fifty are taken evenly', () => {
  const total = 1_000_000
  const sample = sampleOf(Array.from({ length: total }, (_, row) => row))
  const seqs = sample.spread(50)
  expect(sample.size()).toBe(total)
  expect(seqs).toHaveLength(50)
  expect(seqs[0]).toBe(0)
  const gaps = seqs.map((seq, index) => (seqs[index + 1] ?? total) - seq)
  expect(Math.max(...gaps)).toBeLessThan((total / 50) * 1.2)
})

test('for any number of rows: some of them, in order, none twice, and as many as possible', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(1_000_000), { maxLength: 3000 }),
      fc.integer({ min: 2, max: 60 }),
      (rows, most) => {
        const sorted = rows.toSorted((one, other) => one - other)
        const seqs = sampleOf(sorted).spread(most)
        expect(seqs).toHaveLength(Math.min(most, sorted.length))
        expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other))
        expect(seqs.every((seq) => sorted.includes(seq))).toBe(true)
      },
    ),
  )
})
