import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { checkInvariants, getBalance, toUnits } from '../../../modules/balance/index.ts'
import { assertListed } from '../../../testing/listed-recipients.ts'
import { buildRcsMessages, orderReady, type RcsMessages } from '../../../testing/rcs-messages.ts'
import { until } from '../../../testing/until.ts'
import { connectSmsBehind, fileOfPeople } from '../../../testing/whatsapp-campaigns.ts'

let fixtures: RcsMessages
let template: RcsTemplate
let behind: Awaited<ReturnType<typeof connectSmsBehind>>

beforeAll(async () => {
  fixtures = await buildRcsMessages()
  template = await fixtures.ask('rcsTemplates.create', { body: orderReady })
  behind = await connectSmsBehind(fixtures, { name: 'order_ready_sms', body: 'Your order is ready.', variables: [] })
}, 60_000)
afterAll(async () => {
  expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
  await fixtures.close()
})
beforeEach(() => void fixtures.simulator.rbm.control.set({ reachShare: 1, batchGetLeast: 1 }))

/** The last four digits 0404: no RCS. */
const phone = (index: number, ending = '1200') => `+9198${String(index).padStart(4, '0')}${ending}`
const phones = (from: number, count: number, ending?: string) =>
  Array.from({ length: count }, (_, index) => phone(from + index, ending))
const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })
const available = async () =>
  (
    await asSystem(fixtures.server.database, (db) =>
      getBalance(db, { organizationId: fixtures.manager.organizationId }),
    )
  ).available

const toSms = (...types: string[]) => ({
  smsFailover: true,
  smsFailoverConditions: types.map((type) => ({ type })),
  smsTemplate: behind.smsTemplate._id,
  smsAccountId: behind.smsAccount._id,
})

type More = { files?: ReturnType<typeof fileOfPeople>; [field: string]: unknown }

async function validate(numbers: readonly string[], { files, ...more }: More = {}): Promise<CampaignDetail> {
  const { _id } = await fixtures.ask('rcsCampaigns.create', {
    body: {
      campaignName: `Orders ${newId().slice(-6)}`,
      botId: fixtures.botId,
      templateId: template._id,
      variables: [{ column: 1, fallback: '' }],
      ...more,
    },
    files: files ?? fileOfPeople(numbers),
  })
  await until(async () => (await get(_id)).status !== 'validating', 'validation')
  const campaign = await get(_id)
  expect(campaign).toMatchObject({ status: 'ready' })
  await assertListed(fixtures, campaign)
  return campaign
}

async function send({ _id: id }: CampaignDetail): Promise<CampaignDetail> {
  await fixtures.ask('campaigns.start', { path: { id }, body: {} })
  await until(async () => (await get(id)).status === 'completed', 'the end')
  await until(async () => (await get(id)).stats.sent === 0, 'every report')
  const sent = await get(id)
  await assertListed(fixtures, sent)
  return sent
}

const unitsOf = (amounts: readonly number[]) => amounts.reduce((sum, rupees) => sum + toUnits(rupees), 0)

/** The answers about an audience are from yesterday. */
const ageAnswers = async ({ audienceId }: CampaignDetail) => {
  const { systemPool } = fixtures.server.database
  await systemPool.query(`update reach_batches set checked_at = now() - interval '25 hours' where audience_id = $1`, [
    audienceId,
  ])
  await systemPool.query(`update reach_checks set finished_at = now() - interval '25 hours' where audience_id = $1`, [
    audienceId,
  ])
}

