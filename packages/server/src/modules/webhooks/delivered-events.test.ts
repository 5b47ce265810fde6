import { WebhookEventType, webhookData, type DeliveredType } from '@carillon/contract/webhook-records'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DeliveryReport } from '../../channels/provider.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildDepartmentHead, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { issueTo } from '../../testing/money.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { notifyLowBalances } from '../balance/index.ts'
import { buildLine, chatOf, receive, reply, type Line } from '../conversations/test-inbox.ts'
import { writeClicks } from '../links/write-clicks.ts'
import { applyProviderEvents } from '../messages/index.ts'
import { accept, buildCampaign, buildSender, fakeProvider, startTestSender } from '../messages/test-lane.ts'
import { createEndpoint, startReceiver, type ReceivedWebhook, type Receiver } from '../../testing/webhook-receiver.ts'

let server: TestServer
let receiver: Receiver
let admin: Account
let manager: Account
let head: Account
let user: Account
let colleague: Account
let line: Line

beforeAll(async () => {
  receiver = await startReceiver()
  const environment = { EGRESS_ALLOW: `127.0.0.1:${receiver.port}` }
  server = await testServer({ environment, flags: ['--run=web,worker'] })
  admin = await buildAdmin(server.database)
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})
beforeEach(async () => {
  receiver.reset()
  manager = await buildManager(server.database, { parent: admin })
  head = await buildDepartmentHead(server.database, { parent: manager })
  user = await buildUser(server.database, { parent: head })
  colleague = await buildUser(server.database, { parent: manager })
  line = await buildLine(server.database, manager, 'sms')
  const types = [...WebhookEventType.options]
  for (const [path, as] of Object.entries({ manager, head, user, colleague }))
    await createEndpoint(server, as, { url: receiver.url(`/${manager.id}/${path}`), types })
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows

/** What an endpoint got of these types, once there are as many. */
async function got(path: string, count: number, ...types: DeliveredType[]): Promise<ReceivedWebhook[]> {
  const found = () =>
    receiver.received.filter((one) => one.path === `/${manager.id}/${path}` && (types as string[]).includes(one.type))
  await expect.poll(() => found().length, { timeout: 15_000 }).toBe(count)
  return found()
}

/** The data of a webhook, which has the fields of its type and no others. */
function dataOf({ type, data }: ReceivedWebhook): Record<string, unknown> {
  expect(webhookData[type as DeliveredType].parse(data)).toEqual(data)
  return data
}

const report = (id: string, more: Partial<DeliveryReport>): DeliveryReport & { raw: string } => ({
  kind: 'delivery-report',
  providerMessageIds: [id],
  status: 'delivered',
  at: new Date(),
  raw: 'report',
  ...more,
})

async function sendCampaign(owner: Account, total: number) {
  const senderId = await buildSender(server.database, manager)
  const campaignId = await buildCampaign(server.database, { owner, senderId, total, chunkSize: total })
  const fake = fakeProvider()
  fake.answer = (message) => accept(message)
  const sender = await startTestSender({ ...server, url: server.databaseUrl }, { provider: fake })
  await expect
    .poll(async () => (await query('select from messages where campaign_id = $1', [campaignId])).length, {
      timeout: 15_000,
    })
    .toBe(total)
  await sender.stop()
  const sent = await query<{ seq: number; phone: number; id: string }>(
    'select seq, phone, provider_message_id as id from messages where campaign_id = $1 order by seq',
    [campaignId],
  )
  const key = { organizationId: manager.organizationId, senderId }
  return {
    campaignId,
    sent,
    apply: (...reports: DeliveryReport[]) =>
      applyProviderEvents(
        server.database.systemPool,
        key,
        reports.map((one) => ({ ...one, raw: 'x' })),
      ),
  }
}

test('messages of a campaign, to those who see the campaign', async () => {
  const { campaignId, sent, apply } = await sendCampaign(user, 4)
  const [first, second, third] = sent
  if (!first || !second || !third) throw new Error('Nothing was sent')
  await got('user', 4, 'message.sent')
  await apply(
    report(first.id, {}),
    report(second.id, { status: 'failed', reason: 'number_unreachable', code: '27' }),
    report(third.id, { status: 'failed', reason: 'expired', code: 'EXPIRED' }),
  )
  await apply(report(first.id, { status: 'read' }))
  const types = ['message.sent', 'message.delivered', 'message.read', 'message.failed', 'message.expired'] as const
  const webhooks = await got('user', 8, ...types)
  const data = webhooks.map(dataOf)
  expect(data.filter(({ status }) => status === 'sent')).toHaveLength(4)
  expect(webhooks.find(({ type }) => type === 'message.delivered')?.data).toEqual({
    id: `${campaignId}.1.${first.seq}`,
    kind: 'campaign',
    channel: 'sms',
    to: `+${first.phone}`,
    from: 'ACMEIN',
    sender: { id: expect.any(String), name: expect.any(String) },
    status: 'delivered',
    parts: 1,
    cost: 0.1,
    campaign: { id: campaignId, name: 'Test campaign', position: first.seq },
    sentAt: expect.any(String),
    deliveredAt: expect.any(String),
  })
  expect(webhooks.find(({ type }) => type === 'message.read')?.data).toMatchObject({ readAt: expect.any(String) })
  expect(webhooks.find(({ type }) => type === 'message.failed')?.data).toMatchObject({
    to: `+${second.phone}`,
    reason: 'number_unreachable',
    code: '27',
  })
  expect(webhooks.find(({ type }) => type === 'message.expired')?.data).toMatchObject({ to: `+${third.phone}` })
  // The accounts above see it, another user does not.
  for (const path of ['head', 'manager']) await got(path, 8, ...types)
  await got('colleague', 0, ...types)
  const started = await got('manager', 1, 'campaign.started')
  expect(started.map(dataOf)).toMatchObject([{ id: campaignId, status: 'running', total: 4 }])
  await got('colleague', 0, 'campaign.started', 'campaign.completed')
})

test('the first click of each recipient, once, to those who see the campaign', async () => {
  const { campaignId, sent, apply } = await sendCampaign(user, 3)
  const [first, second] = sent
  if (!first || !second) throw new Error('Nothing was sent')
  await apply(report(first.id, { status: 'read' }))
  const links = await query<{ number: number }>(
    `insert into campaign_links (organization_id, campaign_id, leg, position, variable, host, url)
     select organization_id, campaign_id, draft_leg, place, 'value' || place, 'go.shop.example', 'https://shop.example/' || place
     from campaign_legs, generate_series(1, 2) place where campaign_id = $1 order by place returning number`,
    [campaignId],
  )
  const [sale, terms] = links.map(({ number }) => number)
  const at = new Date(Date.now() + 60_000)
  const click = ({ seq }: { seq: number }, number = 0, isPreview = false) =>
    ({ number, seq, at, isPreview, device: 'android' }) as const
  await writeClicks(server.database, [click(first, sale), click(first, terms), click(first, sale)])
  await writeClicks(server.database, [click(first, terms), click(second, terms), click(second, sale, true)])
  const webhooks = await got('user', 2, 'message.clicked')
  expect(webhooks.map(dataOf)).toMatchObject([
    {
      id: `${campaignId}.1.${first.seq}`,
      to: `+${first.phone}`,
      channel: 'sms',
      status: 'read',
      campaign: { id: campaignId, name: 'Test campaign', position: first.seq },
      sentAt: expect.any(String),
      readAt: expect.any(String),
      link: { variable: 'value1', url: 'https://shop.example/1' },
      clickedAt: at.toISOString(),
    },
    {
      id: `${campaignId}.1.${second.seq}`,
      status: 'sent',
      link: { variable: 'value2', url: 'https://shop.example/2' },
    },
  ])
  for (const path of ['head', 'manager']) await got(path, 2, 'message.clicked')
  await got('colleague', 0, 'message.clicked')
})

test('clicks are not queued without a subscriber', async () => {
  const { campaignId } = await sendCampaign(user, 1)
  await query('delete from event_subscriptions where organization_id = $1', [manager.organizationId])
  const [link] = await query<{ number: number }>(
    `insert into campaign_links (organization_id, campaign_id, leg, position, variable, host, url)
     values ($1, $2, 0, 0, 'value1', 'go.shop.example', 'https://shop.example/') returning number`,
    [manager.organizationId, campaignId],
  )
  const at = new Date(Date.now() + 60_000)
  await writeClicks(server.database, [{ number: link?.number ?? 0, seq: 0, at, isPreview: false, device: 'other' }])
  expect(await query('select from campaign_clickers where campaign_id = $1', [campaignId])).toHaveLength(1)
  expect(await query(`select from event_queue where type = 'message.clicked'`)).toEqual([])
})

test('a reply, to those who see its author', async () => {
  const chatId = chatOf(line, '919812300001')
  await receive(server.database, line, { from: '919812300001' })
  const id = await reply(server.database, line, { chatId, author: user, status: 'sent', providerMessageId: 'p-1' })
  await applyProviderEvents(server.database.systemPool, line, [report('p-1', {})])
  const [webhook] = await got('user', 1, 'message.delivered')
  expect(webhook && dataOf(webhook)).toMatchObject({ id, kind: 'reply', conversationId: chatId, status: 'delivered' })
  await got('manager', 1, 'message.delivered')
  await got('colleague', 0, 'message.delivered')
})

test('inbound messages and conversations, to those who see the conversation', async () => {
  const chatId = chatOf(line, '919812300002')
  const [id] = await receive(server.database, line, { from: '919812300002', text: 'Where is my order?' })
  // An unassigned conversation is seen by everyone.
  for (const path of ['manager', 'head', 'user', 'colleague'])
    await got(path, 2, 'message.inbound', 'conversation.opened')
  const [inbound] = await got('user', 1, 'message.inbound')
  expect(inbound && dataOf(inbound)).toEqual({
    id,
    conversationId: chatId,
    contactId: expect.any(String),
    channel: 'sms',
    sender: { id: line.senderId, name: expect.any(String) },
    from: '+919812300002',
    name: '+919812300002',
    body: { type: 'text', text: 'Where is my order?' },
    receivedAt: expect.any(String),
  })
  const change = (body: object) => server.ask('conversations.change', { as: manager, path: { id: chatId }, body })
  await change({ assigneeId: user.id })
  const [assigned] = await got('user', 1, 'conversation.assigned')
  expect(assigned && dataOf(assigned)).toMatchObject({
    id: chatId,
    assignee: { id: user.id },
    status: 'open',
    phoneNumber: '+919812300002',
  })
  await receive(server.database, line, { from: '919812300002', text: 'Hello?' })
  for (const path of ['manager', 'head', 'user']) await got(path, 2, 'message.inbound')
  await change({ status: 'resolved' })
  const [resolved] = await got('user', 1, 'conversation.resolved')
  expect(resolved && dataOf(resolved)).toMatchObject({ id: chatId, status: 'resolved' })
  await got('head', 1, 'conversation.resolved')
  await got('colleague', 0, 'conversation.assigned', 'conversation.resolved')
  await got('colleague', 1, 'message.inbound')
})

test('a person of a conversation that is blocked', async () => {
  const chatId = chatOf(line, '919812300003')
  await receive(server.database, line, { from: '919812300003' })
  await got('manager', 1, 'message.inbound')
  await server.ask('conversations.change', { as: manager, path: { id: chatId }, body: { isBlocked: true } })
  await receive(server.database, line, { from: '919812300003' })
  await receive(server.database, line, { from: '919812300004' })
  await got('manager', 2, 'message.inbound')
})

test('opt-outs and opt-ins, to everyone in the organisation', async () => {
  await receive(server.database, line, { from: '919812300005', text: 'STOP' })
  await receive(server.database, line, { from: '919812300005', text: 'START' })
  const webhooks = await got('colleague', 2, 'contact.opted_out', 'contact.opted_in')
  expect(webhooks.map((one) => [one.type, dataOf(one)])).toEqual([
    [
      'contact.opted_out',
      { phoneNumber: '+919812300005', channel: 'sms', keyword: 'STOP', source: 'reply', marketingOnly: false },
    ],
    ['contact.opted_in', { phoneNumber: '+919812300005', channel: 'sms' }],
  ])
})

test('templates: review, quality and category', async () => {
  const id = newId()
  await query(
    `insert into templates (organization_id, id, channel, name, status, category, language, content, created_by, facts)
    values ($1, $2, 'whatsapp', 'offer', 'APPROVED', 'MARKETING', 'en', '{}', $3, '{"quality": "red"}')`,
    [manager.organizationId, id, manager.id],
  )
  for (const [event, words] of [
    ['approved', 'Approved by Meta'],
    ['quality', 'Low quality'],
    ['category', 'Changed to marketing'],
    ['reworded', 'Updated from Meta'],
  ])
    await query(
      `insert into template_events (organization_id, id, template_id, event, details) values ($1, $2, $3, $4, $5)`,
      [manager.organizationId, newId(), id, event, JSON.stringify({ words })],
    )
  const types = ['template.status_changed', 'template.quality_changed', 'template.category_changed'] as const
  const webhooks = await got('user', 3, ...types)
  expect(webhooks.map(dataOf)).toEqual(
    ['Approved by Meta', 'Low quality', 'Changed to marketing'].map((detail) => ({
      id,
      name: 'offer',
      channel: 'whatsapp',
      language: 'en',
      category: 'MARKETING',
      status: 'APPROVED',
      quality: 'red',
      detail,
    })),
  )
})

test('channels: connections, senders and their quality', async () => {
  const ofAccount = `(select provider_account_id from senders where id = $1)`
  await query(`update provider_accounts set failure = '{"detail": "Wrong password"}' where id = ${ofAccount}`, [
    line.senderId,
  ])
  await query(`update provider_accounts set failure = null where id = ${ofAccount}`, [line.senderId])
  await query(`update senders set is_active = false where id = $1`, [line.senderId])
  await query(`update senders set facts = '{"quality": "yellow"}' where id = $1`, [line.senderId])
  await query(`update senders set facts = '{"quality": "yellow", "status": "x"}' where id = $1`, [line.senderId])
  const webhooks = await got('user', 4, 'channel.connected', 'channel.disconnected', 'channel.quality_changed')
  const account = { id: expect.any(String), name: 'Fake' }
  const sender = { id: line.senderId, name: expect.any(String) }
  expect(webhooks.map((one) => [one.type, dataOf(one)])).toEqual(
    expect.arrayContaining([
      ['channel.disconnected', { channel: 'sms', account, reason: 'refused', detail: 'Wrong password' }],
      ['channel.connected', { channel: 'sms', account, reason: 'connected' }],
      ['channel.disconnected', { channel: 'sms', account, sender, reason: 'switched_off' }],
      ['channel.quality_changed', { channel: 'sms', account, sender, quality: 'yellow', previousQuality: null }],
    ]),
  )
})

test('a campaign that is paused and resumed begins once', async () => {
  const senderId = await buildSender(server.database, manager)
  const campaignId = await buildCampaign(server.database, { owner: manager, senderId, total: 2, status: 'queued' })
  const move = (to: string) => query(`select move_campaign($1, $2, $3)`, [manager.organizationId, campaignId, to])
  await move('running')
  await got('manager', 1, 'campaign.started')
  await move('paused')
  const [paused] = await got('manager', 1, 'campaign.paused')
  expect(paused && dataOf(paused)).toMatchObject({ id: campaignId, status: 'paused', pauseReason: 'admin_hold' })
  await query(
    `with resumed as (insert into campaign_events (organization_id, id, campaign_id, event) values ($1, $2, $3, 'resumed'))
    update campaigns set status = 'queued' where id = $3`,
    [manager.organizationId, newId(), campaignId],
  )
  await move('running')
  await move('completed')
  const [completed] = await got('manager', 1, 'campaign.completed')
  expect(completed && dataOf(completed)).toMatchObject({ id: campaignId, total: 2, completedAt: expect.any(String) })
  await got('manager', 1, 'campaign.started')
})

test('top-ups and low balances, to the account and those above', async () => {
  await issueTo(server.database, { admin, account: manager, units: 20_000_000 })
  await server.ask('balance.request', { as: manager, body: { requestedBalance: 500 } })
  const [requested] = await got('manager', 1, 'topup.requested')
  expect(requested && dataOf(requested)).toEqual({
    id: expect.any(String),
    accountId: manager.id,
    status: 'pending',
    amount: 500,
  })
  await issueTo(server.database, { admin, account: admin, units: 20_000_000 })
  const path = { id: String(requested?.data['id']) }
  await server.ask('topUps.answer', { as: admin, path, body: { approve: true, amount: 400 } })
  const [completed] = await got('manager', 1, 'topup.completed')
  expect(completed && dataOf(completed)).toMatchObject({ status: 'approved', amount: 500, approvedAmount: 400 })
  await notifyLowBalances(server.database.systemPool)
  await server.database.ownerPool.query(
    `update ledger_accounts set held = posted - 5000000 where account_id = $1 and kind = 'balance'`,
    [manager.id],
  )
  await notifyLowBalances(server.database.systemPool)
  const [low] = await got('manager', 1, 'balance.low')
  expect(low && dataOf(low)).toEqual({ accountId: manager.id, available: 500 })
  await got('user', 0, 'topup.requested', 'topup.completed', 'balance.low')
  // Sound again for the checks of the worker.
  await server.database.ownerPool.query(
    `update ledger_accounts set held = 0 where account_id = $1 and kind = 'balance'`,
    [manager.id],
  )
})
