import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { demoPartner } from '@carillon/simulator/rbm/demo-agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { checkInvariants } from '../../../modules/balance/index.ts'
import { buildRcsMessages, orderReady, type RcsMessages } from '../../../testing/rcs-messages.ts'
import { until } from '../../../testing/until.ts'
import { connectSmsBehind, fileOfPeople } from '../../../testing/whatsapp-campaigns.ts'

const { botId, clientId, clientSecret, adminId, adminSecret } = demoPartner.dotgo

let fixtures: RcsMessages
let bot: RcsBot
let template: RcsTemplate

beforeAll(async () => {
  fixtures = await buildRcsMessages()
  bot = await connectBot()
  template = await approve({ ...orderReady, name: 'order_ready_vi' })
}, 60_000)
afterAll(() => fixtures.close())

const asAdmin = () => fixtures.server.as(fixtures.admin).ask
const config = (more: object = {}) => ({
  serverUrl: fixtures.simulator.rbm.dotgoUrl,
  authUrl: `${fixtures.simulator.rbm.dotgoUrl}/token`,
  clientId,
  clientSecret,
  adminId,
  adminSecret,
  ...more,
})

/** A bot of the aggregator: the administrator enters its callback URL, and what operators decided, by hand. */
async function connectBot(): Promise<RcsBot> {
  const launched = { country: 'IN', carrier: 'Vi', state: 'launched', at: null } as const
  const { _id } = await asAdmin()('bots.create', {
    body: { organizationId: fixtures.manager.id, provider: 'dotgo', botId, ratePerSecond: 500, config: config() },
  })
  const { callbackUrl, isRegistered } = await asAdmin()('bots.registerWebhook', { path: { id: _id } })
  expect(isRegistered).toBe(false)
  await fixtures.simulator.rbm.control.setWebhook({ agentId: botId, url: callbackUrl })
  await asAdmin()('bots.update', { body: { id: _id, verification: 'verified', launches: [launched] } })
  return fixtures.ask('bots.setStatus', { body: { botId, botStatus: 'active' } })
}

/** Submits a template and waits for the operator's decision. */
async function approve(body: object): Promise<RcsTemplate> {
  const { _id, status } = await fixtures.ask('rcsTemplates.create', { body: { ...orderReady, ...body, botId } })
  expect(status).toBe('PENDING')
  await until(async () => {
    await fixtures.ask('rcsTemplates.sync', { body: { botId } })
    return (await fixtures.ask('rcsTemplates.get', { path: { id: _id } })).status !== 'PENDING'
  }, 'the review')
  return fixtures.ask('rcsTemplates.get', { path: { id: _id } })
}

const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })

