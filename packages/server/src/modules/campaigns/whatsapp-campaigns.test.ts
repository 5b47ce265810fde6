import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { Campaign } from '@carillon/contract/campaign-records'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { smsLeg, whatsappLeg } from '../../testing/draft-legs.ts'
import { until } from '../../testing/until.ts'
import { addSmsRate, buildApprovedTemplate, connectSmsBehind } from '../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../testing/whatsapp-server.ts'
import { checkInvariants } from '../balance/index.ts'

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
    name: 'order_ready',
    category: 'UTILITY',
    components: {
      body: 'Hello {{1}}, order {{2}} is ready and waits for you at our store in Pune. Reply STOP to hear no more.',
      samples: [
        { name: '1', sample: 'Asha' },
        { name: '2', sample: 'A-17' },
      ],
    },
  })
  const behind = await connectSmsBehind(fixtures, {
    name: 'order_ready_sms',
    body: 'Dear {#var#}, order {#var#} is ready. -Acme Retail',
    variables: [
      { name: 'name', kind: 'var', sample: 'Asha' },
      { name: 'order', kind: 'var', sample: 'A-17' },
    ],
  })
  smsAccount = behind.smsAccount
  smsTemplate = behind.smsTemplate
}, 60_000)
afterAll(() => fixtures.close())

const columns = [
  { column: 1, fallback: '' },
  { column: 2, fallback: '' },
]
/** The last four digits decide: 0026 is not on WhatsApp. */
const phone = (index: number, ending: string) => `+9198${String(index).padStart(4, '0')}${ending}`
const fileOf = (phones: readonly string[]) => ({
  file: {
    name: 'orders.csv',
    content: ['phone,name,order', ...phones.map((number, index) => `${number},Person ${index},A-${index}`)].join('\n'),
  },
})
const failover = () => ({
  smsFailover: true,
  smsFailoverConditions: [{ type: 'not_reachable_on_channel' }],
  smsTemplate: smsTemplate._id,
  smsAccountId: smsAccount._id,
  smsCustomParams: columns,
})

async function create(phones: readonly string[], more: object = {}): Promise<Campaign> {
  const campaign = await fixtures.ask('waCampaigns.create', {
    body: {
      campaignName: `Orders ${newId().slice(-6)}`,
      waba_id: connection.waba_id,
      phone_number_id: connection.lineId,
      message: { templateId: template._id, values: { body: columns } },
      ...more,
    },
    files: fileOf(phones),
  })
  await until(async () => (await get(campaign._id)).status !== 'validating', 'validation')
  return get(campaign._id)
}
const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })
const start = (id: string) => fixtures.ask('waCampaigns.start', { path: { id }, body: {} })
const balance = async () => (await fixtures.ask('balance.get')).balance
const textsOn = (number: string, channel: string) =>
  (fixtures.simulator.handset.find(number.slice(1))?.messages ?? [])
    .filter((message) => message.channel === channel)
    .map(({ text }) => text)

test("a test message shows one row's values, costs one message, and reports its result", async () => {
  const { _id } = await create([phone(800, '1200'), phone(801, '1200')])
  const own = phone(899, '1200')
  const sent = await fixtures.ask('drafts.test', {
    path: { id: _id },
    body: { phoneNumber: own, seq: 1 },
  })
  const readMessage = () => fixtures.ask('messages.get', { path: { id: sent.messageId } })
  await until(async () => ['delivered', 'read'].includes((await readMessage()).status), 'delivery of the test')
  expect(sent.cost).toBeGreaterThan(0)
  expect(textsOn(own, 'whatsapp')).toEqual([expect.stringContaining('Hello Person 1, order A-1 is ready')])
  expect(await get(_id)).toMatchObject({ stats: { submitted: 0 } })
})

test('failover without a condition, account or template is rejected; switched off it needs none', async () => {
  const { smsAccountId: _, ...withoutAccount } = failover()
  const validated = (more: object) => create([phone(700, '1200')], { ...withoutAccount, ...more })
  const withAccount = { smsAccountId: smsAccount._id }
  expect(await validated({ ...withAccount, smsFailoverConditions: [] })).toMatchObject({
    status: 'failed',
    statusDetail: 'Choose when to fall back to SMS',
  })
  expect(await validated({})).toMatchObject({
    status: 'failed',
    statusDetail: 'Choose the SMS account for failover',
  })
  expect(await validated({ smsFailover: false, smsFailoverConditions: [] })).toMatchObject({ status: 'ready' })
})

