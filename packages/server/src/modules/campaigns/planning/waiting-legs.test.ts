import { expect, test } from 'vitest'
import type { PlannedLeg } from './campaign-plan.ts'
import { waitingLegs } from './waiting-legs.ts'

const offer: PlannedLeg = {
  channel: 'whatsapp',
  senderId: 'number',
  templateId: 'template',
  content: {},
  isPromotion: true,
  category: 'marketing',
  isMarketing: true,
  country: 'IN',
  price: 7800,
  billableOn: 'delivered',
  draftLeg: 0,
  starters: 1,
  estimated: 780_000,
}

test('the same message waits one day and then two more, and reserves no money', () => {
  const legs = waitingLegs(offer, { failoverReasons: ['not_reachable_on_channel'] })
  expect(legs.map(({ entrance }) => entrance)).toEqual(
    [86_400, 172_800].map((delaySeconds) => ({
      reasons: ['user_marketing_cap'],
      afterSeconds: null,
      unless: 'delivered',
      delaySeconds,
    })),
  )
  for (const { entrance: _entrance, ...leg } of legs) expect(leg).toEqual({ ...offer, estimated: 0, starters: 0 })
})

test.each<[string, Partial<PlannedLeg>, string[]]>([
  ['no offer', { category: 'utility' }, []],
  ['each try costs', { billableOn: 'sent' }, []],
  ['such people go on by SMS', {}, ['failed', 'frequency_capped']],
])('without a wait: %s', (_, more, failoverReasons) => {
  expect(waitingLegs({ ...offer, ...more }, { failoverReasons })).toEqual([])
})
