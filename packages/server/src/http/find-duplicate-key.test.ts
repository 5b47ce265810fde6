import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findDuplicateKey } from './find-duplicate-key.ts'

test.each([
  ['{"to": 1, "to": 2}', 'to'],
  ['{"a": {"b": 1, "c": [{"d": 1, "d": 2}]}}', 'd'],
  [String.raw`{"to": 1, "\u0074o": 2}`, 'to'],
  [String.raw`{"a\"": "}{", "a\"": 1}`, 'a"'],
  ['[{"a": 1}, {"a": 2}]', undefined],
  ['{"a": {"a": ["a", "a"]}, "b": "a"}', undefined],
  ['{"a": ",", "b": "{\\"a\\": 1}"}', undefined],
  ['"a"', undefined],
  ['{}', undefined],
])('%s', (text, key) => {
  expect(findDuplicateKey(text)).toBe(key)
})

test('what is written from a value has no key twice', () => {
  fc.assert(fc.property(fc.json(), (text) => findDuplicateKey(JSON.stringify(JSON.parse(text))) === undefined))
})
