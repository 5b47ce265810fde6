import { expect, test } from 'vitest'
import { findSharedTextProblem, listSharedVariables, parseSharedText } from './shared-text.ts'

test('a text is split at its variables', () => {
  expect(parseSharedText('Hi {{name}}, {{order_2}}')).toEqual([
    'Hi ',
    { variable: 'name' },
    ', ',
    { variable: 'order_2' },
  ])
  expect(listSharedVariables('{{a}} and {{a}}')).toEqual(['a', 'a'])
})

test.each([
  ['Hi {{Name}}', /\{\{Name\}\} is not a variable/],
  ['Hi {{1}}', /\{\{1\}\} is not a variable/],
  ['Hi {{ name }}', /is not a variable/],
  ['Hi {{name', /incomplete/],
  ['Hi name}}', /incomplete/],
  ['{{name}} {{order}}', /fixed text/],
])('%j is refused', (text, problem) => {
  expect(findSharedTextProblem(text)).toMatch(problem)
})

test.each(['', 'Hi {{first_name}}, see {#var#}', 'Save { and }'])('%j is accepted', (text) => {
  expect(findSharedTextProblem(text)).toBeUndefined()
})
