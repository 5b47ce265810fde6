import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  alignSamples,
  completeBraces,
  deleteVariableBefore,
  makeTemplate,
  nextVariable,
  renumber,
  toggleSigns,
} from './body-editing.ts'

test('a selection is made bold, its spaces left outside, and plain again', () => {
  const bold = toggleSigns('see it now today', '*', { start: 6, end: 11 })
  expect(bold.text).toBe('see it *now* today')
  expect(toggleSigns(bold.text, '*', bold.selection).text).toBe('see it now today')
})

test('deleting backwards takes a whole variable, and nothing else', () => {
  expect(deleteVariableBefore('Hi {{1}} there', 8)).toEqual({ text: 'Hi  there', selection: { start: 3, end: 3 } })
  expect(deleteVariableBefore('Hi {{1}} there', 9)).toBeUndefined()
})

/** What stands in the field after each key, as a browser has it without any pause between them. */
function typed(keys: string, format: 'positional' | 'named' = 'positional'): string {
  return [...keys].reduce((text, key) => {
    const next = { text: text + key, selection: { start: text.length + 1, end: text.length + 1 } }
    return completeBraces(text, next, format).text
  }, '')
}

test('a variable that is typed is the variable that is there', () => {
  expect(typed('Hi {{1}}, order {{2}} is ready')).toBe('Hi {{1}}, order {{2}} is ready')
  expect(typed('Hi {{first_name}}!', 'named')).toBe('Hi {{first_name}}!')
})

test('empty braces become the next variable, and the caret stands behind it', () => {
  expect(typed('Hi {{1}} and {{}} too')).toBe('Hi {{1}} and {{2}} too')
  const closed = { text: 'Hi {{}} you', selection: { start: 7, end: 7 } }
  expect(completeBraces('Hi {{} you', closed, 'positional')).toEqual({
    text: 'Hi {{1}} you',
    selection: { start: 8, end: 8 },
  })
  const pasted = { text: 'Hi {{}}', selection: { start: 7, end: 7 } }
  expect(completeBraces('Hi', pasted, 'positional')).toBe(pasted)
})

test('named variables get a free name', () => {
  expect(nextVariable('Hi {{value_2}}', 'named')).toBe('value_3')
})

test('samples follow their variables', () => {
  expect(renumber('{{4}} or {{2}} or {{4}}', [{ name: '4', sample: 'four' }])).toEqual({
    text: '{{1}} or {{2}} or {{1}}',
    samples: [
      { name: '1', sample: 'four' },
      { name: '2', sample: '' },
    ],
  })
  expect(alignSamples('{{2}} {{1}}', [{ name: '2', sample: 'b' }])).toEqual([
    { name: '1', sample: '' },
    { name: '2', sample: 'b' },
  ])
})

test('numbers run without gaps after renumbering, whatever was there', () => {
  const piece = fc.oneof(
    fc.constant('word '),
    fc.integer({ min: 0, max: 9 }).map((number) => `{{${number}}} `),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const names = listTemplateVariables(renumber(pieces.join(''), []).text)
      expect(names).toEqual(names.map((_, index) => String(index + 1)))
    }),
  )
})

test.each([
  [
    'Hi Priya, your order AC-4821 of ₹2,499 ships on 4 Nov at 10:30 am.',
    'Hi {{1}}, your order {{2}} of {{3}} ships on {{4}} at {{5}}.',
    ['Priya', 'AC-4821', '₹2,499', '4 Nov', '10:30 am'],
  ],
  [
    'Dear Asha, use DIYA500 today. DIYA500 ends soon.',
    'Dear {{1}}, use {{2}} today. {{2}} ends soon.',
    ['Asha', 'DIYA500'],
  ],
])('a sentence becomes a template: %s', (sentence, text, values) => {
  const made = makeTemplate(sentence)
  expect(made?.text).toBe(text)
  expect(made?.samples.map(({ sample }) => sample)).toEqual(values)
})

test('a sentence for everybody stays as it is', () => {
  expect(makeTemplate('The shop is closed on Sunday.')).toBeUndefined()
})
