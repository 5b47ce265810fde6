import type { DraftLeg } from '@carillon/contract/draft-legs'
import { expect, test } from 'vitest'
import { switchedTest } from '../ab-tests/ab-draft.ts'
import { blankDraft, blankLeg, firstConditions, withChannel, withLater, channelsAt } from './draft-legs.ts'
import { channelKind, openFailover, stepsOf, unifiedKind } from './wizard-steps.ts'

const id = '0199a000-0000-7000-8000-000000000001'
const editor = { emptyValues: {} }
const draft = blankDraft({ channel: 'sms', editor })
const known = { isUnreadable: false, unset: [0], unsetOfTest: [], isMetricWrong: false, estimate: undefined }
const { openPoints } = channelKind('sms', 'campaigns/sms')

test('failover is a step of channels that have one', () => {
  expect(stepsOf('sms')).toEqual(['audience', 'template', 'personalise', 'review'])
  expect(stepsOf('whatsapp')).toEqual(['audience', 'template', 'personalise', 'failover', 'review'])
})

test('a step is done when nothing is open in it', () => {
  expect(openPoints(draft, known)).toMatchObject({ audience: 1, template: 1, personalise: 0, failover: 0, review: 0 })
  const [first] = draft.legs
  const whole = { ...draft, audienceId: id, legs: [{ ...first, senderId: id, templateId: id }] satisfies [DraftLeg] }
  expect(openPoints(whole, { ...known, unset: [1], estimate: { missing: 26, tooLong: 0 } })).toMatchObject({
    audience: 0,
    template: 0,
    personalise: 2,
  })
  expect(openPoints(whole, { ...known, isUnreadable: true })).toMatchObject({ audience: 1 })
})

test('in a campaign over several channels, each message lacks a sender, a template and a condition', () => {
  const { openPoints: openUnified } = unifiedKind('campaigns/unified')
  const [first] = draft.legs
  const legs = [first, { ...blankLeg({ channel: 'whatsapp', editor }), isEnabled: true }] satisfies [DraftLeg, DraftLeg]
  const both = { ...known, unset: [0, 2] }
  expect(openUnified({ ...draft, legs }, both)).toMatchObject({ audience: 1, template: 4, conditions: 1, review: 0 })
  expect(openUnified(draft, { ...known, estimate: { missing: 3, tooLong: 1 } })).toMatchObject({ template: 3 })
})

test('failover lacks a condition, a sender, a template and values until each is there', () => {
  const off = blankLeg({ channel: 'sms', editor })
  expect(openFailover(off, 1)).toBe(0)
  const on = { ...off, isEnabled: true }
  expect(openFailover(on, 0)).toBe(3)
  const chosen = { ...on, entryConditions: [...firstConditions], senderId: id, templateId: id }
  expect(openFailover(chosen, 1)).toBe(1)
  expect(openFailover(chosen, 0)).toBe(0)
})

test('a later leg is added by its first change, and keeps what was chosen while it is off', () => {
  const { legs } = blankDraft({ channel: 'whatsapp', editor })
  const blank = blankLeg({ channel: 'sms', editor })
  const on = withLater(legs, { isEnabled: true, templateId: id }, blank)
  expect(withLater(on, { isEnabled: false }, blank)).toEqual([legs[0], { ...blank, templateId: id }])
})

test('each channel is used once, in an order that the channels allow', () => {
  const sms = blankLeg({ channel: 'sms', editor })
  const whatsapp = blankLeg({ channel: 'whatsapp', editor })
  const { legs } = blankDraft({ channel: 'rcs', editor })
  expect(channelsAt(legs, 1)).toEqual(['whatsapp', 'sms'])
  const two = withLater(legs, { isEnabled: true, entryConditions: [...firstConditions] }, whatsapp)
  expect(channelsAt(two, 2)).toEqual(['sms'])
  const three = withLater(two, { isEnabled: true }, sms)
  expect(channelsAt(three, 3)).toEqual([])
  // SMS cannot fail over, and is there already: one leg remains, with the conditions of the leg it replaces.
  const changed = withChannel(two, 'whatsapp', sms)
  expect(changed.map(({ channel }) => channel)).toEqual(['rcs', 'sms'])
  expect(changed[1]).toMatchObject({ isEnabled: true, entryConditions: firstConditions })
})

test('an A/B test lacks what its further messages lack, and a metric that fits them', () => {
  const variant = { ...draft.legs[0], senderId: id, isEnabled: true }
  const tested = { ...draft, abTest: switchedTest(null, true, variant) }
  expect(openPoints(tested, known)).toMatchObject({ template: 2, personalise: 0 })
  expect(openPoints(tested, { ...known, unsetOfTest: [3], isMetricWrong: true })).toMatchObject({
    template: 3,
    personalise: 3,
  })
  const { openPoints: openUnified } = unifiedKind('campaigns/unified')
  expect(openUnified(tested, { ...known, unsetOfTest: [3] })).toMatchObject({ template: 5 })
})
