import { afterAll, beforeAll, expect, test } from 'vitest'
import { weatherApi } from './public-api.ts'
import { apiFailPoints, killAnytime, killAt, killDatabase, together } from './storm.ts'
import { createWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ senderCount: 1, waitsForLeases: false })
}, 120_000)
afterAll(() => world.close(), 60_000)

test('killed at every point amid calls of the API: acknowledged messages arrive once, keys have one effect, no event is missed', async () => {
  const blows = [
    ...apiFailPoints.map(({ point, victim }) => killAt(point, 1, victim)),
    killDatabase(300, 1000),
    together(killAnytime('web', 200), killAnytime('worker', 200), killAnytime('sender', 200)),
  ]
  const verdict = await weatherApi(world, { calls: 500, callsPerSecond: 30, blows })
  expect(verdict).toMatchObject({ repeated: 0, duplicated: 0, lost: 0, missedEvents: 0, complaints: [] })
  expect(verdict.acknowledged).toBe(verdict.messages)
}, 300_000)
