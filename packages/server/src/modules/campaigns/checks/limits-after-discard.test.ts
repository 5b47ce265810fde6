import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../testing/until.ts'
import { addSmsRate, connectSmsBehind, fileOfPeople } from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, type WhatsappServer } from '../../../testing/whatsapp-server.ts'

const people = 40
const perDay = 50

let fixtures: WhatsappServer
let smsAccountId: string
let templateId: string

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  await addSmsRate(fixtures)
  const { smsAccount, smsTemplate } = await connectSmsBehind(fixtures, {
    name: 'Opening',
    body: 'Our store in Pune opens at ten.',
    variables: [],
  })
  smsAccountId = smsAccount._id
  templateId = smsTemplate._id
  const { name, provider, headers, config } = smsAccount
  await fixtures.ask('smsAccounts.update', {
    path: { id: smsAccountId },
    body: { name, provider, headers, config, ratePerSecond: 2 },
  })
  await fixtures.ask('limits.set', {
    as: fixtures.admin,
    body: {
      userId: fixtures.manager.id,
      limits: [
        { key: 'messages_per_day', limit: perDay },
        { key: 'messages_per_month', limit: perDay },
        { key: 'spend_per_day', limit: 7 },
      ],
    },
  })
}, 60_000)
afterAll(() => fixtures.close())

const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })
const start = (id: string) =>
  fixtures.server.call('smsCampaigns.start', { as: fixtures.manager, path: { id }, body: {} })

async function create(): Promise<string> {
  const phones = Array.from({ length: people }, (_, index) => `+9198450122${String(index).padStart(2, '0')}`)
  const { _id } = await fixtures.ask('smsCampaigns.create', {
    body: { campaignName: 'Opening', smsAccountId, templateId },
    files: fileOfPeople(phones),
  })
  await until(async () => (await get(_id)).status === 'ready', 'validation')
  return _id
}

async function used(): Promise<Record<string, number>> {
  const { limits } = await fixtures.ask('limits.list')
  return Object.fromEntries(limits.map((limit) => [limit.key, limit.used]))
}

test('a campaign that is discarded midway counts what it sent, and the rest of the limit is free again', async () => {
  const [first, second] = [await create(), await create()]
  expect(await start(first)).toMatchObject({ status: 200 })
  expect(await used()).toMatchObject({ messages_per_day: people, messages_per_month: people, spend_per_day: 5 })
  expect(await start(second)).toMatchObject({ status: 409, body: { code: 'limit_exceeded' } })

  await until(async () => (await get(first)).stats.submitted > 0, 'the first message')
  expect(
    await fixtures.server.call('smsCampaigns.discard', { as: fixtures.manager, path: { id: first } }),
  ).toMatchObject({
    status: 200,
    body: { data: { status: 'cancelled' } },
  })
  const { stats } = await get(first)
  const sent = stats.total - stats.cancelled
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThanOrEqual(perDay - people)
  expect(await used()).toMatchObject({
    messages_per_day: sent,
    messages_per_month: sent,
    spend_per_day: expect.closeTo(stats.cost, 1),
  })
  expect(await start(second)).toMatchObject({ status: 200 })
  expect(await used()).toMatchObject({ messages_per_day: sent + people })
})

test('one that is discarded before its start counts nothing', async () => {
  const before = await used()
  const id = await create()
  const at = new Date(Date.now() + 3_600_000).toISOString()
  await fixtures.ask('campaigns.schedule', { path: { id }, body: { startAt: at } })
  await fixtures.ask('smsCampaigns.discard', { path: { id } })
  expect((await used())['messages_per_month']).toBe(before['messages_per_month'])
})
