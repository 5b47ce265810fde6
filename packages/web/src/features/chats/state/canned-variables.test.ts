import { expect, test } from 'vitest'
import { fillCanned } from '../../../lib/canned-text.ts'
import { findCanned, wordAt } from './canned-variables.ts'

const values = { name: 'Meera', number: '+91 98204 55173', agent: 'Ravi', organization: '' }

test('variables are filled; those without a value, and others, stay', () => {
  expect(fillCanned('Hi {{name}}, {{ agent }} of {{organization}} calls {{number}} about {{order}}', values)).toBe(
    'Hi Meera, Ravi of {{organization}} calls +91 98204 55173 about {{order}}',
  )
})

test('the best match is first: the beginning, a part, the letters in order, the text', () => {
  const replies = [
    { id: '1', shortcut: 'store-hours', text: 'We are open from nine' },
    { id: '2', shortcut: 'hours', text: 'Nine to six' },
    { id: '3', shortcut: 'house-rules', text: 'No pets' },
    { id: '4', shortcut: 'bye', text: 'See you within hours' },
    { id: '5', shortcut: 'refund', text: 'In five days' },
  ]
  expect(findCanned(replies, 'hours').map(({ shortcut }) => shortcut)).toEqual([
    'hours',
    'store-hours',
    'house-rules',
    'bye',
  ])
  expect(findCanned(replies, 'hr').map(({ shortcut }) => shortcut)).toEqual(['hours', 'store-hours', 'house-rules'])
  expect(findCanned(replies, '')).toHaveLength(5)
})

test.each([
  ['/del', 4, '/', { from: 0, query: 'del' }],
  ['Hello /del', 10, '/', { from: 6, query: 'del' }],
  ['and/or', 6, '/', undefined],
  ['https://a.example/b', 19, '/', undefined],
  ['Hello /del now', 14, '/', undefined],
  ['Ask @Ravi M', 11, '@', { from: 4, query: 'Ravi M' }],
  ['a@b', 3, '@', undefined],
] as const)('in %j at %d, the word of %s is %j', (...[text, caret, sign, word]) => {
  expect(wordAt(text, caret, sign)).toEqual(word)
})
