import { expect, test } from 'vitest'
import { z } from 'zod'
import { issueMessage } from './issue-message.ts'

const port = z.number().int().min(1).max(65_535)

test.each([
  { what: 'nothing', schema: z.string(), value: undefined, words: 'Enter a value' },
  { what: 'an empty text', schema: z.string().min(1), value: '', words: 'Enter a value' },
  { what: 'a text for a number', schema: port, value: 'x', words: 'Enter a number' },
  { what: 'half a port', schema: port, value: 1.5, words: 'Enter a whole number' },
  { what: 'a port too small', schema: port, value: 0, words: 'Enter 1 or more' },
  { what: 'a port too big', schema: port, value: 99_999, words: 'Enter 65,535 or less' },
  { what: 'a text too short', schema: z.string().min(3), value: 'ab', words: 'Enter at least 3 characters' },
  { what: 'a text too long', schema: z.string().max(3), value: 'abcd', words: 'Enter at most 3 characters' },
  { what: 'words of its own', schema: z.string().min(3, 'Three at least'), value: 'ab', words: 'Three at least' },
])('$what is rejected with a readable message', ({ schema, value, words }) => {
  expect(schema.safeParse(value, { error: issueMessage }).error?.issues.map(({ message }) => message)).toEqual([words])
})
