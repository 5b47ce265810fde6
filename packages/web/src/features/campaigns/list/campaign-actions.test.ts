import { expect, test } from 'vitest'
import { discardLabels } from './campaign-actions.ts'

test.each([
  ['running', 'Cancel…', 'Cancel campaign'],
  ['paused', 'Cancel…', 'Cancel campaign'],
  ['scheduled', 'Discard…', 'Discard campaign'],
  ['draft', 'Discard…', 'Discard campaign'],
] as const)('the menu of a campaign that is %s says what its dialog does', (status, ask, action) => {
  expect(discardLabels({ status, campaignName: 'Diwali' })).toMatchObject({ ask, action })
})
