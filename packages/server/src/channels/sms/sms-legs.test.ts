import { expect, test } from 'vitest'
import type { LoadedLeg } from '../channel.ts'
import { smsChannel } from './sms-channel.ts'

const leg = (category: string, values: unknown = { variables: [{ column: 0, fallback: '' }] }): LoadedLeg => ({
  sender: {
    id: 's',
    name: 'Main',
    headers: ['ACMESH'],
    isActive: true,
    entityId: '1101',
    accountId: 'a',
    reviewsTemplates: false,
    facts: {},
  },
  template: {
    id: 't',
    name: 'Offer',
    language: 'en',
    status: 'approved',
    category,
    senderId: 's',
    accountId: null,
    externalId: null,
    facts: {},
    content: {
      header: 'ACMESH',
      body: 'Hello {#var#}, reply STOP to opt out',
      variables: [{ name: 'name', kind: 'var', sample: 'Asha' }],
      encoding: 'gsm7',
      parts: 1,
      worstParts: 1,
    },
  },
  values,
})

test.each([
  ['promotional', true, true],
  ['service_explicit', false, true],
  ['service_implicit', false, false],
  ['transactional', false, false],
])('%s texts: promotional %s, operator hours %s', (category, isPromotion, hasHours) => {
  const prepared = smsChannel.prepareLeg(leg(category))
  expect(prepared).toMatchObject({ category, isPromotion, priceName: 'SMS' })
  expect(prepared.operatorHours).toEqual(
    hasHours ? { start: '10:00', end: '21:00', timezone: 'Asia/Kolkata' } : undefined,
  )
})

test('a message counts its parts; a row without a value counts as zero', () => {
  const measure = smsChannel.measureLeg(smsChannel.prepareLeg(leg('promotional')).content)
  expect(measure(['Asha'])).toEqual({ parts: 1, length: 33, isUnicode: false, problem: undefined })
  expect(measure(['आशा'])).toMatchObject({ isUnicode: true })
  expect(measure(['x'.repeat(31)])).toMatchObject({ problem: 'too_long' })
  expect(measure([''])).toBeUndefined()
})

test('a test message reports the missing value', () => {
  expect(smsChannel.writeTest(leg('promotional'), [''])).toEqual({ problem: 'This row has no value for name' })
  expect(smsChannel.writeTest(leg('promotional'), ['Asha'])).toMatchObject({
    header: 'ACMESH',
    text: 'Hello Asha, reply STOP to opt out',
    entityId: '1101',
  })
})

test('an inactive account and an unregistered header block the campaign', () => {
  const { sender, ...rest } = leg('promotional')
  const checks = smsChannel.checkSender({ ...rest, sender: { ...sender, isActive: false, headers: ['OTHERS'] } })
  expect(checks.map(({ id, level }) => [id, level])).toEqual([
    ['account', 'blocker'],
    ['header', 'blocker'],
  ])
})
