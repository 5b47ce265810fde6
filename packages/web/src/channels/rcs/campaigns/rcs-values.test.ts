import { RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { listRcsVariables } from '@carillon/contract/channels/rcs/rcs-variables'
import { expect, test } from 'vitest'
import { filledMessage, firstUseOf, variablesOf } from './rcs-values.ts'

const content = RcsTemplateContent.parse({
  type: 'carousel',
  carouselList: [
    { order: 1, cardTitle: 'Second, {{name}}' },
    {
      order: 0,
      cardTitle: 'First',
      suggestions: [{ type: 'open_url', text: 'Open', url: 'https://acme.in/{{code}}' }],
    },
  ],
})

test('values of another channel are no values', () => {
  expect(variablesOf({ values: { body: [] } })).toEqual([])
  expect(variablesOf({ values: { variables: [{ column: 1, fallback: '' }] } })).toHaveLength(1)
})

test('a variable is found where the phone shows it', () => {
  expect(firstUseOf(content, 'name')).toMatchObject({ part: 'card.1.title', label: 'Title of card 2' })
  expect(firstUseOf(content, 'code')).toMatchObject({ part: 'card.0.suggestions', label: 'Link of card 1' })
  expect(firstUseOf(content, 'other')).toBeUndefined()
})

test('a row fills the message, and a missing value shows its column', () => {
  const names = listRcsVariables(content)
  const sources = names.map((_, column) => ({ column, fallback: '' }))
  const columns = names.map((name) => `the ${name}`)
  const shown = { names, sources, columns, brand: { sender: 'Acme' } }
  const row = names.map((name) => (name === 'name' ? 'Priya' : ''))
  const { cards } = filledMessage(content, { ...shown, row })
  expect(cards?.[1]?.title).toEqual([{ text: 'Second, ' }, { text: 'Priya', variable: 'name', column: 'the name' }])
  expect(cards?.[0]?.suggestions[0]?.effect).toBe('Opens acme.in/the code in the browser')
})
