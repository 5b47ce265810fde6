import { FailoverCondition } from '@carillon/contract/draft-legs'
import { expect, test } from 'vitest'
import { whatsappLegEditor } from '../../../channels/whatsapp/campaigns/whatsapp-leg-editor.ts'
import { hasCondition, shortConditionLabel, withCondition, withWait } from './failover-labels.ts'

const outcomes = whatsappLegEditor.outcomes('SMS')

test('every condition has its words', () => {
  expect(outcomes.map(({ type }) => type).toSorted()).toEqual(FailoverCondition.shape.type.options.toSorted())
})

test.each([
  [30, '30 seconds'],
  [90, '90 seconds'],
  [3600, '1 hour'],
  [259_200, '3 days'],
])('a wait of %i seconds is shown as %s', (afterSeconds, label) => {
  expect(shortConditionLabel({ type: 'unread_after', afterSeconds }, outcomes)).toBe(`not read after ${label}`)
})

test('conditions keep their order, and times begin with a usual one', () => {
  const one = withCondition([], { type: 'undelivered_after', isOn: true }, outcomes)
  const chosen = withCondition(one, { type: 'not_reachable_on_channel', isOn: true }, outcomes)
  expect(chosen).toEqual([{ type: 'not_reachable_on_channel' }, { type: 'undelivered_after', afterSeconds: 600 }])
  expect(chosen.map((condition) => shortConditionLabel(condition, outcomes))).toEqual([
    'not on WhatsApp',
    'not delivered after 10 minutes',
  ])
  const without = withCondition(chosen, { type: 'undelivered_after', isOn: false }, outcomes)
  expect(hasCondition(without, 'undelivered_after')).toBe(false)
})

test.each([
  [1800, 1800],
  [0, 30],
  [300_000, 259_200],
])('a wait of %i seconds becomes one of %i', (seconds, afterSeconds) => {
  const conditions = [{ type: 'unread_after' as const, afterSeconds: 60 }]
  expect(withWait(conditions, { type: 'unread_after', seconds })).toEqual([{ type: 'unread_after', afterSeconds }])
})
