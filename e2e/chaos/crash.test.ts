import { afterAll, beforeAll, expect, test } from 'vitest'
import { numbers } from './campaign.ts'
import {
  failPoints,
  killAnytime,
  killAt,
  killDatabase,
  killInTurn,
  rcsFailPoints,
  together,
  weather,
  whatsappFailPoints,
} from './storm.ts'
import { rcsNumbers } from './rcs.ts'
import { whatsappNumbers } from './whatsapp.ts'
import { createSingleProcess } from './single-process.ts'
import { createWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ senderCount: 1, waitsForLeases: false })
}, 120_000)
afterAll(() => world.close(), 60_000)

const clean = { duplicated: 0, lost: 0, contradicted: 0, complaints: [] }

test('killed once at every point over SMPP: nothing accepted is lost, nothing arrives twice, the ledger adds up', async () => {
  const phones = numbers(6000, 20)
  const blows = [killInTurn(failPoints, 1)]
  // Responses that arrive one by one leave partly recorded slices.
  const answerDelayMs: [number, number] = [0, 600]
  expect(await weather(world, { route: 'smpp', phones, ratePerSecond: 300, answerDelayMs, blows })).toMatchObject({
    recipients: phones.length,
    rows: phones.length,
    ...clean,
  })
}, 240_000)

test('web, worker, sender and database killed over the HTTP gateway: the same', async () => {
  const phones = numbers(2500, 21)
  const blows = [
    killAt('mid-wire', 1),
    killAnytime('web', 300),
    killAnytime('worker', 300),
    killDatabase(300, 2000),
    killAnytime('sender', 300),
  ]
  expect(await weather(world, { route: 'http-gateway', phones, ratePerSecond: 300, blows })).toMatchObject({
    recipients: phones.length,
    rows: phones.length,
    ...clean,
  })
}, 240_000)

test('killed once at every point over WhatsApp with failover to SMS: each recipient is reached once, on one channel', async () => {
  const phones = whatsappNumbers(3600, { withSilent: false })
  const pointsOf = (wanted: 'web' | number) =>
    whatsappFailPoints.flatMap(({ point, victim }) => (victim === wanted ? [point] : []))
  // The web process is killed too, because reports pass other fail points than sends.
  const blows = [together(killInTurn(pointsOf(0), 1), killInTurn(pointsOf('web'), 1, 'web'))]
  const aftermath = await weather(world, { route: 'whatsapp', phones, ratePerSecond: 300, blows })
  expect(aftermath).toMatchObject({ recipients: phones.length, rows: phones.length, ...clean, both: 0 })
}, 240_000)

test('killed once at every point over RCS with revocation and failover to SMS: the same', async () => {
  const phones = rcsNumbers(2400)
  const pointsOf = (wanted: 'web' | number) =>
    rcsFailPoints.flatMap(({ point, victim }) => (victim === wanted ? [point] : []))
  const blows = [together(killInTurn(pointsOf(0), 1), killInTurn(pointsOf('web'), 1, 'web'))]
  const aftermath = await weather(world, { route: 'rcs', phones, ratePerSecond: 200, afterSeconds: 30, blows })
  expect(aftermath).toMatchObject({ recipients: phones.length, rows: phones.length, ...clean })
}, 300_000)

test('the database of a single process is killed, and the process is not restarted: the same', async () => {
  const single = await createSingleProcess()
  try {
    const phones = numbers(2000, 22)
    const blows = [killDatabase(300, 0), killDatabase(300, 0)]
    expect(await weather(single, { route: 'smpp', phones, ratePerSecond: 200, blows })).toMatchObject({
      recipients: phones.length,
      rows: phones.length,
      blows: blows.length,
      ...clean,
    })
  } finally {
    await single.close()
  }
}, 240_000)
