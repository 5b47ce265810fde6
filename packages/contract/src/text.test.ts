import fc from 'fast-check'
import { expect, test } from 'vitest'
import { characterStart, firstGraphemes, truncate } from './text.ts'

test.each([
  ['abc', 2, 'ab'],
  ['abc', 5, 'abc'],
  ['abc', 0, ''],
  ['a😀b', 2, 'a'],
  ['a😀b', 3, 'a😀'],
  ['a👨‍👩‍👧b', 8, 'a'],
  ['a👨‍👩‍👧b', 9, 'a👨‍👩‍👧'],
  ['a👍🏽b', 3, 'a'],
  ['🇮🇳🇮🇳', 6, '🇮🇳'],
  ['cafe\u0301', 4, 'caf'],
  ['क्षमा', 2, ''],
  ['a\ud83db', 5, 'a\ufffdb'],
  ['a\ud83db', 2, 'a\ufffd'],
])('%j cut at %i is %j', (text, maximum, cut) => {
  expect(truncate(text, maximum)).toBe(cut)
})

test('cuts an overlong grapheme between characters', () => {
  const piled = `a${'\u0301'.repeat(500)}`
  expect(truncate(piled, 100)).toBe(piled.slice(0, 100))
  expect(truncate(`a${'\u200d😀'.repeat(200)}`, 300).isWellFormed()).toBe(true)
})

test('a truncated text is well-formed, within the limit, and a prefix of the text', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\ude00', '\u200d', '🏽', '🇮', 'é', '\r\n') })
  fc.assert(
    fc.property(texts, fc.nat(40), (text, maximum) => {
      const cut = truncate(text, maximum)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(maximum)
      expect(text.toWellFormed().startsWith(cut)).toBe(true)
    }),
  )
})

test('moves an index inside a surrogate pair to its start', () => {
  expect([0, 1, 2, 3].map((at) => characterStart('a😀b', at))).toEqual([0, 1, 1, 3])
})

test.each([
  ['Asha', 1, 'A'],
  ['😀😀', 1, '😀'],
  ['👨‍👩‍👧 family', 2, '👨‍👩‍👧 '],
  ['a', 3, 'a'],
  ['', 1, ''],
])('the first graphemes of %j, %i of them, are %j', (text, count, first) => {
  expect(firstGraphemes(text, count)).toBe(first)
})
