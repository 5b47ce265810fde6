import { expect, test } from 'vitest'
import { fileNameOf } from './report-actions.ts'

test.each([
  ['Campaigns 2026-11-01 to 2026-11-30', 'Campaigns 2026-11-01 to 2026-11-30.csv'],
  ['दिवाली 50% / 1:1', 'दिवाली 50% - 1-1.csv'],
])('the file of %s', (name, file) => {
  expect(fileNameOf({ name, format: 'csv' })).toBe(file)
})