async function send(phones: readonly string[], more: object = {}): Promise<string> {
  const { _id } = await fixtures.ask('rcsCampaigns.create', {
    body: {
      campaignName: `Vi ${newId().slice(-6)}`,
      botId,
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

const phone = (index: number, ending: string) => `+9198${String(index).padStart(4, '0')}${ending}`
const textsOf = (number: string, channel: string) =>
  (fixtures.simulator.handset.find(number.slice(1))?.messages ?? [])
    .filter((message) => message.channel === channel && message.direction === 'received')
    .map(({ text }) => text)

test('a reviewed template is sent by its name with the values of each person, and read once delivered', async () => {
  expect(bot).toMatchObject({ isManaged: false, isActive: true, verification: 'verified' })
  expect(template).toMatchObject({ status: 'APPROVED', isReviewed: true, botId })
  const id = await send(Array.from({ length: 20 }, (_, index) => phone(index, '1200')))
  await until(async () => (await get(id)).stats.read === 20, 'reading')
  expect(textsOf(phone(3, '1200'), 'rcs')).toEqual(['Hello Person 3, your order is ready.'])
  const { messages } = fixtures.simulator.rbm.control.listMessages({
    since: 0,
    limit: 100,
    number: phone(3, '1200'),
    agentId: botId,
  })
  expect(messages).toMatchObject([{ templateCode: 'order_ready_vi', timesShown: 1 }])
  expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
})

test('a phone without RCS and a message that the operator gives up get the SMS, others do not', async () => {
  const behind = await connectSmsBehind(fixtures, {
    name: 'order_ready_vi_sms',
    body: 'Your order is ready. -Acme Retail',
    variables: [],
  })
  const [absent, failed, reached] = [phone(100, '0404'), phone(101, '0007'), phone(102, '1200')]
  const id = await send([absent, failed, reached], {
    smsFailover: true,
    smsFailoverConditions: [{ type: 'not_reachable_on_channel' }, { type: 'failed' }],
    smsTemplate: behind.smsTemplate._id,
    smsAccountId: behind.smsAccount._id,
  })
  // The simulated SMSC holds back messages to the number that failed.
  await until(async () => (await get(id)).failover?.entered === 2, 'both failovers')
  await until(async () => textsOf(absent, 'sms').length > 0, 'the SMS')
  expect(textsOf(absent, 'sms')).toEqual(['Your order is ready. -Acme Retail'])
  expect((await get(id)).failover?.reasons).toEqual([
    { title: 'Not reachable by RCS', count: 1 },
    { title: expect.stringContaining('too busy'), count: 1 },
  ])
  expect(textsOf(reached, 'sms')).toEqual([])
})

test('a template for Google is refused by a bot whose operator reviews templates', async () => {
  const plain = await fixtures.ask('rcsTemplates.create', { body: { ...orderReady, name: 'plain' } })
  const { templates } = await fixtures.ask('rcsTemplates.list', { query: { botId } })
  expect(templates.map(({ name }) => name)).not.toContain(plain.name)
  const { _id } = await fixtures.ask('rcsCampaigns.create', {
    body: { campaignName: 'Plain', botId, templateId: plain._id, variables: [{ fallback: 'you' }] },
    files: fileOfPeople([phone(300, '1200')]),
  })
  await until(async () => (await get(_id)).status !== 'validating', 'validation')
  expect(await get(_id)).toMatchObject({ status: 'failed', statusDetail: expect.stringMatching(/template/i) })
})

test('a template that the operator suspends pauses its campaigns, which resume with its approval', async () => {
  const { _id } = await approve({ name: 'order_suspended' })
  await asAdmin()('bots.update', { body: { id: bot._id, ratePerSecond: 5 } })
  const phones = Array.from({ length: 40 }, (_, index) => phone(500 + index, '1200'))
  const id = await send(phones, { templateId: _id })
  await until(async () => (await get(id)).stats.submitted >= 3, 'the first messages')
  const decide = async (status: string) => {
    fixtures.simulator.rbm.control.changeTemplate('order_suspended', { status })
    await fixtures.ask('rcsTemplates.sync', { body: { botId } })
  }
  await decide('suspended')
  await until(async () => (await get(id)).status === 'paused', 'the pause')
  expect(await get(id)).toMatchObject({
    pauseReason: 'template_paused',
    statusDetail: expect.stringContaining('withdrew the approval'),
  })
  await decide('approved')
  await asAdmin()('bots.update', { body: { id: bot._id, ratePerSecond: 500 } })
  // Messages refused before the pause are sent again as well.
  await until(async () => (await get(id)).stats.read === 40, 'the rest', 90_000)
  expect(new Set(phones.map((number) => textsOf(number, 'rcs').length))).toEqual(new Set([1]))
}, 150_000)

test('refused credentials pause the campaigns; new ones resume them, and each message is sent once', async () => {
  await asAdmin()('bots.update', { body: { id: bot._id, config: config({ clientSecret: 'wrong' }) } })
  const id = await send([phone(400, '1200')])
  await until(async () => (await get(id)).status === 'paused', 'the pause')
  expect(await get(id)).toMatchObject({ pauseReason: 'channel_disconnected' })
  await asAdmin()('bots.update', { body: { id: bot._id, config: config() } })
  await until(async () => (await get(id)).stats.read === 1, 'the message after the repair', 90_000)
  expect(textsOf(phone(400, '1200'), 'rcs')).toHaveLength(1)
}, 150_000)
