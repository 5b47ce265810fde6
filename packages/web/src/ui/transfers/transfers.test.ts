import { expect, test } from 'vitest'
import { byRunway, fillToWeek, readChange, runwayOf, splitOf, sumOf, transfersOf } from './transfers.ts'

const user = (_id: string, balance: number, spentLast7Days: number) =>
  ({ _id, name: _id, balance, spentLast7Days }) as Parameters<typeof transfersOf>[0][number]

test.each([
  ['', 0],
  ['10000', 10_000],
  ['+10,000', 10_000],
  ['−5,000', -5000],
  ['-5000.50', -5000.5],
  ['₹ 1,00,000', 100_000],
  ['1e5', undefined],
  ['ten', undefined],
  ['1.234', undefined],
])('a person types %j', (text, change) => {
  expect(readChange(text)).toBe(change)
})

test('what comes back is moved before what is given out, so that the pool need not hold both', () => {
  const users = [user('acme', 640, 4120), user('kiran', 88_000, 1900), user('meera', 10, 0)]
  const changes = { acme: 10_000, kiran: -5000 }
  expect(transfersOf(users, changes).map(({ change }) => change)).toEqual([-5000, 10_000])
  expect(sumOf(changes)).toBe(5000)
})

test('a week of pace decides what is filled and how long a balance lasts', () => {
  const users = [user('acme', 640, 4120.4), user('kiran', 88_000, 1900), user('meera', 10, 0)]
  expect(fillToWeek(users)).toEqual({ acme: 3481 })
  expect(users.map(runwayOf)).toEqual([1, 324, undefined])
})

test('the split adds up to the same whole, whatever is typed', () => {
  const users = [user('acme', 640, 4120), user('kiran', 88_000, 1900), user('meera', 10, 0)]
  const changes = { acme: 10_000, kiran: -5000 }
  expect(splitOf({ pool: 340_200, users, changes })).toEqual({ pool: 340_200, out: 10_000, back: 5000, held: 88_650 })
  expect(
    users
      .toReversed()
      .toSorted(byRunway)
      .map(({ name }) => name),
  ).toEqual(['acme', 'kiran', 'meera'])
})
