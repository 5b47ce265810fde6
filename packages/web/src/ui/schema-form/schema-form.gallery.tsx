import { useState } from 'react'
import type { Gallery } from '../../lib/gallery.ts'
import { SchemaForm } from './schema-form.tsx'
import { asRecord, defaultsOf, type FormValue, type Schema } from './schema.ts'

const schema: Schema = {
  type: 'object',
  required: ['url', 'key'],
  properties: {
    url: { type: 'string', title: 'Address', format: 'uri' },
    method: { type: 'string', title: 'Method', enum: ['POST', 'GET'], default: 'POST' },
    key: { type: 'string', title: 'Key', secret: true },
    check: { type: 'boolean', title: 'Check the certificate', default: true },
    timeout: { type: 'integer', title: 'Response timeout (seconds)', minimum: 1, maximum: 120, default: 30 },
    body: {
      type: 'string',
      title: 'Body template',
      multiline: true,
      default: '{"to": "{{to}}",\n "text": "{{text}}"}',
    },
    headers: {
      type: 'array',
      title: 'Headers',
      description: 'Sent with every message',
      default: [
        { name: 'X-Route', value: 'transactional' },
        { name: 'X-Client', value: '{{who}}' },
      ],
      items: {
        type: 'object',
        properties: { name: { type: 'string', title: 'Name' }, value: { type: 'string', title: 'Value' } },
      },
    },
    errors: {
      type: 'array',
      title: 'Error codes',
      default: [{ match: '410' }],
      items: {
        type: 'object',
        properties: {
          match: { type: 'string', title: 'Code or text' },
          reason: { type: 'string', title: 'Means', enum: ['invalid_number', 'throttled'] },
          action: { type: 'string', title: 'Then', enum: ['reject', 'retry'] },
        },
      },
    },
  },
}

const errors = {
  timeout: 'At most 120',
  'headers.1.value': 'There is no placeholder {{who}}',
  'errors.0.reason': 'Choose one of the list',
}

export const gallery: Gallery = {
  title: 'Form from a schema',
  states: {
    empty: () => <Example />,
    refused: () => <Example errors={errors} />,
    stored: () => <Example secretsSet={['key']} />,
  },
}

function Example(props: { errors?: Record<string, string>; secretsSet?: readonly string[] }) {
  const [value, setValue] = useState<FormValue>(() => asRecord(defaultsOf(schema)))
  return (
    <div className="w-160 max-w-[calc(100vw-3rem)]">
      <SchemaForm schema={schema} value={value} onChange={setValue} {...props} />
    </div>
  )
}
