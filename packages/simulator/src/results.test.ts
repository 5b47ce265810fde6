import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideFate } from './results.ts'
import { scenarioPlan, scenarios, type ScenarioName } from './scenarios.ts'

const scenario = fc.constantFrom(...(Object.keys(scenarios) as ScenarioName[]))
const submit = fc.record({ to: fc.stringMatching(/^9198\d{8}$/), attempt: fc.integer({ min: 1, max: 9 }) })

test('the same seed, number and attempt always get the same result', () => {
  fc.assert(
    fc.property(scenario, fc.nat(), submit, (name, seed, each) => {
      expect(decideFate(scenarioPlan(name, { seed }), each)).toEqual(decideFate(scenarioPlan(name, { seed }), each))
    }),
  )
})

test('a rejected message is neither shown nor reported', () => {
  fc.assert(
    fc.property(scenario, fc.nat(), submit, (name, seed, each) => {
      const fate = decideFate(scenarioPlan(name, { seed }), each)
      if (!fate.isAccepted) expect([fate.isReceived, fate.reports]).toEqual([false, []])
    }),
  )
})

test('a lost report does not remove the message from the phone', () => {
  fc.assert(
    fc.property(fc.nat(), submit, (seed, each) => {
      const fate = decideFate(scenarioPlan('calm', { seed, magicNumbers: false, reports: { lost: 1 } }), each)
      expect(fate).toMatchObject({ isReceived: true, reports: [] })
    }),
  )
})

test('faults occur about as often as planned', () => {
  const plan = scenarioPlan('calm', {
    magicNumbers: false,
    answers: { throttled: 0.25 },
    outcomes: { undelivered: 0.5 },
  })
  const fates = Array.from({ length: 20_000 }, (_, index) =>
    decideFate(plan, { to: String(919800000000 + index), attempt: 1 }),
  )
  const accepted = fates.filter(({ isAccepted }) => isAccepted)
  expect(accepted.length / fates.length).toBeCloseTo(0.75, 1)
  expect(accepted.filter(({ isReceived }) => isReceived).length / accepted.length).toBeCloseTo(0.5, 1)
})
