import { expect, test } from 'vitest'
import { captionOf, fullTitleOf, titleOf, whyWithoutFile } from './report-labels.ts'

const report = {
  type: 'campaign_summary',
  name: 'Campaigns 2026-11-01 to 2026-11-30',
  from: '2026-11-01',
  to: '2026-11-30',
  requestedBy: { _id: '019ab3c4-5d6e-7f80-91a2-b3c4d5e6f70a', name: 'Ravi' },
} as const

test('the days of a name are shown as days', () => {
  expect(titleOf(report)).toBe('Campaigns')
  expect(fullTitleOf(report)).toBe('Campaigns, 1 Nov – 30 Nov 2026')
  expect(titleOf({ ...report, name: 'Diwali 2026-11-01', to: '2026-11-01' })).toBe('Diwali')
  expect(titleOf({ ...report, name: 'Of the board' })).toBe('Of the board')
})

test('the caption names what the title does not', () => {
  expect(captionOf(report)).toBe('Ravi')
  expect(captionOf({ ...report, name: 'Diwali 2026-11-01 to 2026-11-30' })).toBe('Campaigns · Ravi')
})

test('a report without a file says why', () => {
  const rest = { error: null, expiresAt: null }
  expect(whyWithoutFile({ ...rest, status: 'ready' })).toBeUndefined()
  expect(whyWithoutFile({ ...rest, status: 'failed' })).toBe('The report could not be prepared')
  expect(whyWithoutFile({ ...rest, status: 'failed', error: 'The disk is full' })).toBe('The disk is full')
  expect(whyWithoutFile({ ...rest, status: 'expired', expiresAt: '2026-12-30T06:00:00.000Z' })).toBe(
    'File deleted on 30 Dec 2026',
  )
})
