import { expect, test } from 'vitest'
import { unchangedErrors } from './use-field-errors.ts'

const values = { name: '', emails: [{ text: 'nobody' }, { text: 'no one' }], config: { url: 'x' } }
const errors = {
  name: 'Enter a name',
  'emails.1.text': 'Enter an email address',
  'config.url': 'Enter a URL',
  all: 'Bad',
}
const shown = (now: object) => Object.keys(unchangedErrors({ errors, values }, { ...values, ...now }))

test.each([
  ['nothing', {}, ['name', 'emails.1.text', 'config.url', 'all']],
  ['its field', { name: 'Acme' }, ['emails.1.text', 'config.url', 'all']],
  ['another entry of its list', { emails: [{ text: 'a@b.example' }, { text: 'no one' }] }, Object.keys(errors)],
  ['its entry', { emails: [{ text: 'nobody' }, { text: 'a@b.example' }] }, ['name', 'config.url', 'all']],
  ['the length of its list', { emails: [{ text: 'no one' }] }, ['name', 'config.url', 'all']],
  ['a field of a group', { config: { url: 'https://b.example' } }, ['name', 'emails.1.text', 'all']],
  ['the field and back', { name: values.name }, Object.keys(errors)],
])('errors after a change of %s', (_, now, expected) => {
  expect(shown(now)).toEqual(expected)
})
