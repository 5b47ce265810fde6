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
const inbound = (text: string, { isNameless = true } = {}): ProviderEvent => ({
  kind: 'inbound-message',
  from: String(phone),
  to: '56161',
  text,
  dedupeKey: `${phone} ${text}`,
  ...(isNameless ? { isNameless } : {}),
  at: new Date(),
  raw: text,
})

const receive = async (...events: ProviderEvent[]) =>
  (
    await applyProviderEvents(opened.database.systemPool, { organizationId: manager.organizationId, senderId }, events)
  ).inbound.map(({ text }) => text)

async function isOptedOut(): Promise<boolean> {
  const { rowCount } = await opened.database.systemPool.query('select from opt_outs where phone = $1', [phone])
  return rowCount === 1
}

test('stop, start, stop within minutes ends in a stop', async () => {
  expect(await receive(inbound('STOP'))).toEqual(['STOP'])
  expect(await receive(inbound('START'))).toEqual(['START'])
  expect(await isOptedOut()).toBe(false)
  expect(await receive(inbound('STOP'))).toEqual(['STOP'])
  expect(await isOptedOut()).toBe(true)
  expect(await receive(inbound('START'), inbound('STOP'), inbound('START'))).toEqual(['START', 'STOP', 'START'])
  expect(await isOptedOut()).toBe(false)
})

test('a keyword that repeats with nothing in between is stored once, whichever process receives it', async () => {
  expect(await receive(inbound('STOP'), inbound('STOP'))).toEqual(['STOP'])
  expect(await receive(inbound('STOP'))).toEqual([])
  await receive(inbound('START'))
  const both = await Promise.all([receive(inbound('STOP')), receive(inbound('STOP'))])
  expect(both.flat()).toEqual(['STOP'])
  expect(await receive(inbound('STOP'))).toEqual([])
  expect(await isOptedOut()).toBe(true)
})

test('other texts, and messages with an id, are repeats wherever they come again', async () => {
  await receive(inbound('Yes please'), inbound('STOP'))
  expect(await receive(inbound('Yes please'))).toEqual([])
  const named = (text: string) => inbound(text, { isNameless: false })
  await receive(named('UNSUBSCRIBE'), named('START'))
  expect(await receive(named('UNSUBSCRIBE'))).toEqual([])
  expect(await isOptedOut()).toBe(false)
})
