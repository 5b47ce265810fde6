import { expect, test } from 'vitest'
import type { Entrance, PlannedLeg } from './campaign-plan.ts'
import { revokeBeforeFailover } from './revoke-before-failover.ts'

const leg = (more: Partial<PlannedLeg>): PlannedLeg => ({
  channel: 'sms',
  senderId: 'sender',
  templateId: 'template',
  content: {},
  category: 'service',
  isPromotion: false,
  isMarketing: false,
  country: 'IN',
  price: 1,
  billableOn: 'delivered',
  draftLeg: 0,
  starters: 1,
  estimated: 1,
  ...more,
})

const after = (afterSeconds: number | null, reasons: string[] = []): Entrance => ({
  reasons,
  afterSeconds,
  unless: 'delivered',
})

test('messages expire when the next leg’s time has come, or before', () => {
  const ttlOf = (ttlSeconds: number | undefined, entrance: Entrance) =>
    revokeBeforeFailover([leg({ revokeGraceSeconds: 10, ttlSeconds }), leg({ entrance })])[0]?.ttlSeconds
  expect(ttlOf(undefined, after(600))).toBe(600)
  expect(ttlOf(3600, after(600))).toBe(600)
  expect(ttlOf(120, after(600))).toBe(120)
  expect(ttlOf(undefined, after(null, ['number_unreachable']))).toBeUndefined()
})

test('expiry and revocation lead to legs with a time limit, and to those entered on expiry', () => {
  const reasonsOf = (entrance: Entrance) =>
    revokeBeforeFailover([leg({ revokeGraceSeconds: 10 }), leg({ entrance })])[1]?.entrance?.reasons
  expect(reasonsOf(after(600, ['not_delivered_in_time']))).toEqual(['not_delivered_in_time', 'expired', 'revoked'])
  expect(reasonsOf(after(null, ['undelivered', 'expired']))).toEqual(['undelivered', 'expired', 'revoked'])
  expect(reasonsOf(after(null, ['number_unreachable']))).toEqual(['number_unreachable'])
})

test('legs for other recipients do not count, nor do providers that revoke nothing', () => {
  const india = { range: { lo: 0, hi: 10 } }
  const nepal = { range: { lo: 10, hi: 20 } }
  const legs = [
    leg({ ...india, revokeGraceSeconds: 10 }),
    leg(nepal),
    leg({ ...nepal, entrance: after(60, ['not_delivered_in_time']) }),
    leg({ ...india, entrance: after(600, ['not_delivered_in_time']) }),
  ]
  const planned = revokeBeforeFailover(legs)
  expect(planned.map(({ ttlSeconds }) => ttlSeconds)).toEqual([600, undefined, undefined, undefined])
  expect(planned[2]).toEqual(legs[2])
  expect(planned[3]?.entrance?.reasons).toContain('revoked')
})
