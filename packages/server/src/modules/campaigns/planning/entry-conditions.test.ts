import { expect, test } from 'vitest'
import { entranceOf } from './entry-conditions.ts'

test('a leg that follows failures also follows messages that were given up without a report', () => {
  const { reasons } = entranceOf([{ type: 'failed' }])
  expect(entranceOf([{ type: 'failed' }], 3600)).toEqual({
    reasons: [...reasons, 'not_delivered_in_time'],
    afterSeconds: 3600,
    unless: 'delivered',
  })
})

test('of the time that a message has and the time that a leg waits, the shorter counts', () => {
  const waits = (afterSeconds: number, ttlSeconds: number) =>
    entranceOf([{ type: 'unread_after', afterSeconds }], ttlSeconds)
  expect(waits(600, 3600)).toEqual({ reasons: ['not_delivered_in_time'], afterSeconds: 600, unless: 'read' })
  expect(waits(600, 120)).toMatchObject({ afterSeconds: 120 })
})

test('a leg for other ends is not entered by time', () => {
  expect(entranceOf([{ type: 'not_reachable_on_channel' }], 3600)).toMatchObject({ afterSeconds: null })
})
