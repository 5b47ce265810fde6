import { expect, test } from 'vitest'
import { until } from '../testing/until.ts'
import { every } from './every.ts'

test('calls repeatedly until it is stopped', async () => {
  let calls = 0
  const counting = every(1, () => {
    calls += 1
  })
  await until(() => calls > 3)
  counting.stop()
  const atEnd = calls
  await new Promise((resume) => setTimeout(resume, 20))
  expect(calls).toBe(atEnd)
})

test('does not call while a call is in progress', async () => {
  let calls = 0
  const first = Promise.withResolvers<void>()
  const waiting = every(1, () => {
    calls += 1
    return first.promise
  })
  await new Promise((resume) => setTimeout(resume, 20))
  expect(calls).toBe(1)
  first.resolve()
  await until(() => calls > 1)
  waiting.stop()
})
