import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { buildManager, buildReseller, type Account } from '../../../testing/builders.ts'
import type { Calls } from '../../../testing/server.ts'
import { assertListed } from '../../../testing/listed-recipients.ts'
import { until } from '../../../testing/until.ts'
import { buildApprovedTemplate, connectSmsBehind, fileOfPeople } from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'
import { issueTo } from '../../../testing/money.ts'
import { checkInvariants, getBalance } from '../../balance/index.ts'

/** The price of a message at each level, in ledger units: the second reseller sells SMS abroad and WhatsApp in India at a loss. */
const prices = {
  first: { whatsapp: { IN: 1000, US: 20_000 }, sms: { IN: 100, US: 5000 } },
  second: { whatsapp: { IN: 1100, US: 21_000 }, sms: { IN: 130, US: 5200 } },
  third: { whatsapp: { IN: 1050, US: 24_000 }, sms: { IN: 150, US: 5100 } },
  shop: { whatsapp: { IN: 1200, US: 26_000 }, sms: { IN: 200, US: 6000 } },
}
type Level = keyof typeof prices
const levels = Object.keys(prices) as Level[]

let fixtures: WhatsappServer
let accounts: Record<Level, Account>
let connection: Awaited<ReturnType<typeof connectWhatsapp>>
let templates: Record<'UTILITY' | 'MARKETING', WhatsappTemplate>
let smsAccount: SmsAccount
let smsTemplate: SmsTemplate

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  const { admin, server } = fixtures
  const first = await buildReseller(server.database, { parent: admin })
  const second = await buildReseller(server.database, { parent: first })
  const third = await buildReseller(server.database, { parent: second })
  accounts = { first, second, third, shop: await buildManager(server.database, { parent: third }) }
  await giveRates()
  await fund(accounts.shop, 10_000_000)
  await fund(accounts.second, 10_000)
  connection = await connectWhatsapp(fixtures, accounts.shop)
  templates = { UTILITY: await buildTemplate('UTILITY'), MARKETING: await buildTemplate('MARKETING') }
  const behind = await connectSmsBehind(
    { simulator: fixtures.simulator, ask },
    {
      name: 'order_ready_sms',
      body: 'Dear {#var#}, your order is ready. -Acme Retail',
      variables: [{ name: 'name', kind: 'var', sample: 'Asha' }],
    },
  )
  smsAccount = behind.smsAccount
  smsTemplate = behind.smsTemplate
}, 60_000)
afterEach(async () => expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([]))
afterAll(() => fixtures.close())

const ask: Calls['ask'] = (name, ...options) => fixtures.server.as(accounts.shop).ask(name, ...options)

/** The first reseller's own card has the same prices as the admin's. */
async function giveRates() {
  await asSystem(fixtures.server.database, async (db) => {
    await db.deleteFrom('rates').execute()
    for (const level of levels) {
      const { organizationId: organization_id } = accounts[level]
      const card = newId()
      await db.insertInto('rate_cards').values({ organization_id, id: card, name: 'Card' }).execute()
      for (const channel of ['whatsapp', 'sms'] as const)
        for (const country of ['IN', 'US'] as const)
          await db
            .insertInto('rates')
            .values({
              organization_id,
              rate_card_id: card,
              channel,
              country,
              price: prices[level][channel][country],
              billable_on: channel === 'sms' ? 'sent' : 'delivered',
            })
            .execute()
    }
  })
}

const fund = (account: Account, units: number) =>
  issueTo(fixtures.server.database, { admin: fixtures.admin, account, units })

function buildTemplate(category: 'UTILITY' | 'MARKETING'): Promise<WhatsappTemplate> {
  const components = {
    body: `Hello {{1}}, your ${category === 'UTILITY' ? 'order' : 'offer'} waits for you at our store. Reply STOP to hear no more.`,
    samples: [{ name: '1', sample: 'Asha' }],
  }
  const name = `order_${category.toLowerCase()}`
  return buildApprovedTemplate(ask, { waba_id: connection.waba_id, name, category, components })
}

const columns = [{ column: 1, fallback: '' }]
/** The last four digits decide: 0026 is not on WhatsApp. */
const indian = (index: number, ending: string) => `+919800${10 + index}${ending}`
const american = (index: number, ending: string) => `+1415${200 + index}${ending}`

type Wanted = { phones: readonly string[]; category?: keyof typeof templates; to: RegExp }

async function create({ phones, category = 'UTILITY', to }: Wanted): Promise<CampaignDetail> {
  const campaign = await ask('waCampaigns.create', {
    body: {
      campaignName: `Orders ${newId().slice(-6)}`,
      waba_id: connection.waba_id,
      phone_number_id: connection.lineId,
      message: { templateId: templates[category]._id, values: { body: columns } },
      smsFailover: true,
      smsFailoverConditions: [{ type: 'not_reachable_on_channel' }],
      smsTemplate: smsTemplate._id,
      smsAccountId: smsAccount._id,
      smsCustomParams: columns,
    },
    files: fileOfPeople(phones),
  })
  await until(async () => to.test((await get(campaign._id)).status), 'validation')
  return get(campaign._id)
}
const get = (id: string) => ask('campaigns.get', { path: { id } })

async function posted(): Promise<Record<Level, number>> {
  const read = async (level: Level) => {
    const { organizationId, id: accountId } = accounts[level]
    const { posted: units } = await asSystem(fixtures.server.database, (db) =>
      getBalance(db, { organizationId, accountId }),
    )
    return [level, units]
  }
  return Object.fromEntries(await Promise.all(levels.map(read))) as Record<Level, number>
}

