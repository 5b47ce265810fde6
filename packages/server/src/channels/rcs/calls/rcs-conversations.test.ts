import { createHmac } from 'node:crypto'
import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { checkInvariants, getBalance, toUnits } from '../../../modules/balance/index.ts'
import { killedProcesses, type KilledProcesses } from '../../../testing/killed-process.ts'
import { buildRcsMessages, orderReady, type RcsMessages } from '../../../testing/rcs-messages.ts'
import { until } from '../../../testing/until.ts'
import { fileOfPeople } from '../../../testing/whatsapp-campaigns.ts'

const price = 0.65

let fixtures: RcsMessages
let template: RcsTemplate
let processes: KilledProcesses

beforeAll(async () => {
  fixtures = await buildRcsMessages()
  processes = killedProcesses(fixtures.server)
  template = await fixtures.ask('rcsTemplates.create', { body: orderReady })
  await fixtures.server.database.systemPool.query(
    `insert into rates (organization_id, rate_card_id, channel, category, price)
    select organization_id, id, 'rcs', 'conversation', $1 from rate_cards`,
    [toUnits(price)],
  )
}, 60_000)
afterEach(async () => expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([]))
afterAll(async () => {
  processes.end()
  await fixtures.close()
})

const setBilling = (category: string | null) =>
  fixtures.server.database.systemPool.query('update senders set conversation_category = $2 where id = $1', [
    fixtures.senderId,
    category,
  ])

const phone = (index: number) => `+9198${String(index).padStart(4, '0')}1200`
const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })
const posted = async () => {
  const { organizationId } = fixtures.manager
  return (await asSystem(fixtures.server.database, (db) => getBalance(db, { organizationId }))).posted
}

async function validate(phones: readonly string[]): Promise<string> {
  const { _id: id } = await fixtures.ask('rcsCampaigns.create', {
    body: {
      campaignName: `Orders ${newId().slice(-6)}`,
      botId: fixtures.botId,
      templateId: template._id,
      variables: [{ column: 1, fallback: '' }],
    },
    files: fileOfPeople(phones),
  })
  await until(async () => (await get(id)).status === 'ready', 'validation')
  return id
}

/** A campaign that its recipients have read. */
async function send(...phones: string[]): Promise<string> {
  const id = await validate(phones)
  await fixtures.ask('campaigns.start', { path: { id }, body: {} })
  await until(async () => (await get(id)).stats.read === phones.length, 'reading')
  await until(async () => (await get(id)).status === 'completed', 'the end')
  return id
}

const inbound = async () => {
  const { rows } = await fixtures.server.database.systemPool.query<{ count: number }>(
    'select count(*)::int as count from inbound_messages',
  )
  return rows[0]?.count ?? 0
}

async function write(number: string, text: string): Promise<void> {
  const before = await inbound()
  fixtures.simulator.rbm.control.people.write({ number, agentId: fixtures.botId }, text)
  await until(async () => (await inbound()) > before, 'the message')
}

test('replies are charged once per person and day, on one line of the statement, and not to the campaign', async () => {
  const [asha, ravi] = [phone(1), phone(2)]
  const id = await send(asha, ravi)
  const { stats } = await get(id)
  const before = await posted()
  await write(asha, 'Yes')
  await write(asha, 'Where is it?')
  await write(ravi, 'Thanks')
  expect(before - (await posted())).toBe(2 * toUnits(price))
  expect((await get(id)).stats).toMatchObject({ cost: stats.cost, refunded: 0 })
  const { entries } = await fixtures.ask('statement.list', { query: { limit: 100 } })
  const [bot] = await fixtures.ask('bots.own')
  expect(entries.filter(({ description }) => description.includes('conversation'))).toMatchObject([
    { kind: 'usage', description: `2 conversations with ${bot?.name}`, amount: -2 * price },
  ])
})

test('a person who writes first is charged once the answer is delivered', async () => {
  const before = await posted()
  await write(phone(10), 'Are you open?')
  expect(await posted()).toBe(before)
  const id = await send(phone(10))
  expect(before - (await posted())).toBe(toUnits(price) + toUnits((await get(id)).stats.cost))
})

test('a bot that is billed by message has no conversations', async () => {
  await setBilling(null)
  await send(phone(20))
  const before = await posted()
  await write(phone(20), 'Yes')
  expect(await posted()).toBe(before)
  await setBilling('conversation')
})

test('the review says what replies may add, beside a maximum that does not include it', async () => {
  const id = await validate([phone(30)])
  const { checks, range } = await fixtures.ask('drafts.estimate', { path: { id } })
  expect(checks.find((check) => check.id === 'conversations')).toMatchObject({
    level: 'advice',
    title: expect.stringContaining('may add ₹0.65 per person and 24 hours'),
  })
  expect(range.maximum).toBe(0.3)
})

/** A reply as Google posts it, signed with the bot's token. */
async function signedReply(number: string) {
  const { callbackUrl, clientToken } = await fixtures.server
    .as(fixtures.admin)
    .ask('bots.registerWebhook', { path: { id: fixtures.senderId } })
  const data = Buffer.from(
    JSON.stringify({
      senderPhoneNumber: number,
      messageId: newId(),
      sendTime: new Date().toISOString(),
      agentId: fixtures.botId,
      text: 'Yes',
    }),
  )
  const signature = createHmac('sha512', clientToken ?? '')
    .update(data)
    .digest('base64')
  const body = JSON.stringify({ message: { data: data.toString('base64'), attributes: {} } })
  return (origin: string) =>
    fetch(`${origin}${new URL(callbackUrl).pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-signature': signature },
      body,
    })
}

test.each([
  ['conversation-opened', 41, 0],
  ['conversation-charged', 42, 0],
  ['after-events', 43, price],
] as const)(
  'a process killed at %s leaves a conversation charged as a whole or not, and a repeated callback charges it once',
  async (point, person, charged) => {
    await send(phone(person))
    const before = await posted()
    const post = await signedReply(phone(person))
    const { url, exited } = await processes.startKilledAt(point)
    await post(url).catch(() => undefined)
    await exited
    expect(before - (await posted())).toBe(toUnits(charged))
    expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
    for (const _ of [1, 2]) expect((await post(fixtures.server.url)).status).toBe(200)
    expect(before - (await posted())).toBe(toUnits(price))
  },
  60_000,
)
