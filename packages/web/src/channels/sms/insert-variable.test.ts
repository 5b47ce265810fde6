import { expect, test } from 'vitest'
import { insertAt } from './insert-variable.tsx'

test('a tag takes the place of what is marked, and the caret stands behind it', () => {
  expect(insertAt('Hi you, bye', '{#var#}', { start: 3, end: 6 })).toEqual({ text: 'Hi {#var#}, bye', caret: 10 })
})
