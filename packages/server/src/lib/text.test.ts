import { expect, test } from 'vitest'
import { singleLine } from './text.ts'

test('a file name becomes a single line', () => {
  expect(singleLine('people\r\n\u2028of\0may.csv\n')).toBe('people of may.csv')
})
