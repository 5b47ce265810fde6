import { expect, test } from 'vitest'
import { peopleToSend } from './recipients-to-send.ts'

test('rows without a value and people who opted out get no message', () => {
  expect(peopleToSend({ people: 320, missing: 2, optedOut: 3 })).toBe(315)
})