test('people not reached on WhatsApp get the SMS, no one gets both, and the charges of both channels add up', async () => {
  const reached = Array.from({ length: 90 }, (_, index) => phone(index, '1200'))
  const absent = Array.from({ length: 10 }, (_, index) => phone(index, '0026'))
  const before = await balance()
  const campaign = await create([...reached, ...absent], failover())
  expect(campaign).toMatchObject({ status: 'ready', channel: 'whatsapp', category: 'UTILITY', stats: { total: 100 } })
  await start(campaign._id)
  await until(async () => {
    const { stats, failover } = await get(campaign._id)
    return stats.delivered + stats.read === 100 && failover?.delivered === 10
  }, 'delivery on both channels')

  const detail = await get(campaign._id)
  expect(detail.failover).toEqual({
    entered: 10,
    sent: 10,
    delivered: 10,
    both: 0,
    reasons: [{ title: 'Not reachable on WhatsApp', count: 10 }],
  })
  expect(detail.stats).toMatchObject({ total: 100, submitted: 100, failed: 0, queued: 0 })
  const summed = async (which: 'delivered' | 'failed') =>
    (await get(campaign._id)).overTime.reduce((sum, point) => sum + point[which], 0)
  await expect.poll(() => summed('delivered'), { timeout: 10_000 }).toBe(100)
  expect(detail.failures).toEqual([])
  const byNumber = await fixtures.ask('messages.byNumber', {
    path: { number: absent[3]?.slice(1) ?? '' },
  })
  expect(byNumber.messages).toHaveLength(2)
  expect(byNumber.messages).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        channel: 'sms',
        status: 'delivered',
        text: 'Dear Person 93, order A-93 is ready. -Acme Retail',
      }),
      expect.objectContaining({
        channel: 'whatsapp',
        status: 'failed',
        text: 'Hello Person 93, order A-93 is ready and waits for you at our store in Pune. Reply STOP to hear no more.',
      }),
    ]),
  )
  expect(textsOn(reached[3] ?? '', 'whatsapp')).toEqual([
    'Hello Person 3, order A-3 is ready and waits for you at our store in Pune. Reply STOP to hear no more.',
  ])
  expect(textsOn(reached[3] ?? '', 'sms')).toEqual([])
  expect(textsOn(absent[3] ?? '', 'sms')).toEqual(['Dear Person 93, order A-93 is ready. -Acme Retail'])

  // 90 over WhatsApp at ₹0.115, 10 over SMS at ₹0.125; messages not delivered on WhatsApp are not charged.
  await expect
    .poll(async () => Number((before - (await balance()) - (await get(campaign._id)).held).toFixed(4)), {
      timeout: 20_000,
    })
    .toBe(Number((90 * 0.115 + 10 * 0.125).toFixed(4)))
  expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
}, 60_000)

test('without failover a person who is not reached has failed, with the reason', async () => {
  const campaign = await create([phone(1, '1300'), phone(2, '0026')])
  await start(campaign._id)
  await until(async () => (await get(campaign._id)).stats.failed === 1, 'the failure')
  expect(await get(campaign._id)).toMatchObject({
    failures: [{ channel: 'whatsapp', title: 'Not reachable on WhatsApp', count: 1 }],
  })
  expect((await get(campaign._id)).failover).toBeUndefined()
})

test('a campaign waits while Meta has paused its template, and resumes automatically', async () => {
  const slow = Array.from({ length: 400 }, (_, index) => phone(index, '1400'))
  const campaign = await create(slow)
  await start(campaign._id)
  await until(async () => (await get(campaign._id)).stats.submitted > 0, 'the first messages')
  const { ratePerSecond, etaSeconds, status } = await get(campaign._id)
  expect(ratePerSecond).toBe(connection.numbers[0]?.ratePerSecond)
  if (status === 'running') expect(etaSeconds).toBeGreaterThan(0)
  const { control } = fixtures.simulator.graph
  control.changeTemplate(template.metaId ?? '', { status: 'PAUSED' })
  await until(async () => (await get(campaign._id)).status === 'paused', 'the pause')
  expect(await get(campaign._id)).toMatchObject({
    pauseReason: 'template_paused',
    statusDetail: expect.stringContaining('template'),
  })
  control.changeTemplate(template.metaId ?? '', { status: 'APPROVED' })
  await until(async () => (await get(campaign._id)).stats.submitted === 400, 'the rest')
}, 60_000)

