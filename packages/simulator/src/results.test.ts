import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideResult } from './results.ts'
import { scenarioPlan, scenarios, type ScenarioName } from './scenarios.ts'

const scenario = fc.constantFrom(...(Object.keys(scenarios) as ScenarioName[]))
const submit = fc.record({ to: fc.stringMatching(/^9198\d{8}$/), attempt: fc.integer({ min: 1, max: 9 }) })

test('the same seed, number and attempt always get the same result', () => {
  fc.assert(
    fc.property(scenario, fc.nat(), submit, (name, seed, each) => {
      expect(decideResult(scenarioPlan(name, { seed }), each)).toEqual(decideResult(scenarioPlan(name, { seed }), each))
    }),
  )
})

test('a rejected message is neither shown nor reported', () => {
  fc.assert(
    fc.property(scenario, fc.nat(), submit, (name, seed, each) => {
      const result = decideResult(scenarioPlan(name, { seed }), each)
      if (!result.isAccepted) expect([result.isReceived, result.reports]).toEqual([false, []])
    }),
  )
})

test('a lost report does not remove the message from the phone', () => {
  fc.assert(
    fc.property(fc.nat(), submit, (seed, each) => {
      const result = decideResult(scenarioPlan('calm', { seed, magicNumbers: false, reports: { lost: 1 } }), each)
      expect(result).toMatchObject({ isReceived: true, reports: [] })
    }),
  )
})

test('faults occur about as often as planned', () => {
  const plan = scenarioPlan('calm', {
    magicNumbers: false,
    answers: { throttled: 0.25 },
    outcomes: { undelivered: 0.5 },
  })
  const results = Array.from({ length: 20_000 }, (_, index) =>
    decideResult(plan, { to: String(919800000000 + index), attempt: 1 }),
  )
  const accepted = results.filter(({ isAccepted }) => isAccepted)
  expect(accepted.length / results.length).toBeCloseTo(0.75, 1)
  expect(accepted.filter(({ isReceived }) => isReceived).length / accepted.length).toBeCloseTo(0.5, 1)
})
