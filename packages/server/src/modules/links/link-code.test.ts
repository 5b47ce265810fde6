import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEncoder, decode, largestNumber, largestSeq } from './link-code.ts'
import { createLinkKeys } from './link-keys.ts'

const keys = createLinkKeys('ab'.repeat(32))
const codeOf = (number: number, seq: number) => createEncoder(number, keys.keyOf(number))(seq)

const number = fc.integer({ min: 0, max: largestNumber })
const seq = fc.integer({ min: 0, max: largestSeq })

test('a code has twelve letters or digits, and leads back to its link and recipient', () => {
  fc.assert(
    fc.property(number, seq, (link, recipient) => {
      const code = codeOf(link, recipient)
      expect(code).toMatch(/^[\dA-Za-z]{12}$/)
      expect(keys.read(code)).toEqual({ number: link, seq: recipient })
    }),
  )
})

test.each([
  [0, 0],
  [1, 0],
  [largestNumber, largestSeq],
  [largestNumber, 0],
  [0, largestSeq],
])('link %i and recipient %i are within the limits', (link, recipient) => {
  expect(keys.read(codeOf(link, recipient))).toEqual({ number: link, seq: recipient })
})

test('the order in which codes are made does not matter', () => {
  fc.assert(
    fc.property(number, fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 20 }), (link, seqs) => {
      const encode = createEncoder(link, keys.keyOf(link))
      for (const recipient of seqs) expect(encode(recipient)).toBe(codeOf(link, recipient))
    }),
  )
})

test('codes of different recipients differ', () => {
  const encode = createEncoder(7, keys.keyOf(7))
  expect(new Set(Array.from({ length: 5000 }, (_, recipient) => encode(recipient))).size).toBe(5000)
})

test('a code with another character is refused', () => {
  const other = fc.constantFrom('0', '1', '8', '9', 'A', 'Z', 'a', 'z')
  fc.assert(
    fc.property(number, seq, fc.integer({ min: 0, max: 11 }), other, (link, recipient, place, character) => {
      const code = codeOf(link, recipient)
      fc.pre(code[place] !== character)
      // One of 16 million wrong codes has the right MAC by chance.
      expect(keys.read(code.slice(0, place) + character + code.slice(place + 1))).toBeUndefined()
    }),
    { seed: 20_251_127 },
  )
})

test.each(['', 'short', '0'.repeat(13), 'z'.repeat(12), '0000 0000000', '00000000000é', '../../../etc/'])(
  '%j is not a code',
  (text) => {
    expect(keys.read(text)).toBeUndefined()
  },
)

test('a number or position that does not fit is refused', () => {
  expect(() => createEncoder(largestNumber + 1, keys.keyOf(0))).toThrow(RangeError)
  expect(() => codeOf(0, largestSeq + 1)).toThrow(RangeError)
  expect(() => codeOf(0, -1)).toThrow(RangeError)
})

test('codes of a previous secret stay valid, those of another one are not', () => {
  const code = codeOf(12, 34)
  expect(createLinkKeys('cd'.repeat(32), ['ab'.repeat(32)]).read(code)).toEqual({ number: 12, seq: 34 })
  expect(createLinkKeys('cd'.repeat(32)).read(code)).toBeUndefined()
})

test('links have different keys', () => {
  const code = codeOf(12, 34)
  expect(decode(code, () => [keys.keyOf(13)])).toBeUndefined()
})