describe('a draft', () => {
  type Leg = ReturnType<typeof smsLeg>
  let draft: SavedDraft
  let audienceId: string | null = null
  const save = (...legs: [Leg, ...Leg[]]) =>
    fixtures.ask('drafts.save', {
      path: { id: draft._id },
      body: { campaignName: 'Diwali', audienceId, legs },
    })
  const first = (values: object = { body: columns }) =>
    whatsappLeg({ senderId: connection.senderId, templateId: template._id, values })
  const behind = () =>
    smsLeg({
      senderId: smsAccount._id,
      templateId: smsTemplate._id,
      variables: columns,
      entryConditions: [{ type: 'not_reachable_on_channel' }],
    })
  const estimate = () => fixtures.ask('drafts.estimate', { path: { id: draft._id } })

  test('counts both legs, reports what is missing, and becomes ready', async () => {
    draft = await fixtures.ask('drafts.create', { body: { campaignName: 'Diwali', legs: [whatsappLeg()] } })
    const asked = await fixtures.server.call('drafts.estimate', { as: fixtures.manager, path: { id: draft._id } })
    expect(asked).toMatchObject({
      status: 400,
      body: { details: [{ field: 'legs.0.senderId', message: 'Choose a number first' }] },
    })
    const audience = await fixtures.ask('audience.create', {
      body: { defaultCountry: 'IN' },
      files: fileOf([phone(1, '1500'), phone(2, '1500')]),
    })
    await until(
      async () => (await fixtures.ask('audience.get', { path: { id: audience._id } })).status === 'ready',
      'the audience',
    )
    audienceId = audience._id
    draft = await save(first(), behind())
    expect(draft).toMatchObject({ audienceId, legs: [first(), behind()] })
    expect(await fixtures.ask('drafts.get', { path: { id: draft._id } })).toEqual(draft)
    expect(await estimate()).toMatchObject({
      people: 2,
      missing: 0,
      cost: 0.48,
      shortfall: 0,
      legs: [
        { channel: 'whatsapp', pricePerPart: 0.115, cost: 0.23, prices: [{ country: 'IN', people: 2 }] },
        { channel: 'sms', pricePerPart: 0.125, cost: 0.25, prices: [{ country: 'IN', people: 2 }] },
      ],
    })
    await save(first(), { ...behind(), isEnabled: false })
    expect(await estimate()).toMatchObject({ cost: 0.23, legs: [{ channel: 'whatsapp' }] })
    expect((await estimate()).legs).toHaveLength(1)
    await save(first({ body: [columns[0], { column: 7, fallback: '' }] }))
    const { checks, missing } = await estimate()
    expect(missing).toBe(2)
    expect(checks.filter(({ level }) => level === 'blocker').map(({ id }) => id)).toEqual(['variables'])
    await save(first(), behind())
    await fixtures.ask('drafts.validate', { path: { id: draft._id } })
    await until(async () => (await get(draft._id)).status === 'ready', 'ready')
  })

  test("can reference only the organisation's own records, and keeps its channel", async () => {
    const body = { campaignName: 'Theirs', legs: [whatsappLeg({ senderId: connection.senderId })] satisfies [unknown] }
    expect(await fixtures.server.call('drafts.create', { as: fixtures.foreign, body })).toMatchObject({
      status: 404,
      body: { message: 'Number not found' },
    })
    expect(
      await fixtures.server.call('drafts.save', {
        as: fixtures.manager,
        path: { id: draft._id },
        body: { campaignName: 'Sms', legs: [smsLeg()] },
      }),
    ).toMatchObject({ status: 400, body: { details: [{ field: 'legs.0.channel' }] } })
    expect(await fixtures.ask('drafts.get', { path: { id: draft._id } })).toMatchObject({ campaignName: 'Diwali' })
  })

  test('without conditions, account or template for SMS reports the missing one', async () => {
    draft = await save(first(), smsLeg())
    const path = { id: draft._id, seq: 1 }
    expect(await fixtures.ask('drafts.preview', { path })).toMatchObject({
      text: expect.stringContaining('Hello Person 1, order A-1 is ready'),
      parts: 1,
      cost: 0.115,
    })
    expect(
      await fixtures.server.call('drafts.estimate', { as: fixtures.manager, path: { id: draft._id } }),
    ).toMatchObject({
      status: 400,
      body: { details: [{ field: 'legs.1.senderId', message: 'Choose the SMS account for failover' }] },
    })
    await save(first(), { ...behind(), entryConditions: [{ type: 'undelivered_after' }] })
    expect(
      await fixtures.server.call('drafts.estimate', { as: fixtures.manager, path: { id: draft._id } }),
    ).toMatchObject({
      status: 400,
      body: { details: [{ field: 'legs.1.entryConditions', message: 'Choose after how long to fall back' }] },
    })
  })
})
