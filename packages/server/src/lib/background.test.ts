import { expect, test } from 'vitest'
import { until } from '../testing/until.ts'
import { inBackground, runEvery } from './background.ts'

function recordingLogger() {
  const lines: string[] = []
  const add = (level: string) => (fields: unknown) => {
    lines.push(`${level} ${(fields as { task: string }).task}`)
  }
  return { lines, info: add('info'), warn: add('warn'), error: add('error') }
}

test('a failing task is retried, and the log reports the first failure and the recovery', async () => {
  const logger = recordingLogger()
  let runs = 0
  const task = runEvery(
    5,
    async () => {
      runs += 1
      if (runs > 1 && runs < 5) throw new Error('no database')
    },
    { name: 'counting', logger },
  )
  await until(() => runs > 6)
  await task.stop()
  expect(logger.lines).toEqual(['warn counting', 'info counting'])
})

test('a task that throws before its first await counts as a failure', async () => {
  const logger = recordingLogger()
  const task = runEvery(
    5,
    () => {
      throw new Error('at once')
    },
    { name: 'throwing', logger },
  )
  await until(() => logger.lines.length > 0)
  await task.stop()
  expect(logger.lines).toEqual(['warn throwing'])
})

test('now() during a run starts one more run after it, never two at once', async () => {
  const logger = recordingLogger()
  let atOnce = 0
  let most = 0
  let runs = 0
  const task = runEvery(
    60_000,
    async () => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resume) => setTimeout(resume, 10))
      runs += 1
      atOnce -= 1
    },
    { name: 'waiting', logger },
  )
  task.now()
  task.now()
  await until(() => runs === 2)
  await task.stop()
  expect({ most, runs }).toEqual({ most: 1, runs: 2 })
})

test('stop() prevents further runs and waits for the current one', async () => {
  let finished = 0
  const task = runEvery(
    1,
    async () => {
      await new Promise((resume) => setTimeout(resume, 10))
      finished += 1
    },
    { name: 'stopping', logger: recordingLogger() },
  )
  await task.stop()
  task.now()
  expect(finished).toBe(1)
})

test('a rejection in the background is logged', async () => {
  const logger = recordingLogger()
  inBackground(Promise.reject(new Error('alone')), { name: 'sending', logger })
  await until(() => logger.lines.length > 0)
  expect(logger.lines).toEqual(['error sending'])
})
