import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { until } from '../../../testing/until.ts'
import {
  addSmsRate,
  buildApprovedTemplate,
  connectSmsBehind,
  fileOfPeople,
} from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'
import { checkInvariants } from '../../balance/index.ts'

let fixtures: WhatsappServer
let connection: Awaited<ReturnType<typeof connectWhatsapp>>
let template: WhatsappTemplate
let smsAccount: SmsAccount
let smsTemplate: SmsTemplate

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  connection = await connectWhatsapp(fixtures)
  await addSmsRate(fixtures)
  template = await buildApprovedTemplate(fixtures.ask, {
    waba_id: connection.waba_id,
    name: 'diwali_offer',
    category: 'MARKETING',
    components: {
      body: 'Hello {{1}}, our Diwali offers begin today at our store in Pune. Reply STOP to hear no more from us.',
      samples: [{ name: '1', sample: 'Asha' }],
    },
  })
  const behind = await connectSmsBehind(fixtures, {
    name: 'diwali_sms',
    body: 'Dear {#var#}, offers begin today. -Acme Retail',
    variables: [{ name: 'name', kind: 'var', sample: 'Asha' }],
  })
  smsAccount = behind.smsAccount
  smsTemplate = behind.smsTemplate
}, 60_000)
afterAll(() => fixtures.close())

const columns = [{ column: 1, fallback: '' }]
/** The last four digits decide: 0049 is over the marketing limit. */
const phone = (index: number, ending: string) => `+9198${String(index).padStart(4, '0')}${ending}`

async function start(phones: readonly string[], more: object = {}): Promise<string> {
  const { _id } = await fixtures.ask('waCampaigns.create', {
    body: {
      campaignName: `Diwali ${newId().slice(-6)}`,
      waba_id: connection.waba_id,
      phone_number_id: connection.lineId,
      message: { templateId: template._id, values: { body: columns } },
      ...more,
    },
    files: fileOfPeople(phones),
  })
  await until(async () => (await get(_id)).status === 'ready', 'validation')
  await fixtures.ask('waCampaigns.start', { path: { id: _id }, body: {} })
  return _id
}

const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })
const failover = (type: string) => ({
  smsFailover: true,
  smsFailoverConditions: [{ type }],
  smsTemplate: smsTemplate._id,
  smsAccountId: smsAccount._id,
  smsCustomParams: columns,
})

/** Moves times back, as if the days of the wait had passed and no window had to be kept. */
async function passDays(id: string) {
  const { ownerPool } = fixtures.server.database
  await ownerPool.query('update retries set due_at = now() where campaign_id = $1', [id])
  await ownerPool.query('update leg_watches set due_at = now() where campaign_id = $1', [id])
}

test('a person over the marketing limit is retried after one day, then after two, then fails; nothing is charged', async () => {
  const before = (await fixtures.ask('balance.get')).balance
  const id = await start([phone(1, '1100'), phone(2, '1100'), phone(3, '0049')])
  await until(async () => {
    const { stats, waiting } = await get(id)
    return waiting?.people === 1 && stats.delivered + stats.read === 2
  }, 'the wait')
  const detail = await get(id)
  expect(detail).toMatchObject({
    status: 'running',
    statusDetail: expect.stringMatching(
      /^1 waits: WhatsApp limits how many marketing messages a person gets; tried again from /,
    ),
    stats: { total: 3, queued: 1, failed: 0 },
    failures: [],
    held: 0.78,
  })
  for (const list of ['waCampaigns.list', 'campaigns.list'] as const) {
    const { body } = await fixtures.server.call(list, { as: fixtures.manager })
    const listed = expect.objectContaining({ _id: id, waiting: detail.waiting })
    expect(body).toMatchObject({ campaigns: expect.arrayContaining([listed]) })
  }
  const hours = (Date.parse(detail.waiting?.from ?? '') - Date.parse(detail.startedAt ?? '')) / 3_600_000
  expect(Math.round(hours)).toBe(24)

  await passDays(id)
  await until(
    async () => Date.parse((await get(id)).waiting?.from ?? '') > Date.now() + 40 * 3_600_000,
    'the second wait',
  )
  await passDays(id)
  await until(async () => (await get(id)).stats.failed === 1, 'the end')
  await until(async () => {
    await passDays(id)
    return (await get(id)).status === 'completed'
  }, 'completion')
  expect(await get(id)).toMatchObject({
    stats: { total: 3, queued: 0, failed: 1 },
    failures: [{ reason: 'user_marketing_cap', count: 1 }],
    held: 0,
  })
  const { balance } = await fixtures.ask('balance.get')
  expect(Number((before - balance).toFixed(4))).toBe(2 * 0.78)
  expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
}, 60_000)

test('where such people fail over to SMS, they do so at once, without a wait', async () => {
  const id = await start([phone(4, '1100'), phone(5, '0049')], failover('frequency_capped'))
  await until(async () => (await get(id)).failover?.delivered === 1, 'the SMS')
  expect((await get(id)).waiting).toBeUndefined()
})

test('where others fail over to SMS, they skip the wait', async () => {
  const id = await start([phone(6, '0026'), phone(7, '0049')], failover('not_reachable_on_channel'))
  await until(async () => {
    const { failover, waiting } = await get(id)
    return failover?.delivered === 1 && waiting?.people === 1
  }, 'one by SMS, one waiting')
  expect((await get(id)).failover).toMatchObject({ entered: 1, sent: 1, delivered: 1, both: 0 })
  await fixtures.ask('smsCampaigns.discard', { path: { id } })
  await until(async () => (await get(id)).held === 0, 'the rest of the money')
  expect(await get(id)).toMatchObject({ status: 'cancelled', stats: { cancelled: 1, queued: 0 } })
  expect((await get(id)).waiting).toBeUndefined()
})

test('a number that WhatsApp limits for complaints pauses its campaigns with a message; once resumed, everyone gets one message', async () => {
  const { control } = fixtures.simulator.graph
  control.changeNumber(connection.lineId, { status: 'RATE_LIMITED' })
  // Each rejection doubles the pause of the number.
  const phones = [phone(101, '1100'), phone(102, '1100')]
  const id = await start(phones)
  await until(async () => (await get(id)).status === 'paused', 'the pause')
  expect(await get(id)).toMatchObject({
    pauseReason: 'sender_limited',
    statusDetail: expect.stringContaining('WhatsApp limits this number'),
    stats: { failed: 0, submitted: 0 },
  })
  control.changeNumber(connection.lineId, { status: 'CONNECTED' })
  await fixtures.ask('campaigns.resume', { path: { id } })
  await until(async () => {
    await passDays(id)
    const { stats } = await get(id)
    return stats.delivered + stats.read === 2
  }, 'the rest')
  const got = phones.map((number) => fixtures.simulator.handset.find(number.slice(1))?.messages.length)
  expect(new Set(got)).toEqual(new Set([1]))
}, 60_000)

test('a number whose quality falls to red pauses its marketing campaigns, also waiting ones', async () => {
  const id = await start([phone(200, '0049')])
  await until(async () => (await get(id)).waiting?.people === 1, 'the wait')
  fixtures.simulator.graph.control.changeNumber(connection.lineId, { quality: 'RED', event: 'FLAGGED' })
  await until(async () => (await get(id)).status === 'paused', 'the pause')
  expect(await get(id)).toMatchObject({ pauseReason: 'sender_limited', waiting: { people: 1 } })
})
