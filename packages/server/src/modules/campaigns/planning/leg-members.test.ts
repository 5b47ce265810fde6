import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blocksWithout } from './leg-members.ts'

test('the blocks of a range contain every recipient of it but the excluded ones', () => {
  fc.assert(
    fc.property(
      fc.nat(3000),
      fc.integer({ min: 1, max: 3000 }),
      fc.array(fc.nat(6000), { minLength: 1, maxLength: 20 }),
      (lo, size, seqs) => {
        const excluded = new Set(seqs)
        const all = Array.from({ length: size }, (_, index) => lo + index)
        const blocks = blocksWithout(excluded, { lo, hi: lo + size })
        const members = blocks.flatMap(({ block, bits }) =>
          [...bits].flatMap((bit, place) => (bit === '1' ? [block * 1024 + place] : [])),
        )
        const isWhole = all.every((seq) => !excluded.has(seq))
        expect(members).toEqual(isWhole ? [] : all.filter((seq) => !excluded.has(seq)))
      },
    ),
  )
})
