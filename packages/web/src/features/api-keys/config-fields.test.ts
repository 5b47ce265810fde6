import { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { configGroups, isShown, valueAt, withValue } from './config-fields.ts'

type Json = { type?: string; properties?: Record<string, Json>; required?: string[]; maxLength?: number }

function leavesOf(schema: Json, path: string[] = []): string[] {
  if (!schema.properties) return [path.join('.')]
  return Object.entries(schema.properties).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}

const fields = configGroups.flatMap((group) => group.fields)

test('the form has every field of the schema, once', () => {
  const schema = z.toJSONSchema(KeyConfigPayload, { io: 'input', unrepresentable: 'any' }) as Json
  expect(fields.map(({ path }) => path).toSorted()).toEqual(leavesOf(schema).toSorted())
})

test('the schema accepts an entered value of every field', () => {
  const entered: Record<string, unknown> = {
    text: 'Some text',
    number: 61,
    rupees: 2.5,
    switch: true,
    texts: [],
    channel: 'sms',
    channels: ['sms'],
    sender: '0199a000-0000-7000-8000-000000000001',
    senders: ['0199a000-0000-7000-8000-000000000001'],
    template: '0199a000-0000-7000-8000-000000000001',
    templates: ['0199a000-0000-7000-8000-000000000001'],
  }
  const special: Record<string, unknown> = {
    'defaults.country': 'IN',
    'defaults.dlt.entityId': '1'.repeat(19),
    'defaults.dlt.templateId': '1'.repeat(19),
    'filters.maxSegments': 3,
    'otp.length': 6,
    'otp.maxTries': 5,
  }
  const payload = fields.reduce(
    (draft, field) =>
      withValue(
        draft,
        field.path,
        special[field.path] ?? (field.kind === 'choice' ? field.options[0]?.value : entered[field.kind]),
      ),
    {},
  )
  expect(KeyConfigPayload.safeParse(payload).error?.issues ?? []).toEqual([])
})

test('a value is set and removed at its path', () => {
  const draft = { rate: { burst: 5 }, binding: { name: 'Shop' } }
  expect(withValue(draft, 'rate.burst', undefined)).toEqual({ rate: {}, binding: { name: 'Shop' } })
  expect(withValue(draft, 'defaults.dlt.entityId', '1')).toEqual({ ...draft, defaults: { dlt: { entityId: '1' } } })
  expect(valueAt(draft, 'rate.burst')).toBe(5)
  expect(valueAt(draft, 'binding.name.first')).toBeUndefined()
})

test('errors of entries belong to their list', () => {
  expect(['filters.ipAllowlist.3', 'rate.burst', 'rate', 'unknown'].filter(isShown)).toEqual([
    'filters.ipAllowlist.3',
    'rate.burst',
  ])
})
