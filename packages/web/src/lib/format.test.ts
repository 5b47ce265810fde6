import { expect, test } from 'vitest'
import {
  countOf,
  formatBytes,
  formatCompact,
  formatCount,
  formatCredit,
  formatDateTime,
  formatDuration,
  formatMoney,
  formatMoneyCompact,
  formatMoneyInProse,
  formatPercent,
  formatProgress,
  formatPhone,
  formatPoints,
  formatRelative,
  formatSchedule,
  formatShare,
  formatUnitPrice,
  initialsOf,
} from './format.ts'

test.each([
  ['counts in the Indian grouping', formatCount(150_000), '1,50,000'],
  ['zero as zero', formatCount(0), '0'],
  ['thousands', formatCompact(12_345), '12.3K'],
  ['lakhs', formatCompact(150_000), '1.5L'],
  ['crores', formatCompact(12_000_000), '1.2Cr'],
  ['nothing compact below a thousand', formatCompact(999), '999'],
  ['a round thousand', formatCompact(1000), '1K'],
  ['what would round to a hundred thousand', formatCompact(99_990), '1L'],
  ['money', formatMoney(1234.5), '₹1,234.50'],
  ['a large amount', formatMoney(9_999_999), '₹99,99,999.00'],
  ['money in prose', formatMoneyInProse(15_240.4), '₹15,240'],
  ['little money in prose', formatMoneyInProse(640), '₹640.00'],
  ['compact money', formatMoneyCompact(150_000), '₹1.5L'],
  ['a debit', formatCredit(-480), '-₹480.00'],
  ['a credit', formatCredit(5000), '+₹5,000.00'],
  ['a unit price', formatUnitPrice(0.125), '₹0.125'],
  ['a round unit price', formatUnitPrice(0.25), '₹0.25'],
  ['a share', formatPercent(0.943), '94.3%'],
  ['progress that is nearly done', formatProgress(99.9), '99%'],
  ['a share of nothing', formatShare(0, 0), '—'],
  ['a change of a share', formatPoints(0.012), '+1.2 pts'],
  ['an instant', formatDateTime('2025-11-03T08:05:00Z', 'Asia/Kolkata'), '3 Nov 2025, 1:35 pm'],
  ['September in three letters', formatDateTime('2025-09-01T18:45:00Z', 'Asia/Kolkata'), '2 Sep 2025, 12:15 am'],
  [
    'a schedule where one lives',
    formatSchedule('2025-11-03T04:30:00Z', 'Asia/Kolkata', 'Asia/Kolkata'),
    '10:00 am IST',
  ],
  [
    'a schedule seen from afar',
    formatSchedule('2025-11-03T04:30:00Z', 'Asia/Kolkata', 'America/New_York'),
    '10:00 am IST (11:30 pm EST, 2 Nov)',
  ],
  ['a phone number', formatPhone('+919876543210'), '+91 98765 43210'],
  ['bytes', formatBytes(1_468_006), '1.4 MB'],
  ['few bytes', formatBytes(512), '512 B'],
  ['minutes', formatDuration(125), '2 m 05 s'],
  ['hours', formatDuration(3_845), '1 h 04 m'],
  ['one of something', countOf(1, 'part'), '1 part'],
  ['many of something', countOf(12_480, 'person', 'people'), '12,480 people'],
  ['initials', initialsOf('Acme Retail'), 'AR'],
  ['initials that are emoji', initialsOf('😀 Retail') + initialsOf('😀😁x'), '😀R😀😁'],
])('%s', (_, formatted, expected) => {
  expect(formatted).toBe(expected)
})

const now = Date.parse('2025-11-10T12:00:00Z')

test.each([
  ['2025-11-10T11:59:40Z', 'just now'],
  ['2025-11-10T11:55:00Z', '5 min ago'],
  ['2025-11-10T09:30:00Z', '2 h ago'],
  ['2025-11-07T12:00:00Z', '3 d ago'],
  ['2025-11-10T12:10:00Z', 'in 10 min'],
  ['2025-11-02T12:00:00Z', '2 Nov 2025'],
])('%s is %s', (at, expected) => {
  expect(formatRelative(at, now)).toBe(expected)
})
