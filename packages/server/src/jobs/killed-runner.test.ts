import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../db/pool.ts'
import { createLogger } from '../lib/logger.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { addJob, defineJob, handleJob, noPayload } from './jobs.ts'
import { startJobs, type JobRunner } from './run-jobs.ts'

const testJob = { ...defineJob('jobs.test', noPayload), queueOf: () => 'one-by-one' }
const timing = { heartbeat: 100, lease: 2000 }

let opened: TestDatabase
let first: ChildProcess | undefined
const runners: JobRunner[] = []

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(async () => {
  for (const runner of runners) await runner.stop()
  first?.kill('SIGKILL')
  await opened.drop()
})

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const query = async <Row extends Record<string, unknown>>(text: string) =>
  (await opened.database.ownerPool.query<Row>(text)).rows
const add = () => asSystem(opened.database, (db) => addJob(db, testJob, { payload: {} }))

/** A process that starts every job and finishes none. */
async function startProcess(): Promise<ChildProcess> {
  const script = `
    import { openDatabase } from '${fileOf('../db/pool.ts')}'
    import { createLogger } from '${fileOf('../lib/logger.ts')}'
    import { startJobs } from '${fileOf('./run-jobs.ts')}'
    const { ownerPool } = openDatabase('${opened.url}', { app: 2, system: 2, owner: 4 })
    const run = () => { process.stdout.write('begun'); return new Promise(() => setInterval(() => {}, 1e6)) }
    const handlers = [{ name: '${testJob.name}', waitsFor: 'nothing', run }]
    await startJobs({ pool: ownerPool, handlers, cron: [], logger: createLogger('silent'), timing: ${JSON.stringify(timing)} })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout) await once(child.stdout, 'data')
  return child
}

async function start(): Promise<{ begun: () => number }> {
  let begun = 0
  const handlers = [
    handleJob(testJob, async () => {
      begun += 1
    }),
  ]
  const pool = opened.database.ownerPool
  runners.push(await startJobs({ pool, handlers, cron: [], logger: createLogger('silent'), timing }))
  return { begun: () => begun }
}

test('a job of a killed process is run by another process, and so are the next jobs in its queue', async () => {
  await add()
  first = await startProcess()
  await until(async () => (await query('select from job_runners')).length === 1, 'the runner to be known')
  await add()

  // A living process keeps its job, however long it takes.
  const other = await start()
  await new Promise((resolve) => setTimeout(resolve, 2 * timing.lease))
  expect(other.begun()).toBe(0)

  first.kill('SIGKILL')
  await until(() => other.begun() === 2, 'both jobs', 30_000)
  await until(async () => (await query('select from graphile_worker.jobs')).length === 0, 'an empty queue')
  expect(await query('select from job_runners')).toHaveLength(1)
}, 90_000)

test('a runner that stops in order leaves no row', async () => {
  for (const runner of runners.splice(0)) await runner.stop()
  expect(await query('select from job_runners')).toEqual([])
})
