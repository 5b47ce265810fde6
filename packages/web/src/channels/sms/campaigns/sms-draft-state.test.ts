import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { expect, test } from 'vitest'
import { blankSmsDraft, matchVariables, openSmsPoints } from './sms-draft-state.ts'

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

test('a step is done when nothing is open in it', () => {
  const draft = {
    ...blankSmsDraft(),
    audienceId: template._id,
    variables: [{ fallback: '' }, { column: 1, fallback: '' }],
  }
  expect(openSmsPoints(draft, { isUnreadable: false, estimate: { missing: 26, tooLong: 0 } })).toEqual({
    audience: 0,
    template: 1,
    personalise: 2,
    review: 0,
  })
  expect(openSmsPoints(draft, { isUnreadable: true, estimate: undefined })).toMatchObject({ audience: 1 })
})
