import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { checkInvariants } from '../../../modules/balance/index.ts'
import { buildRcsMessages, orderReady, type RcsMessages } from '../../../testing/rcs-messages.ts'
import { until } from '../../../testing/until.ts'
import { connectSmsBehind, fileOfPeople } from '../../../testing/whatsapp-campaigns.ts'

let fixtures: RcsMessages
let template: RcsTemplate
let behind: Awaited<ReturnType<typeof connectSmsBehind>>

beforeAll(async () => {
  fixtures = await buildRcsMessages()
  template = await fixtures.ask('rcsTemplates.create', { body: orderReady })
  behind = await connectSmsBehind(fixtures, {
    name: 'order_ready_sms',
    body: 'Your order is ready. -Acme Retail',
    variables: [],
  })
}, 60_000)
afterAll(() => fixtures.close())

/** The last four digits decide: 0404 has no RCS, 0005 unsubscribes. */
const phone = (index: number, ending: string) => `+9198${String(index).padStart(4, '0')}${ending}`
const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })

async function send(phones: readonly string[], more: object = {}) {
  const { _id } = await fixtures.ask('rcsCampaigns.create', {
    body: {
      campaignName: `Orders ${newId().slice(-6)}`,
      botId: fixtures.botId,
      templateId: template._id,
      variables: [{ column: 1, fallback: '' }],
      ...more,
    },
    files: fileOfPeople(phones),
  })
  await until(async () => (await get(_id)).status !== 'validating', 'validation')
  expect(await get(_id)).toMatchObject({ status: 'ready' })
  await fixtures.ask('campaigns.start', { path: { id: _id }, body: {} })
  return _id
}
const failover = (type: string, more: object = {}) => ({
  smsFailover: true,
  smsFailoverConditions: [{ type, ...more }],
  smsTemplate: behind.smsTemplate._id,
  smsAccountId: behind.smsAccount._id,
})
const textsOn = (number: string, channel: string) =>
  (fixtures.simulator.handset.find(number.slice(1))?.messages ?? [])
    .filter((message) => message.channel === channel && message.direction === 'received')
    .map(({ text }) => text)

test('messages are rendered, delivered and read, and the bot filters the list by either of its ids', async () => {
  const phones = Array.from({ length: 30 }, (_, index) => phone(index, '1200'))
  const id = await send(phones)
  await until(async () => (await get(id)).stats.read === 30, 'reading')
  expect(textsOn(phone(3, '1200'), 'rcs')).toEqual(['Hello Person 3, your order is ready.'])
  for (const botId of [fixtures.botId, fixtures.senderId]) {
    const { body } = await fixtures.server.as(fixtures.manager).call('campaigns.list', { query: { botId } })
    expect(body).toMatchObject({ totalCampaigns: 1 })
  }
  const { body } = await fixtures.server.as(fixtures.manager).call('campaigns.list', { query: { botId: 'none' } })
  expect(body).toMatchObject({ totalCampaigns: 0 })
})

test('phones without RCS get the SMS, no one gets both, and the charges add up', async () => {
  const reached = Array.from({ length: 10 }, (_, index) => phone(100 + index, '1200'))
  const absent = Array.from({ length: 5 }, (_, index) => phone(100 + index, '0404'))
  const id = await send([...reached, ...absent], failover('not_reachable_on_channel'))
  await until(async () => {
    const { stats } = await get(id)
    return stats.delivered + stats.read === 15
  }, 'delivery over both channels')
  for (const number of absent) {
    expect(textsOn(number, 'rcs')).toEqual([])
    expect(textsOn(number, 'sms')).toEqual(['Your order is ready. -Acme Retail'])
  }
  for (const number of reached) expect(textsOn(number, 'sms')).toEqual([])
  expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
})

test('a person who unsubscribes is counted once, although the keyword and the event both arrive', async () => {
  const person = phone(200, '0005')
  await send([person])
  const { systemPool } = fixtures.server.database
  const rows = async (text: string) => (await systemPool.query(text, [person.slice(1)])).rows
  await until(async () => (await rows('select from opt_outs where phone = $1')).length === 1, 'the opt-out')
  await until(async () => {
    const kinds = `select distinct kind from provider_events where raws::text like '%' || $1 || '%'`
    const found = (await rows(kinds)).map(({ kind }) => kind)
    return found.includes('preference-change') && found.includes('inbound-message')
  }, 'the keyword and the event')
  // Deltas are added to the daily counters in the background.
  const counted = await systemPool.query(
    `select sum(opted_out)::int as count from (
      select opted_out from counter_deltas where channel = 'rcs'
      union all select opted_out from daily_counters where channel = 'rcs') counters`,
  )
  expect(counted.rows).toEqual([{ count: 1 }])
})

test('a test message shows one row, and a plain template is published at once', async () => {
  expect(template).toMatchObject({ status: 'APPROVED', isReviewed: false, botId: null })
  await expect(fixtures.ask('rcsTemplates.create', { body: orderReady })).rejects.toThrow(/name already exists/)
})
