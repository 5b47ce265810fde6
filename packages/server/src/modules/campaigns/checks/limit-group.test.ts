import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whatsappLeg } from '../../../testing/draft-legs.ts'
import { until } from '../../../testing/until.ts'
import { buildDraft, buildNotice, validateDraft } from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'

/** A number, and a template of its account. */
type Line = { waba_id: string; numberId: string; lineId: string; templateId: string }

let fixtures: WhatsappServer
let first: Line
/** Another number of the same account, one of another account of the same business, and one of another business. */
let second: Line
let sameGroup: Line
let stranger: Line

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  const { control } = fixtures.simulator.graph
  control.set({ tierLimit: true, throughput: 0 })
  const connection = await connectWhatsapp(fixtures)
  const [one, two] = await linesOf(connection)
  if (!one || !two) throw new Error('The simulated account has two numbers')
  first = one
  second = two
  sameGroup = await connectAnother({ businessId: '250000000000001' })
  stranger = await connectAnother({})
  for (const { lineId } of [first, sameGroup]) control.changeNumber(lineId, { limitTier: 'TIER_50' })
  await until(async () => (await leftFor(sameGroup)) === 50 && (await leftFor(first)) === 50, 'the limit')
}, 60_000)
afterAll(() => fixtures.close())

async function connectAnother(business: Record<string, string>): Promise<Line> {
  const { waba_id } = fixtures.simulator.graph.control.signUp(business).message.data
  const { _id } = await fixtures.ask('wabas.connect', { body: { ...fixtures.entry, waba_id } })
  const registered = await fixtures.ask('wabas.runStep', {
    path: { id: _id, step: 'registration' },
    body: { pin: '123456' },
  })
  const [line] = await linesOf(registered)
  if (!line) throw new Error('The account has no number')
  return line
}

async function linesOf({ waba_id, numbers }: WhatsappConnection): Promise<Line[]> {
  const { _id: templateId } = await buildNotice(fixtures.ask, waba_id)
  for (const { _id: id } of numbers) await fixtures.ask('wabas.activate', { body: { id, isActive: true } })
  return numbers.map(({ _id: numberId, phone_number_id: lineId }) => ({ waba_id, numberId, lineId, templateId }))
}

const people = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `+91980${String(from + index).padStart(3, '0')}1200`)

async function draft({ numberId, templateId }: Line, phones: readonly string[]): Promise<string> {
  return (await buildDraft(fixtures.ask, phones, { legs: [whatsappLeg({ senderId: numberId, templateId })] }))._id
}

const estimate = (id: string) => fixtures.ask('drafts.estimate', { path: { id } })
const leftFor = async (line: Line) => (await estimate(await draft(line, people(999, 1000)))).limitLeft
const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })

async function start(line: Line, phones: readonly string[]): Promise<string> {
  const id = await draft(line, phones)
  expect(await validateDraft(fixtures.ask, id)).toMatchObject({ status: 'ready' })
  await fixtures.ask('waCampaigns.start', { path: { id }, body: {} })
  return id
}

async function send(line: Line, phones: readonly string[]): Promise<CampaignDetail> {
  const id = await start(line, phones)
  await until(async () => {
    const { delivered, read, failed } = (await get(id)).stats
    return delivered + read + failed === phones.length
  }, 'the last report')
  return get(id)
}

test('numbers of one portfolio share its limit, also across accounts; another portfolio has its own', async () => {
  await send(first, people(0, 30))
  expect(await leftFor(first)).toBe(20)
  expect(await leftFor(second)).toBe(20)
  expect(await leftFor(sameGroup)).toBe(20)
  expect(await leftFor(stranger)).toBe(250)
  const { checks } = await estimate(await draft(second, people(100, 110)))
  expect(checks.find(({ id }) => id === 'limit')).toMatchObject({
    detail: '20 more people can be messaged today. All numbers of its business portfolio share this limit.',
  })
  const alone = await estimate(await draft(stranger, people(100, 110)))
  expect(alone.checks.find(({ id }) => id === 'limit')).toMatchObject({
    detail: '250 more people can be messaged today.',
  })
}, 60_000)

test('a person messaged by two numbers counts once', async () => {
  await send(second, people(0, 10))
  await send(sameGroup, people(5, 15))
  expect(await leftFor(first)).toBe(20)
}, 60_000)

test('a person who wrote to the number within the last day does not count', async () => {
  const { control } = fixtures.simulator.graph
  for (const phone of people(200, 204))
    control.write(phone.slice(1), { phoneNumberId: first.lineId, type: 'text', text: { body: 'Open on Sunday?' } })
  await until(async () => {
    const { rows } = await fixtures.server.database.ownerPool.query('select from inbound_messages')
    return rows.length === 4
  }, 'what they wrote')
  await send(first, people(200, 204))
  expect(await leftFor(first)).toBe(20)
  await send(second, people(200, 203))
  expect(await leftFor(first)).toBe(17)
}, 60_000)

test('Meta counts the same: exactly the remaining number of people get the message', async () => {
  const id = await start(second, people(300, 325))
  // The first rejection pauses the campaign: recipients not handed over by then are not attempted.
  await until(async () => {
    const { status, stats } = await get(id)
    const reached = stats.delivered + stats.read
    return reached === 17 && (status === 'paused' || reached + stats.failed === 25)
  }, 'as many as were left')
  expect((await get(id)).stats.failed).toBeLessThanOrEqual(8)
  expect(await leftFor(sameGroup)).toBe(0)
  expect((await send(stranger, people(300, 325))).stats).toMatchObject({ failed: 0 })
}, 60_000)
