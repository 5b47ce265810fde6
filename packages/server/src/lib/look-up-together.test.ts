import { expect, test } from 'vitest'
import { lookUpTogether } from './look-up-together.ts'

test('lookups at the same time share one call, and a key is asked for once', async () => {
  const calls: (readonly string[])[] = []
  const lookUp = lookUpTogether(async (keys) => {
    calls.push(keys)
    return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.toUpperCase()]))
  })
  expect(await Promise.all([lookUp('a'), lookUp('b'), lookUp('a'), lookUp('unknown')])).toEqual([
    'A',
    'B',
    'A',
    undefined,
  ])
  expect(calls).toEqual([['a', 'b', 'unknown']])
})

test('an error reaches its callers and no later ones', async () => {
  let fails = true
  const lookUp = lookUpTogether(async (keys) => {
    if (fails) throw new Error('no connection')
    return new Map(keys.map((key) => [key, 1]))
  })
  const results = await Promise.allSettled([lookUp('a'), lookUp('b')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await lookUp('a')).toBe(1)
})
