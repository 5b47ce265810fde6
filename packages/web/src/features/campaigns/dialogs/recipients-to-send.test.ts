import { expect, test } from 'vitest'
import { peopleToSend } from './recipients-to-send.ts'

test('rows without a value and people who opted out get no message', () => {
  expect(peopleToSend({ people: 320, missing: 2, optedOut: 3 })).toBe(315)
})

test('with several messages, people without a value for the first one get another', () => {
  const leg = { channel: 'sms' } as NonNullable<Parameters<typeof peopleToSend>[0]['legs']>[number]
  const counted = { people: 320, missing: 20, optedOut: 3, excluded: 5 }
  expect(peopleToSend({ ...counted, legs: [leg, leg] })).toBe(315)
  expect(peopleToSend({ ...counted, legs: [leg] })).toBe(297)
})
