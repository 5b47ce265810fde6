import { expect, test } from 'vitest'
import { newId, newToken } from './ids.ts'

test('ids sort by creation time, also with thousands per millisecond and when the clock steps back', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => newId(1_800_000_000_000 - (index % 7)))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('an id is a UUID version 7 that contains its time', () => {
  const id = newId(4_000_000_000_000)
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(4_000_000_000_000)
})

test('a token has 256 bits and is unique', () => {
  expect(newToken()).toMatch(/^[\da-f]{64}$/)
  expect(newToken()).not.toBe(newToken())
})
