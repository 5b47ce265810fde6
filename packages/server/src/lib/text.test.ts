import { expect, test } from 'vitest'
import { isStorable, singleLine, truncate } from './text.ts'

test.each([
  ['abc', 2, 'ab'],
  ['abc', 5, 'abc'],
  ['a😀b', 2, 'a'],
  ['a😀b', 3, 'a😀'],
  ['a\ud83db', 5, 'a\ufffdb'],
])('%j cut at %i is %j', (text, maximum, cut) => {
  expect(truncate(text, maximum)).toBe(cut)
})

test.each([
  ['plain', true],
  ['😀', true],
  ['\ud83d', false],
  ['\ude00\ud83d', false],
  ['a\0b', false],
])('%j can be stored: %s', (text, can) => {
  expect(isStorable(text)).toBe(can)
})

test('a file name becomes one line', () => {
  expect(singleLine('people\r\n\u2028of\0may.csv\n')).toBe('people of may.csv')
})
