import { expect, test } from 'vitest'
import { abPhaseText } from './ab-phase-note.tsx'

test.each([
  ['running', 'testing', 'A/B test running'],
  ['paused', 'awaiting_winner', 'Choose a winner'],
  ['running', 'none', undefined],
  ['running', 'winner_sending', undefined],
  ['completed', 'testing', undefined],
] as const)('a campaign that is %s, with its test %s', (status, abPhase, text) => {
  expect(abPhaseText({ status, abPhase })).toBe(text)
})
