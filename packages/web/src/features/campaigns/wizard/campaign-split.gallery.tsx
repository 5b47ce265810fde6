import { positionOfVariant } from '@carillon/contract/variant-positions'
import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { Gallery } from '../../../lib/gallery.ts'
import { CampaignSplit } from './campaign-split.tsx'

type Leg = Estimate['legs'][number]

function leg(given: Pick<Leg, 'leg' | 'channel' | 'starters' | 'expectedPeople' | 'expectedDelivered' | 'basis'>): Leg {
  const expectedCost = given.expectedDelivered * 0.15
  return { ...given, senderName: 'Acme', templateName: 'diwali', expectedCost, pricePerPart: 0.15, cost: 0, prices: [] }
}

const rcs = { leg: 0, channel: 'rcs', starters: 142_000, expectedPeople: 142_000 } as const
const range = { minimum: 0, reachedFrom: 25_000, reachedTo: 38_400, expected: 29_310, maximum: 61_200 }

export const gallery: Gallery = {
  title: 'Campaign split',
  states: {
    'Three channels': () => (
      <CampaignSplit
        onList={() => undefined}
        estimate={{
          people: 200_000,
          excluded: 1200,
          rest: 0,
          heldOut: 0,
          range,
          legs: [
            leg({ ...rcs, expectedDelivered: 140_500, basis: 'history' }),
            leg({
              leg: 1,
              channel: 'whatsapp',
              starters: 36_000,
              expectedPeople: 37_500,
              expectedDelivered: 35_900,
              basis: 'history',
            }),
            leg({
              leg: 2,
              channel: 'sms',
              starters: 20_800,
              expectedPeople: 22_400,
              expectedDelivered: 19_000,
              basis: 'assumed',
            }),
          ],
        }}
      />
    ),
    'Two channels, nothing known': () => (
      <CampaignSplit
        estimate={{
          people: 1000,
          excluded: 0,
          rest: 0,
          heldOut: 0,
          range: { minimum: 0, reachedFrom: 125, reachedTo: 275, expected: 150, maximum: 275 },
          legs: [
            leg({ ...rcs, starters: 1000, expectedPeople: 1000, expectedDelivered: 1000, basis: 'assumed' }),
            leg({ leg: 1, channel: 'sms', starters: 0, expectedPeople: 0, expectedDelivered: 0, basis: 'assumed' }),
          ],
        }}
      />
    ),
    'A test of two messages': () => (
      <CampaignSplit
        onList={() => undefined}
        estimate={{
          people: 10_000,
          excluded: 520,
          rest: 7480,
          heldOut: 500,
          range,
          legs: [
            leg({ ...rcs, starters: 1000, expectedPeople: 1000, expectedDelivered: 980, basis: 'history' }),
            leg({
              leg: positionOfVariant(1),
              channel: 'rcs',
              starters: 1000,
              expectedPeople: 1000,
              expectedDelivered: 970,
              basis: 'history',
            }),
          ],
        }}
      />
    ),
  },
}
