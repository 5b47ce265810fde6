import { expect, test } from 'vitest'
import { cutRuns } from '../../../ui/phone/text-runs.ts'
import { findFormats, foldAt } from './whatsapp-format.ts'
import { bracedPieces } from '../../../ui/phone/pieces.ts'

/** What a person sees: each run with its formats, the signs left out. */
function seen(text: string) {
  return cutRuns(text, findFormats(text))
    .filter(({ looks }) => !looks.includes('marker'))
    .map((run) => (run.looks.length === 0 ? run.text : `<${run.looks.join('+')}>${run.text}</>`))
    .join('')
}

test.each([
  ['*now*', '<bold>now</>'],
  ['a _b_ c', 'a <italic>b</> c'],
  ['~old~ price', '<strike>old</> price'],
  ['```x = 1```', '<mono>x = 1</>'],
  ['*_both_*', '<bold+italic>both</>'],
  ['(*now*)', '(<bold>now</>)'],
  ['2*3*4', '2*3*4'],
  ['* not *', '* not *'],
  ['snake_case_name', 'snake_case_name'],
  ['*over\nlines*', '*over\nlines*'],
  ['```*plain*```', '<mono>*plain*</>'],
  ['*नमस्ते* जी', '<bold>नमस्ते</> जी'],
])('%j reads %j', (text, expected) => {
  expect(seen(text)).toBe(expected)
})

test('a short text is not folded, a long one at a word', () => {
  expect(foldAt('Hi\n\nthere')).toBeUndefined()
  const long = 'words of some length '.repeat(20)
  const at = foldAt(long) ?? 0
  expect(at).toBeGreaterThan(100)
  expect(at).toBeLessThan(170)
  expect(long[at]).toBe(' ')
})

test('variables are filled, and named where they are not', () => {
  const pieces = bracedPieces('Hi {{1}}, from {{name}}.', (name) =>
    name === '1' ? { value: 'Asha', column: 'first' } : { label: 'shop' },
  )
  expect(pieces).toEqual([
    { text: 'Hi ' },
    { text: 'Asha', variable: '1', column: 'first' },
    { text: ', from ' },
    { text: 'shop', variable: 'name', missing: true },
    { text: '.' },
  ])
})
