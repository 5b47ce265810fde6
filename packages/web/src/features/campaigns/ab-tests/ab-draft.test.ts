import { positionOfVariant } from '@carillon/contract/variant-positions'
import { expect, test } from 'vitest'
import { blankDraft } from '../wizard/draft-legs.ts'
import {
  isSameTest,
  metricProblem,
  openVariants,
  planOfTest,
  switchedTest,
  variantLike,
  withoutVariant,
  withVariant,
} from './ab-draft.ts'
import { hasVariants, letterOfLeg, withoutVariants } from './variant-legs.ts'

const id = '0199a000-0000-7000-8000-000000000001'
const [first] = blankDraft({ channel: 'sms', editor: { emptyValues: {} } }).legs
const blank = variantLike({ ...first, senderId: id, templateId: id }, { variables: [] })
const abTest = switchedTest(null, true, blank)
const b = positionOfVariant(1)
const c = positionOfVariant(2)

test('a further message begins with the channel and sender of the first, without its template', () => {
  expect(blank).toMatchObject({ channel: 'sms', senderId: id, templateId: null, values: { variables: [] } })
})

test('a test that is switched off and on again keeps its messages', () => {
  const chosen = withVariant(abTest, 0, { templateId: id })
  const off = switchedTest(chosen, false, blank)
  expect(off).toEqual({ ...chosen, isEnabled: false })
  expect(switchedTest(off, true, blank)).toEqual(chosen)
})

test('removing the only further message switches the test off', () => {
  const two = { ...abTest, variants: [blank, { ...blank, templateId: id }] }
  expect(withoutVariant(two, 0)).toEqual({ ...abTest, variants: [{ ...blank, templateId: id }] })
  expect(withoutVariant(abTest, 0)).toEqual({ ...abTest, isEnabled: false })
})

test('each further message lacks a template and values until they are there; none if the test is off', () => {
  expect(openVariants({ abTest: null }, [2])).toEqual({ template: 0, values: 0 })
  expect(openVariants({ abTest: { ...abTest, isEnabled: false } }, [2])).toEqual({ template: 0, values: 0 })
  const two = { ...abTest, variants: [blank, { ...blank, templateId: id }] }
  expect(openVariants({ abTest: two }, [0, 2])).toEqual({ template: 1, values: 2 })
})

test('the estimate is of the test that was saved with the same messages and shares', () => {
  expect(isSameTest(null, null)).toBe(true)
  expect(isSameTest(null, { ...abTest, isEnabled: false })).toBe(true)
  expect(isSameTest(null, abTest)).toBe(false)
  expect(isSameTest(abTest, { ...abTest, isEnabled: false })).toBe(false)
  expect(isSameTest(abTest, { ...abTest, samplePercent: 30 })).toBe(false)
  expect(isSameTest(abTest, withVariant(abTest, 0, { templateId: id }))).toBe(false)
  expect(isSameTest(abTest, { ...abTest, variants: [blank, blank] })).toBe(false)
  // Neither people nor cost depend on it.
  expect(isSameTest(abTest, { ...abTest, durationMinutes: 60, metric: 'replied' })).toBe(true)
})

test('the further messages of a test are no failover legs', () => {
  const legs = [0, b, c, 1].map((leg) => ({ leg }))
  expect(withoutVariants(legs)).toEqual([{ leg: 0 }, { leg: 1 }])
  expect(legs.map(({ leg }) => letterOfLeg(leg, legs))).toEqual(['A', 'B', 'C', undefined])
  const failover = [{ leg: 0 }, { leg: 1 }]
  expect(hasVariants(failover)).toBe(false)
  expect(letterOfLeg(0, failover)).toBeUndefined()
})

test('messages are compared only by what each of them has', () => {
  const link = { fallback: '', link: 'https://example.com/' }
  const linked = { channel: 'whatsapp', variables: [{ source: { fallback: '' } }, { source: link }] } as const
  const plain = { channel: 'sms', variables: [{ source: { fallback: 'Asha' } }] } as const
  expect(metricProblem('read', [linked, plain])).toBe('SMS has no read receipts')
  expect(metricProblem('read', [linked])).toBeUndefined()
  expect(metricProblem('clicked', [linked, plain])).toBe('needs a tracked link in every message')
  expect(metricProblem('clicked', [linked])).toBeUndefined()
  expect(metricProblem('replied', [linked, plain])).toBeUndefined()
})

test('the plan counts the people of each message, of the winner, and of the control group', () => {
  const legs = [
    { leg: 0, starters: 1000 },
    { leg: b, starters: 1000 },
    { leg: 1, starters: 0 },
  ]
  expect(planOfTest({ legs, rest: 7500, heldOut: 500 })).toBe(
    '1,000 people get each message; 7,500 get the winner; 500 get nothing',
  )
  const uneven = [
    { leg: 0, starters: 2 },
    { leg: b, starters: 1 },
  ]
  expect(planOfTest({ legs: uneven, rest: 1, heldOut: 0 })).toBe('1 to 2 people get each message; 1 gets the winner')
  expect(planOfTest({ legs: uneven, rest: 0, heldOut: 0 })).toBe(
    '1 to 2 people get each message; no one is left for the winner',
  )
  expect(planOfTest({ legs: [{ leg: 0, starters: 10 }], rest: 0, heldOut: 0 })).toBeUndefined()
})
