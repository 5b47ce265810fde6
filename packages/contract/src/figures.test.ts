import { describe, expect, test } from 'vitest'
import { figuresOf, sharesOf, type Fates } from './figures.ts'

const fates = (some: Partial<Fates>): Fates => ({
  submitted: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  unconfirmed: 0,
  ...some,
})

test('delivered includes read, unconfirmed includes unknown, and the total is the sum of all statuses', () => {
  expect(figuresOf({ submitted: 96, sent: 3, delivered: 60, read: 30, failed: 5, unknown: 1, unconfirmed: 1 })).toEqual(
    {
      tried: 100,
      sent: 96,
      delivered: 90,
      read: 30,
      failed: 5,
      inFlight: 3,
      unconfirmed: 2,
    },
  )
})

test('there are no shares if nothing was tried', () => {
  expect(sharesOf(fates({}))).toBeUndefined()
})

describe('the four shares as displayed add up to 100', () => {
  test.each([
    fates({ sent: 1, delivered: 1, failed: 1 }),
    fates({ sent: 1039, delivered: 8608, failed: 340, unconfirmed: 6, submitted: 9987 }),
    fates({ delivered: 2, failed: 1 }),
    fates({ delivered: 1, read: 1, failed: 1, sent: 4, unconfirmed: 4 }),
    fates({ delivered: 3333, failed: 3333, sent: 3333, unconfirmed: 1 }),
  ])('%j', (counts) => {
    const { delivered, failed, inFlight, unconfirmed } = sharesOf(counts) ?? {
      delivered: 0,
      failed: 0,
      inFlight: 0,
      unconfirmed: 0,
    }
    const printed = [delivered, failed, inFlight, unconfirmed].map((share) => Number((share * 100).toFixed(1)))
    expect(printed.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 6)
  })
})

test('no share exceeds 100 %, even if everything was rejected or a period delivers messages sent before it', () => {
  expect(sharesOf(fates({ submitted: 1, delivered: 2 }))?.delivered).toBe(1)
  expect(sharesOf(fates({ submitted: 0, sent: -500, delivered: 480, failed: 20 }))).toMatchObject({
    delivered: 0.96,
    failed: 0.04,
    inFlight: 0,
  })
  expect(sharesOf(fates({ read: 3, failed: 4 }))).toMatchObject({ delivered: 0.429, read: 0.429, failed: 0.571 })
})
