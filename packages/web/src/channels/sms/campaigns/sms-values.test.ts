import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { expect, test } from 'vitest'
import { matchVariables, variablesOf } from './sms-values.ts'

const template: SmsTemplate = {
  _id: '0199a000-0000-7000-8000-000000000001',
  smsAccountId: '0199a000-0000-7000-8000-000000000002',
  accountName: 'Airtel',
  name: 'early_access',
  header: 'ACMERT',
  category: 'promotional',
  language: 'en',
  body: 'Hi {#var#}, {#var#} {#url#}',
  variables: ['name', 'code', 'link'].map((name) => ({ name, kind: 'var' as const, sample: '' })),
  status: 'approved',
  encoding: 'gsm7',
  parts: 1,
  worstParts: 1,
  usedCount: 0,
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-01T00:00:00Z',
}

test('variables find the columns that carry their names', () => {
  expect(matchVariables(template, ['mobile', 'Name', 'CODE', 'short_link', 'city'])).toEqual([
    { column: 1, fallback: '' },
    { column: 2, fallback: '' },
    { column: 3, fallback: '' },
  ])
})

test('what was chosen stays, unless its column is gone', () => {
  const known = [{ column: 4, fallback: 'there' }, { fallback: 'DIYA500' }, { column: 9, fallback: 'x' }]
  expect(matchVariables(template, ['mobile', 'name', 'code', 'link', 'city'], known)).toEqual([
    { column: 4, fallback: 'there' },
    { fallback: 'DIYA500' },
    { column: 3, fallback: 'x' },
  ])
})

test('a leg of another shape has no variables yet', () => {
  expect(variablesOf({ values: undefined })).toEqual([])
  expect(variablesOf({ values: { body: [] } })).toEqual([])
  expect(variablesOf({ values: { variables: [{ column: 1, fallback: '' }] } })).toEqual([{ column: 1, fallback: '' }])
})
