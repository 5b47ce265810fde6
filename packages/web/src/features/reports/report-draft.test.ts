import type { ReportFile } from '@carillon/contract/report-file-records'
import { describe, expect, test } from 'vitest'
import {
  draftLike,
  firstDraft,
  grainOf,
  nextDraft,
  nextRange,
  presets,
  problemsOf,
  rangeOf,
  requestOf,
  withFormat,
} from './report-draft.ts'

const report: ReportFile = {
  reportId: '019ab3c4-5d6e-7f80-91a2-b3c4d5e6f708',
  type: 'campaign_detailed',
  name: 'Campaign messages',
  channel: 'sms',
  from: '2026-01-01',
  to: '2026-01-31',
  timezone: 'Asia/Kolkata',
  campaign: { _id: '019ab3c4-5d6e-7f80-91a2-b3c4d5e6f709', name: 'Diwali' },
  detailed: true,
  format: 'csv',
  status: 'ready',
  progress: 100,
  rows: 3,
  sizeBytes: 120,
  checksum: 'ab',
  requestedBy: { _id: '019ab3c4-5d6e-7f80-91a2-b3c4d5e6f70a', name: 'Ravi' },
  mayDelete: true,
  createdAt: '2026-02-01T00:00:00.000Z',
  readyAt: '2026-02-01T00:00:04.000Z',
  expiresAt: '2026-03-01T00:00:00.000Z',
  error: null,
}

const custom = (from: string, to: string) => ({ ...firstDraft, preset: 'custom' as const, from, to })

test('presets are days up to today, or whole months', () => {
  const ranges = presets.map((preset) => rangeOf({ ...custom('2026-01-05', '2026-01-06'), preset }, '2026-03-10'))
  expect(ranges).toEqual([
    { from: '2026-03-04', to: '2026-03-10' },
    { from: '2026-02-09', to: '2026-03-10' },
    { from: '2026-03-01', to: '2026-03-10' },
    { from: '2026-02-01', to: '2026-02-28' },
    { from: '2026-01-05', to: '2026-01-06' },
  ])
})

test('last month of January is December', () => {
  expect(rangeOf({ ...firstDraft, preset: 'last month' }, '2026-01-31')).toEqual({
    from: '2025-12-01',
    to: '2025-12-31',
  })
})

test.each([
  ['', '', { from: 'Choose the first day', to: 'Choose the last day' }],
  ['2026-01-02', '2026-01-01', { to: 'Choose a day on or after the first' }],
  ['2025-01-01', '2026-01-02', { to: 'Choose at most 366 days; these are 367' }],
  ['2025-01-01', '2026-01-01', {}],
  ['2026-01-01', '2026-01-01', {}],
])('days from %s to %s', (from, to, problems) => {
  expect(problemsOf(custom(from, to))).toEqual(problems)
})

describe('the request', () => {
  test('of campaigns has no type', () => {
    expect(requestOf({ ...custom('2026-01-01', '2026-01-02'), isDetailed: true })).toEqual({
      path: { from: '2026-01-01', to: '2026-01-02', channel: 'all', campaignId: 'all' },
      body: { detailedCampaignReport: true, format: 'xlsx' },
    })
  })

  test('of another report ignores the switch of campaigns', () => {
    const draft = { ...custom('2026-01-01', '2026-01-02'), type: 'delivery_log' as const, isDetailed: true }
    expect(requestOf(draft).body).toEqual({ type: 'delivery_log', detailedCampaignReport: false, format: 'xlsx' })
  })

  test('again is the request of the report', () => {
    expect(requestOf(draftLike(report))).toEqual({
      path: { from: '2026-01-01', to: '2026-01-31', channel: 'sms', campaignId: report.campaign?._id },
      body: { detailedCampaignReport: true, format: 'csv' },
    })
  })
})

test('a report with a row for each message or click has no PDF', () => {
  const draft = { ...firstDraft, format: 'pdf' as const }
  expect(withFormat(draft).format).toBe('pdf')
  for (const change of [{ isDetailed: true }, { type: 'delivery_log' as const }, { type: 'link_clicks' as const }])
    expect(withFormat({ ...draft, ...change }).format).toBe('xlsx')
  expect([grainOf(draft), grainOf({ ...draft, isDetailed: true })]).toEqual(['campaign, day and channel', 'message'])
})

test.each([
  ['2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28'],
  ['2026-02-01', '2026-02-28', '2026-03-01', '2026-03-31'],
  ['2025-12-01', '2025-12-31', '2026-01-01', '2026-01-31'],
  ['2026-01-01', '2026-01-30', '2026-01-31', '2026-03-01'],
  ['2026-01-05', '2026-01-11', '2026-01-12', '2026-01-18'],
  ['2026-01-05', '2026-01-05', '2026-01-06', '2026-01-06'],
])('after %s to %s follows %s to %s', (from, to, nextFrom, nextTo) => {
  expect(nextRange({ from, to })).toEqual({ from: nextFrom, to: nextTo })
})

test('the draft of the next period has everything else of the report', () => {
  expect(nextDraft(report)).toEqual({
    ...draftLike(report),
    preset: 'custom',
    from: '2026-02-01',
    to: '2026-02-28',
  })
})
