import { expect, test } from 'vitest'
import { insertText } from './use-caret.ts'

test('what is put in takes the place of what is marked, and the caret stands behind it', () => {
  expect(insertText('Hi you, bye', '{#var#}', { start: 3, end: 6 })).toEqual({
    text: 'Hi {#var#}, bye',
    selection: { start: 10, end: 10 },
  })
})
