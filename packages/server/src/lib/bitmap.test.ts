import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBitmap, fromBitStrings, hasBit, setBit, toBitStrings } from './bitmap.ts'

const positions = fc.uniqueArray(fc.nat(5000), { maxLength: 200 })

test('a bitmap contains the positions that were set, and no others', () => {
  fc.assert(
    fc.property(positions, (set) => {
      const bitmap = createBitmap(5001)
      for (const position of set) setBit(bitmap, position)
      for (let position = 0; position <= 5000; position += 1)
        expect(hasBit(bitmap, position)).toBe(set.includes(position))
    }),
    { numRuns: 20 },
  )
})

test('bit strings have one character for each position, in blocks', () => {
  fc.assert(
    fc.property(positions, (set) => {
      const bitmap = createBitmap(5001)
      for (const position of set) setBit(bitmap, position)
      const found = toBitStrings(bitmap, 1024).flatMap(({ block, bits }) => {
        expect(bits).toHaveLength(1024)
        return [...bits].flatMap((bit, place) => (bit === '1' ? [block * 1024 + place] : []))
      })
      expect(found).toEqual(set.toSorted((one, other) => one - other))
    }),
  )
})

test('a bitmap is read from its bit strings', () => {
  fc.assert(
    fc.property(positions, (set) => {
      const bitmap = createBitmap(5001)
      for (const position of set) setBit(bitmap, position)
      expect(fromBitStrings(toBitStrings(bitmap, 1024), { size: 1024, length: 5001 })).toEqual(bitmap)
    }),
  )
})

test('a position beyond the length is not contained', () => {
  expect(hasBit(createBitmap(8), 8)).toBe(false)
})
