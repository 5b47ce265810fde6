import { WebhookEventType } from '@carillon/contract/webhook-records'
import { expect, test } from 'vitest'
import { endpointName, healthOf } from './endpoint-labels.ts'
import { eventGroups } from './event-groups.ts'

const fresh = {
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  heldUntil: null,
  lastDeliveredAt: null,
}
const at = '2026-11-26T21:00:00.000Z'

test.each([
  ['Not used yet', {}],
  ['Working', { lastDeliveredAt: at }],
  ['On hold', { lastDeliveredAt: at, heldUntil: at }],
  ['Failing', { lastDeliveredAt: at, failingSince: at, heldUntil: at }],
  ['Disabled', { enabled: false, disabledReason: 'failing' as const, disabledAt: at, failingSince: at }],
])('an endpoint is %s', (label, facts) => {
  expect(healthOf({ ...fresh, ...facts }).label).toBe(label)
})

test('a disabled endpoint says why', () => {
  const disabled = { ...fresh, enabled: false, disabledAt: at }
  expect(healthOf({ ...disabled, disabledReason: 'gone' }).text).toContain('it answered 410 Gone')
  expect(healthOf({ ...disabled, disabledReason: 'owner' }).tone).toBe('neutral')
})

test('every type of event is in one group', () => {
  expect(eventGroups.flatMap(({ types }) => types).toSorted()).toEqual(WebhookEventType.options.toSorted())
})

test('the name of an endpoint is its URL without the protocol', () => {
  expect(endpointName({ url: 'https://shop.example/' })).toBe('shop.example')
  expect(endpointName({ url: 'http://127.0.0.1:4000/hooks' })).toBe('127.0.0.1:4000/hooks')
})