test('the review’s split and cost are found in the report, and the legs add up to the charge', async () => {
  const before = await available()
  const ready = await validate([...phones(0, 10), ...phones(0, 5, '0404')], toSms('not_reachable_on_channel'))
  expect(ready.legs).toMatchObject([
    { leg: 0, channel: 'rcs', starters: 10, expectedPeople: 10, expectedDelivered: 10, basis: 'reach', sent: 0 },
    { leg: 1, channel: 'sms', starters: 5, expectedPeople: 5, expectedDelivered: 5, basis: 'assumed', sent: 0 },
  ])
  const sent = await send(ready)
  expect(sent.legs).toMatchObject([
    { starters: 10, entered: 0, sent: 10, delivered: 10 },
    { starters: 5, entered: 0, sent: 5, delivered: 5 },
  ])
  expect(sent.both).toBe(0)
  const { legs, expected, stats } = sent
  expect(legs.map(({ cost }) => cost)).toEqual(legs.map(({ expectedCost }) => expectedCost))
  expect(unitsOf(legs.map(({ cost }) => cost))).toBe(toUnits(stats.cost) - toUnits(stats.refunded))
  expect(unitsOf(legs.map(({ cost }) => cost))).toBe(before - (await available()))
  expect(toUnits(expected?.range.expected ?? 0)).toBe(before - (await available()))
  expect(legs.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(stats.delivered + stats.read)
})

test('the file names the channel of the message that a row is about', async () => {
  const read = async (id: string) => {
    const { server, manager } = fixtures
    const { text } = await server.call('reports.campaignNumbers', { as: manager, path: { id } })
    const [header, ...rows] = text
      .replace('\ufeff', '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    const columns = ['Channel', 'Status'].map((name) => header?.indexOf(name) ?? -1)
    return rows.map((cells) => columns.map((column) => cells[column]).join(' '))
  }
  const ready = await validate([...phones(50, 2), ...phones(50, 1, '0404')], toSms('not_reachable_on_channel'))
  expect(await read(ready._id)).toEqual(['RCS Queued', 'RCS Queued', 'SMS Queued'])
  await send(ready)
  expect(await read(ready._id)).toEqual(
    ['RCS Delivered', 'RCS Delivered', 'SMS Delivered'].map(
      (row) => expect.stringMatching(row.replace('Delivered', '(Delivered|Read)')) as string,
    ),
  )
})

test('answers older than a day are asked for again at the start: who lost RCS gets the SMS', async () => {
  const numbers = [...phones(100, 6), ...phones(100, 2, '0404')]
  const ready = await validate(numbers, toSms('not_reachable_on_channel'))
  await ageAnswers(ready)
  const lost = [phone(101), phone(104)]
  for (const number of lost) fixtures.simulator.rbm.control.people.change(number, { isRcs: false })
  const sent = await send(ready)
  expect(sent.legs).toMatchObject([
    { starters: 4, sent: 4, delivered: 4, expectedPeople: 6 },
    { starters: 2, entered: 2, sent: 4, delivered: 4 },
  ])
  expect(sent.stats).toMatchObject({ total: 8, failed: 0, skipped: 0 })
  expect(sent.held).toBe(0)
})

test('without another leg, those who lost RCS get nothing, and nothing is charged for them', async () => {
  const before = await available()
  const ready = await validate(phones(200, 3))
  await ageAnswers(ready)
  fixtures.simulator.rbm.control.people.change(phone(200), { isRcs: false })
  const sent = await send(ready)
  expect(sent.stats).toMatchObject({ total: 3, skipped: 1 })
  expect(sent.failures).toMatchObject([{ reason: 'number_unreachable', count: 1 }])
  expect(sent.legs).toMatchObject([{ starters: 2, delivered: 2 }])
  expect(toUnits(sent.legs[0]?.cost ?? 0)).toBe(before - (await available()))
})

test('recent answers are used as they are', async () => {
  const ready = await validate(phones(300, 2), toSms('not_reachable_on_channel'))
  await fixtures.ask('campaigns.start', { path: { id: ready._id }, body: {} })
  const { rows } = await fixtures.server.database.systemPool.query('select awaits_reach from campaigns where id = $1', [
    ready._id,
  ])
  expect(rows).toEqual([{ awaits_reach: false }])
})

test('a campaign that reaches no one over RCS goes by SMS as a whole; without SMS it ends at no cost', async () => {
  fixtures.simulator.rbm.control.set({ reachShare: 0 })
  const bySms = await send(await validate(phones(400, 4), toSms('not_reachable_on_channel')))
  expect(bySms.legs).toMatchObject([
    { starters: 0, sent: 0, cost: 0 },
    { starters: 4, sent: 4, delivered: 4 },
  ])
  const ready = await validate(phones(500, 4))
  expect(ready.expected).toMatchObject({ excluded: 4, range: { expected: 0 } })
  const alone = await send(ready)
  expect(alone.stats).toMatchObject({ skipped: 4, cost: 0 })
})

test('where the provider refuses so few numbers in one request, each is checked by itself', async () => {
  fixtures.simulator.rbm.control.set({ batchGetLeast: 500 })
  const sent = await send(
    await validate([...phones(900, 12), ...phones(900, 5, '0404')], toSms('not_reachable_on_channel')),
  )
  expect(sent.legs).toMatchObject([
    { starters: 12, basis: 'reach', sent: 12, delivered: 12 },
    { starters: 5, sent: 5, delivered: 5 },
  ])
  expect(sent.stats).toMatchObject({ failed: 0, skipped: 0 })
})

test('a person without a value for one message gets the next one, whatever its condition', async () => {
  const numbers = phones(950, 4)
  const rows = numbers.map((number, index) => `${number},${index % 2 === 0 ? `Person ${index}` : ''}`)
  const file = { name: 'people.csv', content: ['phone,name', ...rows, ''].join('\n') }
  const sent = await send(await validate(numbers, { files: { file }, ...toSms('not_reachable_on_channel') }))
  expect(sent.legs).toMatchObject([
    { starters: 2, sent: 2, delivered: 2 },
    { starters: 2, sent: 2, delivered: 2 },
  ])
  expect(sent.stats).toMatchObject({ total: 4, failed: 0, skipped: 0 })
  const channels = numbers.map((number) =>
    fixtures.simulator.handset.find(number.slice(1))?.messages.map(({ channel }) => channel),
  )
  expect(channels).toEqual([['rcs'], ['sms'], ['rcs'], ['sms']])
})

test('the bill lies within the range of the review at every moment, however the messages end', async () => {
  // No RCS, no connection, expiry, failures of either channel, refusals at first, and delivery.
  const endings = ['0404', '0001', '0003', '0007', '0006', '0429', '0503', '1200', '1200']
  const drawn = fc.sample(fc.constantFrom(...endings), 40)
  const numbers = drawn.map((ending, index) => phone(1000 + index, ending))
  const { _id: id, expected } = await validate(numbers, toSms('not_reachable_on_channel', 'failed'))
  const { minimum, maximum } = expected?.range ?? { minimum: -1, maximum: -1 }
  await fixtures.ask('campaigns.start', { path: { id }, body: {} })
  const check = async () => {
    const campaign = await get(id)
    const bill = toUnits(campaign.stats.cost) - toUnits(campaign.stats.refunded)
    expect(bill).toBeGreaterThanOrEqual(toUnits(minimum))
    expect(bill).toBeLessThanOrEqual(toUnits(maximum))
    return campaign
  }
  await until(async () => (await check()).stats.queued === 0, 'every first message')
  // Phones without a connection would keep it open for days.
  await fixtures.ask('campaigns.discard', { path: { id } })
  await until(async () => (await check()).held === 0, 'the rest of the hold')
})

test('with enough messages, the share delivered follows from the last ones', async () => {
  // Of ten phones one has no connection, so its message stays undelivered.
  const first = await validate([...phones(600, 108), ...phones(600, 12, '0001')])
  await fixtures.ask('campaigns.start', { path: { id: first._id }, body: {} })
  await until(async () => {
    const { status, stats } = await get(first._id)
    return status === 'completed' && stats.delivered + stats.read === 108
  }, 'the end')
  const { legs, expected } = await validate(phones(800, 100), toSms('failed'))
  // The messages of the tests before count as well.
  expect(legs[0]).toMatchObject({ basis: 'history', starters: 100 })
  expect(legs[0]?.expectedDelivered).toBeGreaterThan(85)
  expect(legs[0]?.expectedDelivered).toBeLessThan(95)
  // A message without a report stays charged.
  expect(expected?.range).toMatchObject({ expected: 30, maximum: 42.5 })
})
