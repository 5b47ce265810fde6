import { expect, test } from 'vitest'
import { createDeliveryBuffer } from './delivery-buffer.ts'

const rowsOf = (...ids: string[]) =>
  ids.map((id) => ({ id, body: '{}', tries: 0, isReplay: false, isOrdered: id.startsWith('o') }))

function takeAll(buffer: ReturnType<typeof createDeliveryBuffer>): string[] {
  const taken: string[] = []
  for (let row = buffer.take(); row; row = buffer.take()) taken.push(row.id)
  return taken
}

test('a delivery in memory is not added again', () => {
  const buffer = createDeliveryBuffer()
  buffer.beginRead()
  buffer.offer(rowsOf('1', '2'))
  expect(buffer.take()?.id).toBe('1')
  buffer.beginRead()
  // The first is in flight, the second waits.
  buffer.offer(rowsOf('1', '2', '3'))
  expect(takeAll(buffer)).toEqual(['2', '3'])
})

test('a delivery that ends during a read, which still sees it, is not added again', () => {
  const buffer = createDeliveryBuffer()
  buffer.beginRead()
  buffer.offer(rowsOf('1'))
  expect(takeAll(buffer)).toEqual(['1'])
  buffer.beginRead()
  buffer.settle(['1'])
  buffer.offer(rowsOf('1', '2'))
  expect(takeAll(buffer)).toEqual(['2'])
  // A replay of it is read later.
  buffer.beginRead()
  buffer.offer(rowsOf('1'))
  expect(takeAll(buffer)).toEqual(['1'])
})

test('after a read that found less than it asked for, nothing is read until it is woken', () => {
  const buffer = createDeliveryBuffer()
  expect(buffer.wantsMore()).toBe(true)
  const asked = buffer.beginRead()
  buffer.offer(rowsOf(...Array.from({ length: asked }, (_, index) => String(index))))
  expect(buffer.wantsMore()).toBe(false)
  takeAll(buffer)
  expect(buffer.wantsMore()).toBe(true)
  // It asks for those in flight as well, because the read finds them.
  expect(buffer.beginRead()).toBe(2 * asked)
  buffer.offer([])
  expect(buffer.wantsMore()).toBe(false)
  buffer.wake()
  expect(buffer.wantsMore()).toBe(true)
})

test('a wake during a read is not forgotten, and an ended delivery of a conversation wakes', () => {
  const buffer = createDeliveryBuffer()
  buffer.beginRead()
  buffer.wake()
  buffer.offer(rowsOf('o1'))
  expect(buffer.wantsMore()).toBe(true)
  takeAll(buffer)
  buffer.beginRead()
  buffer.offer([])
  expect(buffer.wantsMore()).toBe(false)
  buffer.settle(['o1'])
  expect(buffer.wantsMore()).toBe(true)
  expect(buffer.isEmpty()).toBe(true)
})

test('what waits can be dropped, and is read again', () => {
  const buffer = createDeliveryBuffer()
  buffer.beginRead()
  buffer.offer(rowsOf('1', '2'))
  buffer.take()
  buffer.drop()
  expect(buffer.isEmpty()).toBe(false)
  buffer.beginRead()
  buffer.offer(rowsOf('1', '2'))
  expect(takeAll(buffer)).toEqual(['2'])
})
