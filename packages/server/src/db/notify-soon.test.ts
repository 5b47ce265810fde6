import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { inScope, notifyAfterCommit } from './pool.ts'

let opened: TestDatabase
let heard: string[]
let stop: () => Promise<void>

beforeAll(async () => {
  opened = await testDatabase()
  const listener = await opened.database.connectAsOwner()
  heard = []
  listener.on('notification', ({ channel }) => heard.push(channel))
  await listener.query('listen test_lanes')
  stop = () => listener.end()
})
afterAll(async () => {
  await stop()
  await opened.drop()
})

const scope = { organizationId: '00000000-0000-4000-8000-000000000000', path: 'none', descends: false }

test('calls in quick succession become one notification, and the next calls another one', async () => {
  const notify = () => {
    for (let call = 0; call < 20; call += 1) opened.database.notifySoon('test_lanes')
  }
  notify()
  await until(() => heard.length > 0, 'the first notification')
  notify()
  await until(() => heard.length > 1, 'the second notification')
  expect(heard).toEqual(['test_lanes', 'test_lanes'])
})

test('a transaction notifies once, after its commit, and not if it is rolled back', async () => {
  heard.length = 0
  const failing = inScope(opened.database, scope, async (db) => {
    notifyAfterCommit(db, 'test_lanes')
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await inScope(opened.database, scope, async (db) => {
    for (let call = 0; call < 3; call += 1) notifyAfterCommit(db, 'test_lanes')
    await new Promise((resume) => setTimeout(resume, 100))
    expect(heard).toEqual([])
  })
  await until(() => heard.length > 0, 'the notification')
  expect(heard).toEqual(['test_lanes'])
})
