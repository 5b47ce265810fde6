import { expect, test } from 'vitest'
import { choicesOf, defaultsOf, labelOf, type Schema } from './schema.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    host: { type: 'string' },
    port: { type: 'integer', default: 2775 },
    tls: { type: 'boolean', default: false },
    auth: {
      oneOf: [
        { type: 'object', title: 'None', properties: { kind: { type: 'string', const: 'none' } } },
        {
          type: 'object',
          properties: { kind: { type: 'string', const: 'basic' }, username: { type: 'string', default: 'me' } },
        },
      ],
    },
    errors: { type: 'array', items: { type: 'object' } },
  },
}

test('a form starts with every default the schema names', () => {
  expect(defaultsOf(schema)).toEqual({ port: 2775, tls: false, auth: { kind: 'none' }, errors: [] })
})

test('a choice is told apart by its constant', () => {
  expect(choicesOf(schema.properties?.['auth'] ?? {})).toMatchObject({
    key: 'kind',
    options: [
      { value: 'none', label: 'None' },
      { value: 'basic', label: 'Basic' },
    ],
  })
})

test.each([
  ['systemId', {}, 'System id'],
  ['POST', {}, 'POST'],
  ['json', {}, 'JSON'],
  ['enquireLinkSeconds', { title: 'Keep-alive, seconds' }, 'Keep-alive, seconds'],
])('%s is labelled', (name, property, label) => {
  expect(labelOf(name, property)).toBe(label)
})
