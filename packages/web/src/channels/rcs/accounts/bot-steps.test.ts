import { expect, test } from 'vitest'
import { countryOf, operatorOf, stepsOf } from './bot-steps.ts'

const airtel = { country: 'IN', carrier: 'Airtel', state: 'launched', at: null, note: '' } as const
const created = {
  state: 'created',
  verification: 'unverified',
  launches: [],
  testers: [],
  isActive: false,
  failure: null,
} as const

const statesOf = (bot: Parameters<typeof stepsOf>[0]) => stepsOf(bot).map(({ state }) => state)

test.each([
  ['a request', { ...created, state: 'requested' as const }, ['current', 'waiting', 'waiting', 'waiting', 'waiting']],
  [
    'a rejected request',
    { ...created, state: 'rejected' as const },
    ['failed', 'waiting', 'waiting', 'waiting', 'waiting'],
  ],
  ['a new bot', created, ['done', 'current', 'waiting', 'waiting', 'waiting']],
  ['a verified bot', { ...created, verification: 'verified' as const }, ['done', 'done', 'done', 'current', 'waiting']],
  [
    'a launched bot that is off',
    { ...created, verification: 'verified' as const, launches: [airtel] },
    ['done', 'done', 'done', 'done', 'current'],
  ],
  [
    'a launched bot that its provider refuses',
    { ...created, verification: 'verified' as const, launches: [airtel], isActive: true, failure: 'Invalid key' },
    ['done', 'done', 'done', 'done', 'failed'],
  ],
])('the steps of %s', (_, bot, states) => {
  expect(statesOf({ ...bot, launches: [...bot.launches], testers: [] })).toEqual(states)
})

test('a launch with all operators of a country is called by the country', () => {
  const named = (launch: { country: string; carrier: string }) => [operatorOf(launch), countryOf(launch)]
  expect(named(airtel)).toEqual(['Airtel', 'India'])
  expect(named({ country: 'GB', carrier: 'GB' })).toEqual(['United Kingdom', ''])
  expect(named({ country: '', carrier: 'Rest of the world' })).toEqual(['Rest of the world', ''])
})
