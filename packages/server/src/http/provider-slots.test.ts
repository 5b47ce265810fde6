import { expect, test } from 'vitest'
import { createProviderSlots } from './provider-slots.ts'

const forever = () => new Promise<never>(() => undefined)

test('an organisation has a limited number of calls in progress, others are not affected', async () => {
  const slots = createProviderSlots({ limit: 2 })
  slots.run('a', forever).catch(() => undefined)
  slots.run('a', forever).catch(() => undefined)
  await expect(slots.run('a', async () => 1)).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(await slots.run('b', async () => 2)).toBe(2)
})

test('a call that failed frees its slot', async () => {
  const slots = createProviderSlots({ limit: 1 })
  await expect(slots.run('a', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await slots.run('a', async () => 1)).toBe(1)
})

test('a call is answered at its deadline and occupies its slot until it has ended', async () => {
  const slots = createProviderSlots({ limit: 1, deadlineMs: 20 })
  const provider = Promise.withResolvers<number>()
  await expect(slots.run('a', () => provider.promise)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(slots.run('a', async () => 1)).rejects.toMatchObject({ code: 'too_many_requests' })
  provider.resolve(1)
  await provider.promise
  await expect.poll(() => slots.run('a', async () => 2).catch(() => 0)).toBe(2)
})

test('an error after the deadline is not unhandled', async () => {
  const slots = createProviderSlots({ deadlineMs: 1 })
  const provider = Promise.withResolvers<never>()
  await expect(slots.run('a', () => provider.promise)).rejects.toMatchObject({ code: 'unavailable' })
  provider.reject(new Error('too late'))
  await new Promise((resolve) => setImmediate(resolve))
})
