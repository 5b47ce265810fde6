import { expect, test } from 'vitest'
import { findTimeZones, timeZoneOffset } from './time-zones.ts'

const found = (text: string) => findTimeZones(text)

test.each([
  'kolkata',
  'Calcutta',
  'IST',
  'ist',
  '+5:30',
  '+05:30',
  'GMT+5:30',
  'utc +5:30',
  '+530',
  'India',
  'asia kol',
])('%s finds Asia/Kolkata first', (text) => {
  expect(found(text)[0]).toBe('Asia/Kolkata')
})

test.each([
  ['new york', 'America/New_York'],
  ['EST', 'America/New_York'],
  ['Germany', 'Europe/Berlin'],
  ['dubai', 'Asia/Dubai'],
  ['GST', 'Asia/Dubai'],
  ['nepal', 'Asia/Kathmandu'],
  ['utc', 'UTC'],
  ['+5:45', 'Asia/Kathmandu'],
  ['+5:', 'Asia/Kathmandu'],
])('%s finds %s', (text, zone) => {
  expect(found(text)).toContain(zone)
})

test('a distance from UTC finds zones of that distance alone', () => {
  expect(new Set(findTimeZones('+5:30').map(timeZoneOffset))).toEqual(new Set(['GMT+5:30']))
  expect(found('-5:30')).toEqual([])
})

test('every zone once, by its present name, and those asked for first', () => {
  const all = findTimeZones('', ['Europe/Berlin', 'Asia/Kolkata'])
  expect(all.slice(0, 2)).toEqual(['Europe/Berlin', 'Asia/Kolkata'])
  expect(all).toHaveLength(new Set(all).size)
  expect(all).not.toContain('Asia/Calcutta')
})

test('what is no zone finds nothing', () => {
  expect(found('atlantis')).toEqual([])
})
