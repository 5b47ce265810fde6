import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { nameCountries } from '../../../lib/country-name.ts'
import { admin, balanceOf, buildReady, server, setUp, tearDown } from '../test-fixtures.ts'

beforeAll(async () => {
  await setUp()
  await asSystem(server.database, async (db) => {
    const { id } = await db.selectFrom('rate_cards').select('id').executeTakeFirstOrThrow()
    const rate = { organization_id: admin.organizationId, rate_card_id: id, channel: 'sms' }
    await db
      .insertInto('rates')
      .values({ ...rate, country: 'US', price: 60_000 })
      .execute()
  })
})
afterAll(tearDown)

const abroad = [
  'Mobile,Name,City',
  '+14155552671,Ann,Reno',
  '9876543210,Asha,Pune',
  '9876543211,Ravi,Agra',
  '+447400123456,Sue,Bath',
  '+14155552672,,Elko',
  '9876543212,Meena,',
  '',
].join('\n')

test('each country has its own price in the estimate, in the preview and in the hold, and its own leg', async () => {
  const { owner, id, campaign } = await buildReady({ content: abroad })
  expect(await server.ask('drafts.estimate', { as: owner, path: { id } })).toMatchObject({
    people: 6,
    parts: 5,
    missing: 1,
    pricePerPart: 0.125,
    cost: 6.5,
    prices: [
      { country: 'IN', people: 3, parts: 3, price: 0.125, cost: 0.375 },
      { country: 'US', people: 1, parts: 1, price: 6, cost: 6 },
      { country: 'GB', people: 1, parts: 1, price: 0.125, cost: 0.125 },
    ],
  })
  expect(campaign.stats.total).toBe(6)
  const previewCost = async (seq: string) => {
    return (await server.ask('drafts.preview', { as: owner, path: { id, seq } })).cost
  }
  expect([await previewCost('2'), await previewCost('3'), await previewCost('5')]).toEqual([0.125, 6, 0.125])

  expect(await server.call('smsCampaigns.start', { as: owner, path: { id } })).toMatchObject({ status: 200 })
  expect((await balanceOf(owner)).held).toBe(65_000)
  const { legs, chunks } = await asSystem(server.database, async (db) => ({
    legs: await db
      .selectFrom('campaign_legs')
      .select(['leg', 'country', 'lo', 'hi', 'price', 'estimated'])
      .where('campaign_id', '=', id)
      .orderBy('leg')
      .execute(),
    chunks: await db
      .selectFrom('chunks')
      .select(['leg', 'chunk_no', 'lo', 'hi', 'watermark', 'recorded'])
      .where('campaign_id', '=', id)
      .orderBy('leg')
      .execute(),
  }))
  expect(legs).toEqual([
    { leg: 0, country: 'IN', lo: 0, hi: 3, price: 1250, estimated: 3750 },
    { leg: 1, country: 'US', lo: 3, hi: 5, price: 60_000, estimated: 60_000 },
    { leg: 2, country: 'GB', lo: 5, hi: 6, price: 1250, estimated: 1250 },
  ])
  expect(chunks).toEqual(legs.map(({ leg, lo, hi }) => ({ leg, chunk_no: 0, lo, hi, watermark: lo, recorded: lo })))
})

test('recipients of one country have a single leg', async () => {
  const { id } = await buildReady()
  const legs = await asSystem(server.database, (db) =>
    db.selectFrom('campaign_legs').select(['leg', 'country', 'lo', 'hi']).where('campaign_id', '=', id).execute(),
  )
  expect(legs).toEqual([{ leg: 0, country: 'IN', lo: null, hi: null }])
})

test.each([
  [['IN'], 'India'],
  [['IN', '001'], 'India and international numbers'],
  [['IN', 'US', 'GB', 'AE', 'SG', 'NP'], 'India, United States, United Kingdom, and 3 more countries'],
])('%j are named %s', (countries, words) => {
  expect(nameCountries(countries)).toBe(words)
})
