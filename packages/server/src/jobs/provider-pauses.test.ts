import { expect, test } from 'vitest'
import { until } from '../testing/until.ts'
import { createProviderPauses, ProviderPaused } from './provider-pauses.ts'

const timeout = () => Promise.reject(new Error('timeout'))

test('after a job without an answer, the organisation’s jobs are put off for a while, and no other’s', async () => {
  const pauses = createProviderPauses({ slow: 0, first: 300, longest: 300 })
  let runs = 0
  const job = async () => void (runs += 1)
  await expect(pauses.run('one', timeout)).rejects.toThrow('timeout')
  await expect(pauses.run('one', job)).rejects.toThrow(ProviderPaused)
  expect(runs).toBe(0)
  await pauses.run('other', job)
  await until(
    () =>
      pauses.run('one', job).then(
        () => true,
        () => false,
      ),
    'the end of the pause',
  )
  await pauses.run('one', job)
  expect(runs).toBe(3)
})

test('a job that fails at once pauses nothing', async () => {
  const pauses = createProviderPauses({ slow: 60_000, first: 60_000, longest: 60_000 })
  await expect(pauses.run('one', timeout)).rejects.toThrow('timeout')
  await pauses.run('one', () => Promise.resolve())
})
