import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isStorableText, storableJson, storableText } from './storable.ts'

test.each([
  ['plain', 'plain'],
  ['six characters: \\u0000', 'six characters: \\u0000'],
  ['a\u0000b', 'ab'],
  ['lone \ud83d', 'lone \ufffd'],
  ['whole 😀', 'whole 😀'],
])('%j is stored as %j', (given, stored) => {
  expect(storableText(given)).toBe(stored)
})

test.each([
  ['plain', true],
  ['😀', true],
  ['\ud83d', false],
  ['\ude00\ud83d', false],
  ['a\0b', false],
])('%j can be stored: %s', (text, can) => {
  expect(isStorableText(text)).toBe(can)
})

test('removes invalid characters from keys and values at every level, and changes nothing else', () => {
  const at = new Date()
  const plain = { at, list: [1, 'a', null] }
  expect(storableJson(plain)).toBe(plain)
  expect(storableJson({ at, 'k\u0000': ['\ud800', { deep: '\u0000' }] })).toEqual({ at, k: ['\ufffd', { deep: '' }] })
})

test('limits the nesting depth', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown
  expect(JSON.stringify(storableJson(deep)).length).toBeLessThan(200)
})

test('anything parsed can be stored, and cleaning is idempotent', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const stored = storableJson(value)
      expect(storableJson(stored)).toBe(stored)
      expect(JSON.stringify(stored)).not.toMatch(/\\u0000|\\ud[89a-f]/)
    }),
  )
})