/** Alternating home and abroad, like the file of a shop with customers in both. */
function mixed() {
  const reached = Array.from({ length: 6 }, (_, index) => [indian(index, '1200'), american(index, '1200')])
  const absent = Array.from({ length: 2 }, (_, index) => [american(index, '0026'), indian(index, '0026')])
  return [...reached, ...absent].flat().slice(0, -1)
}

const sent = { whatsapp: { IN: 6, US: 6 }, sms: { IN: 1, US: 2 } }

/** The cost of all messages at these prices. */
function total(level: Level): number {
  const { whatsapp, sms } = prices[level]
  return sent.whatsapp.IN * whatsapp.IN + sent.whatsapp.US * whatsapp.US + sent.sms.IN * sms.IN + sent.sms.US * sms.US
}

test('a campaign to two countries and its failover charge every account above its own price per country', async () => {
  const before = await posted()
  const campaign = await create({ phones: mixed(), to: /ready/ })
  expect(await ask('drafts.estimate', { path: { id: campaign._id } })).toMatchObject({
    people: 15,
    cost: Number((7 * 0.12 + 8 * 2.6 + 7 * 0.02 + 8 * 0.6).toFixed(4)),
    prices: [
      { country: 'US', people: 8, price: 2.6, cost: 20.8 },
      { country: 'IN', people: 7, price: 0.12, cost: 0.84 },
    ],
    legs: [
      { channel: 'whatsapp', prices: [{ country: 'US' }, { country: 'IN' }] },
      {
        channel: 'sms',
        prices: [
          { country: 'US', people: 8, price: 0.6, cost: 4.8 },
          { country: 'IN', people: 7, price: 0.02, cost: 0.14 },
        ],
      },
    ],
  })
  await ask('waCampaigns.start', { path: { id: campaign._id }, body: {} })
  await until(async () => {
    const { stats, failover } = await get(campaign._id)
    return stats.delivered + stats.read === 15 && failover?.delivered === 3
  }, 'delivery on both channels')
  expect(await get(campaign._id)).toMatchObject({
    failover: { entered: 3, sent: 3, delivered: 3, both: 0 },
    stats: { total: 15, submitted: 15, failed: 0, queued: 0 },
  })
  // Each channel has a leg for each country.
  await assertListed({ ask, server: fixtures.server, manager: accounts.shop }, await get(campaign._id))
  const text = (number: string) => fixtures.simulator.handset.find(number.slice(1))?.messages.at(-1)?.text
  expect(text(american(1, '0026'))).toMatch(/^Dear Person \d+, your order is ready/)
  expect(text(american(4, '1200'))).toMatch(/^Hello Person 9, your order/)

  await expect
    .poll(
      async () => {
        const after = await posted()
        return Object.fromEntries(levels.map((level) => [level, after[level] - before[level]]))
      },
      { timeout: 20_000 },
    )
    .toEqual({
      shop: -total('shop'),
      third: total('shop') - total('third'),
      second: total('third') - total('second'),
      first: total('second') - total('first'),
    })
}, 60_000)

test("waits and failovers stay in the legs of the recipient's country", async () => {
  const campaign = await create({ phones: mixed(), category: 'MARKETING', to: /ready/ })
  const legs = await asSystem(fixtures.server.database, (db) =>
    db
      .selectFrom('campaign_legs')
      .select(['leg', 'channel', 'country', 'lo', 'hi', 'enter_delay_seconds', 'price'])
      .where('campaign_id', '=', campaign._id)
      .orderBy('leg')
      .execute(),
  )
  const [america, india] = [
    { country: 'US', lo: 0, hi: 8 },
    { country: 'IN', lo: 8, hi: 15 },
  ]
  const on = (channel: 'whatsapp' | 'sms', price: number, hours = 0) => ({
    channel,
    price,
    enter_delay_seconds: hours * 3600,
  })
  expect(legs).toEqual([
    { leg: 0, ...america, ...on('whatsapp', 26_000) },
    { leg: 1, ...india, ...on('whatsapp', 1200) },
    { leg: 2, ...america, ...on('whatsapp', 26_000, 24) },
    { leg: 3, ...america, ...on('whatsapp', 26_000, 48) },
    { leg: 4, ...india, ...on('whatsapp', 1200, 24) },
    { leg: 5, ...india, ...on('whatsapp', 1200, 48) },
    { leg: 6, ...america, ...on('sms', 6000) },
    { leg: 7, ...india, ...on('sms', 200) },
  ])
  const { rows } = await fixtures.server.database.ownerPool.query<{ hours: number }>(
    `select extract(epoch from campaign_end(organization_id, id) - now())::float8 / 3600 as hours from campaigns where id = $1`,
    [campaign._id],
  )
  expect(Math.round(rows[0]?.hours ?? 0)).toBe(72 + 72)
}, 60_000)

test('a country without a price is named before anything is sent', async () => {
  const campaign = await create({ phones: [...mixed(), '+447400123456', '+97142345678'], to: /failed/ })
  expect(campaign.statusDetail).toContain('no price for WhatsApp utility to United Kingdom and United Arab Emirates')
  expect(campaign.statusDetail).toContain('no price for SMS to United Kingdom and United Arab Emirates')
})
