import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

/** Flushes into `batches`; the first flush ends when `first` resolves. */
function collect(limits: Parameters<typeof coalesce>[1]) {
  const batches: number[][] = []
  const first = Promise.withResolvers<void>()
  const add = coalesce<number>(async (entries) => {
    batches.push(entries)
    if (batches.length === 1) await first.promise
  }, limits)
  return { add, batches, first }
}

test('collects entries of many callers into one batch', async () => {
  const batches: number[][] = []
  const add = coalesce<number>(async (entries) => void batches.push(entries), { size: 10, waitMs: 5 })
  await Promise.all([add([1, 2]), add([3]), add([4])])
  expect(batches).toEqual([[1, 2, 3, 4]])
})

test('sends a full batch without waiting', async () => {
  const batches: number[] = []
  const add = coalesce<number>(async (entries) => void batches.push(entries.length), { size: 2, waitMs: 60_000 })
  await Promise.all([add([1, 2]), add([3, 4, 5])])
  expect(batches).toEqual([2, 3])
})

test('collects during a flush, in order and up to the batch size', async () => {
  const { add, batches, first } = collect({ size: 3, waitMs: 1 })
  const early = add([1])
  while (batches.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const late = [add([2]), add([3]), add([4]), add([5])]
  expect(batches).toEqual([[1]])
  first.resolve()
  await Promise.all([early, ...late])
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
})

test('a failed batch rejects only its own callers', async () => {
  const add = coalesce<string>(
    async (entries) => {
      if (entries.includes('bad')) throw new Error('refused')
    },
    { size: 1, waitMs: 1 },
  )
  const [bad, good] = await Promise.allSettled([add(['bad']), add(['good'])])
  expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled'])
})

test('a batch that is not due yet collects on after a flush', async () => {
  const { add, batches, first } = collect({ size: 3, waitMs: 60_000, quietMs: 60_000 })
  const early = add([1, 2, 3])
  const late = [add([4])]
  first.resolve()
  await early
  late.push(add([5, 6]))
  await Promise.all(late)
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
})
