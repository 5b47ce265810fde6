import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ProviderEvent } from '../../../channels/provider.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { applyProviderEvents } from '../reports/apply-provider-events.ts'
import { buildSender, phoneOf } from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let phone = phoneOf(0)

beforeAll(async () => {
  opened = await testDatabase()
  manager = await buildManager(opened.database)
  senderId = await buildSender(opened.database, manager)
})

beforeEach(() => {
  phone += 1
})

afterAll(() => opened.drop())

/** As from an SMSC without message ids: the same text within ten minutes has the same key. */
const heard = (text: string, { isNameless = true } = {}): ProviderEvent => ({
  kind: 'inbound-message',
  from: String(phone),
  to: '56161',
  text,
  dedupeKey: `${phone} ${text}`,
  ...(isNameless ? { isNameless } : {}),
  at: new Date(),
  raw: text,
})

const hear = async (...events: ProviderEvent[]) =>
  (
    await applyProviderEvents(opened.database.systemPool, { organizationId: manager.organizationId, senderId }, events)
  ).inbound.map(({ text }) => text)

async function isOptedOut(): Promise<boolean> {
  const { rowCount } = await opened.database.systemPool.query('select from opt_outs where phone = $1', [phone])
  return rowCount === 1
}

test('stop, start, stop within minutes ends in a stop', async () => {
  expect(await hear(heard('STOP'))).toEqual(['STOP'])
  expect(await hear(heard('START'))).toEqual(['START'])
  expect(await isOptedOut()).toBe(false)
  expect(await hear(heard('STOP'))).toEqual(['STOP'])
  expect(await isOptedOut()).toBe(true)
  expect(await hear(heard('START'), heard('STOP'), heard('START'))).toEqual(['START', 'STOP', 'START'])
  expect(await isOptedOut()).toBe(false)
})

test('a keyword that repeats with nothing in between is stored once, whichever process receives it', async () => {
  expect(await hear(heard('STOP'), heard('STOP'))).toEqual(['STOP'])
  expect(await hear(heard('STOP'))).toEqual([])
  await hear(heard('START'))
  const both = await Promise.all([hear(heard('STOP')), hear(heard('STOP'))])
  expect(both.flat()).toEqual(['STOP'])
  expect(await hear(heard('STOP'))).toEqual([])
  expect(await isOptedOut()).toBe(true)
})

test('other texts, and messages with an id, are repeats wherever they come again', async () => {
  await hear(heard('Yes please'), heard('STOP'))
  expect(await hear(heard('Yes please'))).toEqual([])
  const named = (text: string) => heard(text, { isNameless: false })
  await hear(named('UNSUBSCRIBE'), named('START'))
  expect(await hear(named('UNSUBSCRIBE'))).toEqual([])
  expect(await isOptedOut()).toBe(false)
})
