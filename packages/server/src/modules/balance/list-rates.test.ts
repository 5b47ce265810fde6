import { afterAll, beforeAll, expect, test } from 'vitest'
import { inScope } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildTree, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { findRate } from './index.ts'
import { listRates } from './list-rates.ts'

let server: TestServer
let admin: Account
let reseller: Account
let manager: Account
let user: Account
let foreign: Account

beforeAll(async () => {
  server = await testServer()
  ;({ admin, reseller, manager, user, foreign } = await buildTree(server.database))
  await addCard(admin, '2026-01-01', [
    ['sms', '*', '*', 2500],
    ['sms', '*', 'IN', 1500],
    ['sms', 'otp', 'IN', 1200],
    ['rcs', '*', '*', 4000],
  ])
  await addCard(reseller, '2026-01-01', [
    ['sms', 'promotional', '*', 1900],
    ['sms', '*', 'IN', 1800],
  ])
  await addCard(reseller, '2026-02-01', [['sms', 'promotional', '*', 1700]])
  await addCard(reseller, '2999-01-01', [['sms', '*', '*', 1]])
})
afterAll(() => server.close())

async function addCard(
  { organizationId }: Account,
  since: string,
  rates: [channel: string, category: string, country: string, price: number][],
) {
  const id = newId()
  const { ownerPool } = server.database
  await ownerPool.query('insert into rate_cards (organization_id, id, name, valid_from) values ($1, $2, $3, $4)', [
    organizationId,
    id,
    `Since ${since}`,
    `${since}T00:00:00Z`,
  ])
  for (const rate of rates)
    await ownerPool.query(
      'insert into rates (organization_id, rate_card_id, channel, category, country, price) values ($1, $2, $3, $4, $5, $6)',
      [organizationId, id, ...rate],
    )
}

const january = '2026-01-01T00:00:00.000Z'
const february = '2026-02-01T00:00:00.000Z'
const sms = { channel: 'sms', billableOn: 'sent' }
const belowReseller = [
  // The reseller's price for India beats the admin's for a category: the nearest card comes first.
  { ...sms, category: 'promotional', country: '*', price: 0.17, asOf: february },
  { ...sms, category: '*', country: 'IN', price: 0.18, asOf: january },
  { ...sms, category: '*', country: '*', price: 0.25, asOf: january },
]
const belowAdmin = [
  { ...sms, category: 'otp', country: 'IN', price: 0.12, asOf: january },
  { ...sms, category: '*', country: 'IN', price: 0.15, asOf: january },
  { ...sms, category: '*', country: '*', price: 0.25, asOf: january },
]

async function ratesOf(who: Account, query: { channel?: string; userId?: string } = { channel: 'sms' }) {
  return (await server.callUnchecked('rates.list', { as: who, query })).body
}
const answer = (rates: unknown[]) => ({ success: true, message: 'OK', data: { rates } })

test("every account reads the prices it pays: its own card's, else those of the nearest ancestor", async () => {
  expect(await ratesOf(admin)).toEqual(answer(belowAdmin))
  expect(await ratesOf(foreign)).toEqual(answer(belowAdmin))
  for (const who of [reseller, manager, user]) expect(await ratesOf(who)).toEqual(answer(belowReseller))
})

test('all channels are listed when none is named', async () => {
  const rcs = { channel: 'rcs', category: '*', country: '*', price: 0.4, billableOn: 'sent', asOf: january }
  expect(await ratesOf(user, {})).toEqual(answer([rcs, ...belowReseller]))
  expect(await ratesOf(user, { channel: 'whatsapp' })).toEqual(answer([]))
})

test('the prices of an account in scope are returned, of no other', async () => {
  const ask = (who: Account, { id }: Account) => ratesOf(who, { channel: 'sms', userId: id })
  const unknown = { success: false, message: 'User not found', code: 'not_found' }
  expect(await ask(admin, user)).toEqual(answer(belowReseller))
  expect(await ask(reseller, manager)).toEqual(answer(belowReseller))
  expect(await ask(user, user)).toEqual(answer(belowReseller))
  expect(await ask(manager, foreign)).toEqual(unknown)
  expect(await ask(manager, reseller)).toEqual(unknown)
  expect(await ask(user, manager)).toEqual(unknown)
})

test('every category and country is listed with the price that a message is charged', async () => {
  // From a nearer card than the price for the category alone, so it applies to that category in this country too.
  await addCard(foreign, '2026-01-01', [['sms', '*', 'AE', 900]])
  await addCard(admin, '2026-03-01', [['sms', 'promotional', '*', 1000]])
  for (const { path, organizationId } of [admin, reseller, manager, foreign]) {
    const scope = { path, organizationId, descends: false }
    await inScope(server.database, scope, async (db) => {
      const listed = await listRates(db, { scope, channel: 'sms' })
      const find = (category: string, country: string) =>
        listed.find((rate) => rate.category === category && rate.country === country)
      for (const category of ['promotional', 'otp', 'service_implicit'])
        for (const country of ['IN', 'AE', 'US']) {
          const found = find(category, country) ?? find(category, '*') ?? find('*', country) ?? find('*', '*')
          const charged = await findRate(db, { organizationId, channel: 'sms', category, country })
          expect([category, country, found?.price]).toEqual([category, country, charged?.price])
        }
    })
  }
})
