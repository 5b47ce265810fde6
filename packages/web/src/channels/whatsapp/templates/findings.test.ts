import { expect, test } from 'vitest'
import { findingsOf, placeOf, sectionOf } from './findings.ts'
import { emptyForm, emptyVariant, withBody, type WhatsappForm } from './form.ts'

function bilingual(english: string, hindi: string): WhatsappForm {
  const form = { ...emptyForm('1029384756'), name: 'order_update' }
  const [first] = form.variants
  if (!first) throw new Error('A form has a language')
  return {
    ...form,
    variants: [
      { ...first, content: withBody(first.content, english) },
      { ...emptyVariant('hi'), content: withBody(first.content, hindi) },
    ],
  }
}

test('another language needs the variables of the first', () => {
  const form = bilingual('Hi {{1}}, order {{2}} is here today.', 'नमस्ते {{1}} जी, आपका ऑर्डर आ गया।')
  const messages = form.variants.map((variant) => findingsOf(form, variant).map(({ message }) => message))
  expect(messages[0]).not.toContainEqual(expect.stringContaining('unlike'))
  expect(messages[1]).toContain('Hindi has no {{2}}, unlike English')
})

test('a language that was not written yet is no language', () => {
  const form = bilingual('The shop is closed on Sunday.', 'The shop is closed on Sunday.')
  const [, hindi] = form.variants
  const found = hindi ? findingsOf(form, hindi) : []
  expect(found).toContainEqual(expect.objectContaining({ level: 'error', field: 'components.body' }))
})

test('every finding belongs to a section', () => {
  expect(
    ['name', 'waba_id', 'components.header.text', 'components.header.sample', 'components.samples.0'].map(sectionOf),
  ).toEqual(['basics', 'basics', 'header', 'samples', 'samples'])
  expect(['components.buttons.1.url', 'components.buttons.1.sample', 'components.cards.0.body'].map(sectionOf)).toEqual(
    ['buttons', 'samples', 'cards'],
  )
})

test.each([
  ['components.cards.1.buttons.0.text', 'Card 2'],
  ['components.cards.0.samples.0', 'Samples, card 1'],
  ['components.cards', 'Cards'],
  ['components.buttons.0.text', 'Buttons'],
  ['name', 'Basics'],
])('%s is at %s', (field, place) => {
  expect(placeOf(field)).toBe(place)
})
