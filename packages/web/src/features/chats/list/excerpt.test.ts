import { expect, test } from 'vitest'
import { excerptOf, splitMatches } from './excerpt.ts'

test('an excerpt begins a few words before the match', () => {
  const text = 'The parcel that you sent me last week\nwith the brass lamp arrived broken'
  expect(excerptOf(text, 'lamp')).toBe('…last week with the brass lamp arrived broken')
  expect(excerptOf('lamp', 'lamp')).toBe('lamp')
})

test('each word of the query is marked, whatever it contains', () => {
  expect(splitMatches('A (b) c', '(b)')).toEqual([
    { part: 'A ', isMatch: false },
    { part: '(b)', isMatch: true },
    { part: ' c', isMatch: false },
  ])
  expect(splitMatches('Nothing', '')).toEqual([{ part: 'Nothing', isMatch: false }])
})
