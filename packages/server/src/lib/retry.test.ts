import { expect, test } from 'vitest'
import { retry } from './retry.ts'

const busy = new Error('busy')
const options = { isTransient: (error: unknown) => error === busy, delaysMs: [0, 0] }

function failing(times: number, error: Error) {
  const work = {
    tries: 0,
    async run() {
      work.tries += 1
      if (work.tries <= times) throw error
      return 'done'
    },
  }
  return work
}

test('tries again after a passing failure', async () => {
  const work = failing(2, busy)
  expect(await retry(work.run, options)).toBe('done')
  expect(work.tries).toBe(3)
})

test('throws when the delays are used up', async () => {
  const work = failing(9, busy)
  await expect(retry(work.run, options)).rejects.toBe(busy)
  expect(work.tries).toBe(3)
})

test('throws any other failure at once', async () => {
  const work = failing(1, new Error('no'))
  await expect(retry(work.run, options)).rejects.toThrow('no')
  expect(work.tries).toBe(1)
})
