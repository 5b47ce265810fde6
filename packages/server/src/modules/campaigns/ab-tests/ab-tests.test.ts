import type { DraftRecipientQuery } from '@carillon/contract/campaign-drafts'
import type { AbTest } from '@carillon/contract/draft-legs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { asSystem } from '../../../db/pool.ts'
import { smsLeg, whatsappLeg } from '../../../testing/draft-legs.ts'
import { until } from '../../../testing/until.ts'
import {
  addSmsRate,
  buildApprovedTemplate,
  buildDraft,
  connectSmsBehind,
  validateDraft,
} from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'
import { checkInvariants } from '../../balance/index.ts'
import { decideTests } from './decide-tests.ts'

let fixtures: WhatsappServer
let senderId: string
let templates: string[]
let sms: Awaited<ReturnType<typeof connectSmsBehind>>

const texts = ['Our sale begins today at ten.', 'Up to half price: the sale begins today.', 'Sale today.']

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  const connection = await connectWhatsapp(fixtures)
  senderId = connection.senderId
  await addSmsRate(fixtures)
  sms = await connectSmsBehind(fixtures, { name: 'sale', body: 'Sale today. -Acme Retail', variables: [] })
  templates = []
  for (const [index, body] of texts.entries()) {
    const template = {
      waba_id: connection.waba_id,
      name: `sale_${index}`,
      category: 'UTILITY' as const,
      components: { body },
    }
    templates.push((await buildApprovedTemplate(fixtures.ask, template))._id)
  }
}, 60_000)
afterAll(async () => {
  expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
  await fixtures.close()
})

type RecipientQuery = Pick<z.input<typeof DraftRecipientQuery>, 'group' | 'leg'>

let group = 0
/** Numbers of a campaign of its own; those with the ending 0026 are not on WhatsApp. */
const phonesOf = (count: number, ending = '1200') => {
  group += 1
  return Array.from({ length: count }, (_, index) => `+9198${String(group * 100 + index).padStart(4, '0')}${ending}`)
}

const variant = (index: number) => whatsappLeg({ senderId, templateId: templates[index] ?? '' })
const failover = () =>
  smsLeg({
    senderId: sms.smsAccount._id,
    templateId: sms.smsTemplate._id,
    entryConditions: [{ type: 'not_reachable_on_channel' }],
  })

type Wanted = Partial<z.input<typeof AbTest>> & { phones: readonly string[]; others?: ReturnType<typeof smsLeg>[] }

async function build({ phones, others = [], ...abTest }: Wanted): Promise<string> {
  const test = { variants: [variant(1)], samplePercent: 50, metric: 'replied' as const, ...abTest }
  return (await buildDraft(fixtures.ask, phones, { legs: [variant(0), ...others], abTest: test }))._id
}

async function begin(wanted: Wanted): Promise<string> {
  const id = await build(wanted)
  const validated = await validateDraft(fixtures.ask, id)
  expect(validated.statusDetail).toBeUndefined()
  await fixtures.ask('waCampaigns.start', { path: { id }, body: {} })
  return id
}

const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })
const choose = (id: string, choice: number) =>
  fixtures.server.as(fixtures.manager).call('campaigns.chooseWinner', { path: { id }, body: { variant: choice } })
const query = (text: string, values: unknown[]) => fixtures.server.database.systemPool.query(text, values)
const decide = () => decideTests({ database: fixtures.server.database })
/** The time of the decision has come. */
const elapse = (id: string) => query('update ab_tests set decides_at = now() where campaign_id = $1', [id])

/** How many people got each text. */
const received = (phones: readonly string[]) => {
  const all = phones.flatMap((phone) => fixtures.simulator.handset.find(phone.slice(1))?.messages ?? [])
  return [...texts, 'Sale today. -Acme Retail'].map((text) => all.filter((message) => message.text === text).length)
}

const sent = (id: string, people: number) =>
  until(async () => {
    const { stats } = await get(id)
    return stats.delivered + stats.read === people
  }, `${people} deliveries`)
const completed = (id: string) => until(async () => (await get(id)).status === 'completed', 'completion')

test('the estimate counts every group once, and holds the cost of the most expensive winner', async () => {
  const phones = phonesOf(20)
  const dearer = smsLeg({ senderId: sms.smsAccount._id, templateId: sms.smsTemplate._id })
  const id = await build({ phones, variants: [dearer], samplePercent: 20, holdoutPercent: 10 })
  const estimate = await fixtures.ask('drafts.estimate', { path: { id } })
  expect(estimate).toMatchObject({
    people: 20,
    rest: 14,
    heldOut: 2,
    excluded: 2,
    legs: [
      { leg: 0, starters: 2, expectedPeople: 2 },
      { leg: 10, starters: 2, expectedPeople: 2 },
    ],
  })
  expect(estimate.cost).toBeCloseTo(2 * 0.115 + 2 * 0.125 + 14 * 0.125)
  expect(estimate.range.expected).toBeCloseTo(2 * 0.115 + 2 * 0.125 + 14 * 0.115)
  expect(estimate.range.reachedTo).toBeCloseTo(estimate.cost)
  const listed = async (group: RecipientQuery) => {
    const { recipients, total } = await fixtures.ask('drafts.recipients', {
      path: { id },
      query: { limit: 100, ...group },
    })
    expect(recipients).toHaveLength(total)
    return recipients.map(({ phoneNumber }) => phoneNumber)
  }
  const groups: RecipientQuery[] = [
    { group: 'leg', leg: 0 },
    { group: 'leg', leg: 10 },
    { group: 'rest' },
    { group: 'excluded' },
  ]
  const people = await Promise.all(groups.map(listed))
  expect(people.map(({ length }) => length)).toEqual([2, 2, 14, 2])
  expect(people.flat().toSorted()).toEqual(phones.toSorted())
})

test('the variants are sent to part of the recipients, the others wait for the winner, and a control group gets nothing', async () => {
  const phones = phonesOf(40)
  const id = await begin({ phones, samplePercent: 50, holdoutPercent: 10, autoSend: false })
  await sent(id, 20)
  expect(received(phones)).toEqual([10, 10, 0, 0])
  expect(await get(id)).toMatchObject({
    status: 'running',
    abPhase: 'testing',
    stats: { total: 40, queued: 16, skipped: 4 },
    failures: [{ reason: 'held_out', count: 4 }],
    abTest: {
      phase: 'testing',
      rest: 16,
      heldOut: 4,
      winner: null,
      leader: null,
      isCertain: false,
      variants: [
        { variant: 0, leg: 0, templateName: 'sale_0', people: 10, delivered: 10 },
        { variant: 1, leg: 10, templateName: 'sale_1', people: 10, delivered: 10 },
      ],
    },
  })
  expect(await choose(id, 1)).toMatchObject({ status: 200 })
  await completed(id)
  await sent(id, 36)
  expect(received(phones)).toEqual([10, 26, 0, 0])
  const ended = await get(id)
  expect(ended).toMatchObject({
    abPhase: 'winner_sending',
    held: 0,
    stats: { total: 40, queued: 0, skipped: 4 },
    abTest: {
      winner: 1,
      decidedBy: fixtures.manager.username,
      variants: [{ people: 10 }, { people: 10, delivered: 10 }],
    },
    legs: [
      { leg: 0, starters: 10, delivered: 10, skipped: 0 },
      { leg: 10, starters: 26, delivered: 26 },
    ],
  })
  const listed = await fixtures.ask('campaigns.responses', { query: { campaignId: id, leg: 0, result: 'skipped' } })
  expect(listed.total).toBe(0)
  expect(listed.responses).toEqual([])
  expect(ended.stats.cost).toBeCloseTo(36 * 0.115)
  expect(ended.timeline.map(({ event }) => event)).toContain('winner_chosen')
})

test('of choices at the same moment one takes effect, and the same choice again changes nothing', async () => {
  const phones = phonesOf(20)
  const id = await begin({ phones })
  const answers = await Promise.all([0, 1, 0, 1].map((choice) => choose(id, choice)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, 409, 409])
  await completed(id)
  await sent(id, 20)
  const winner = statuses.indexOf(200) % 2
  expect((await get(id)).abTest?.winner).toBe(winner)
  expect(received(phones)).toEqual(winner === 0 ? [15, 5, 0, 0] : [5, 15, 0, 0])
  expect(await choose(id, winner)).toMatchObject({ status: 200 })
})

async function addReplies(id: string, leg: number, replies: number) {
  await query(
    `insert into counter_deltas (organization_id, campaign_id, leg, account_id, channel, replied, left_on)
     select organization_id, id, (select min(leg) from campaign_legs where campaign_id = campaigns.id and draft_leg = $2 and not is_rest),
       created_by, channel, $3, current_date from campaigns where id = $1`,
    [id, leg, replies],
  )
}

test('a certain winner is sent by itself once the time is over and the test is sent', async () => {
  const phones = phonesOf(60)
  const id = await begin({ phones })
  await sent(id, 30)
  await addReplies(id, 0, 1)
  await addReplies(id, 10, 12)
  await decide()
  expect(await get(id)).toMatchObject({ abPhase: 'testing', abTest: { leader: 1, isCertain: true } })
  await elapse(id)
  await decide()
  await completed(id)
  await sent(id, 60)
  expect(received(phones)).toEqual([15, 45, 0, 0])
  expect((await get(id)).abTest).toMatchObject({ winner: 1, variants: [{ replied: 1 }, { replied: 12 }] })
})

test('without a certain winner a person is asked, and those who wait are skipped at the end of the campaign', async () => {
  const phones = phonesOf(20)
  const id = await begin({ phones })
  await sent(id, 10)
  await addReplies(id, 0, 1)
  await elapse(id)
  await decide()
  await decide()
  expect(await get(id)).toMatchObject({
    status: 'running',
    abPhase: 'awaiting_winner',
    abTest: { leader: 0, isCertain: false },
  })
  const { notifications } = await fixtures.ask('notifications.list', { query: {} })
  expect(notifications.filter(({ title }) => title === 'Choose the winner of a test')).toHaveLength(1)
  await query(`update campaigns set expires_at = now() - interval '1 second' where id = $1`, [id])
  expect(await choose(id, 0)).toMatchObject({ status: 409, body: { message: 'The campaign has ended' } })
  await decide()
  await completed(id)
  expect(received(phones)).toEqual([5, 5, 0, 0])
  expect(await get(id)).toMatchObject({
    abPhase: 'none',
    held: 0,
    stats: { queued: 0, skipped: 10 },
    failures: [{ reason: 'campaign_expired', count: 10 }],
  })
})

test('a campaign ends also if its senders have become inactive, and only those of the winner must be active', async () => {
  const dearer = smsLeg({ senderId: sms.smsAccount._id, templateId: sms.smsTemplate._id })
  const [late, chosen] = [
    await begin({ phones: phonesOf(20), variants: [dearer] }),
    await begin({ phones: phonesOf(20), variants: [dearer] }),
  ]
  for (const id of [late, chosen]) await sent(id, 10)
  const activate = (isActive: boolean) =>
    query('update senders set is_active = $2 where id = $1', [sms.smsAccount._id, isActive])
  await activate(false)
  try {
    expect(await choose(chosen, 1)).toMatchObject({ status: 409 })
    expect(await choose(chosen, 0)).toMatchObject({ status: 200 })
    await completed(chosen)
    await query(`update senders set is_active = false where id = $1`, [senderId])
    await query(`update campaigns set expires_at = now() - interval '1 second' where id = $1`, [late])
    await decide()
    await completed(late)
    expect(await get(late)).toMatchObject({ abPhase: 'none', held: 0, stats: { queued: 0, skipped: 10 } })
  } finally {
    await query(`update senders set is_active = true where id = $1`, [senderId])
    await activate(true)
  }
})

test('a paused campaign decides when it goes on', async () => {
  const id = await begin({ phones: phonesOf(20) })
  await sent(id, 10)
  await fixtures.ask('campaigns.pause', { path: { id } })
  await elapse(id)
  await decide()
  expect(await get(id)).toMatchObject({ status: 'paused', abPhase: 'testing' })
  await fixtures.ask('campaigns.resume', { path: { id } })
  await decide()
  expect(await get(id)).toMatchObject({ abPhase: 'awaiting_winner' })
  await fixtures.ask('campaigns.pause', { path: { id } })
  expect(await choose(id, 0)).toMatchObject({ status: 200 })
  await fixtures.ask('campaigns.resume', { path: { id } })
  await completed(id)
  await sent(id, 20)
})

test('a cancelled campaign ends its test', async () => {
  const phones = phonesOf(20)
  const id = await begin({ phones })
  await sent(id, 10)
  await fixtures.ask('campaigns.discard', { path: { id } })
  await elapse(id)
  await decide()
  expect(await get(id)).toMatchObject({
    status: 'cancelled',
    abPhase: 'none',
    stats: { cancelled: 10 },
    abTest: { winner: null },
  })
  expect(await choose(id, 0)).toMatchObject({
    status: 409,
    body: { message: 'The campaign ended before a winner was chosen' },
  })
  expect(received(phones)).toEqual([5, 5, 0, 0])
})

test('recipients of every group fail over to the next message', async () => {
  const [reached, absent] = [phonesOf(20), phonesOf(20, '0026')]
  const phones = [...reached, ...absent]
  const id = await begin({ phones, others: [failover()], variants: [variant(1), variant(2)], samplePercent: 60 })
  await until(async () => (await get(id)).stats.queued === 16, 'the test')
  expect(await choose(id, 2)).toMatchObject({ status: 200 })
  await completed(id)
  await sent(id, 40)
  const counts = received(phones)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40)
  expect(counts[3]).toBe(20)
  const { legs, stats, failover: followed } = await get(id)
  expect(legs.map(({ leg }) => leg)).toEqual([0, 1, 10, 11])
  expect(legs.reduce((sum, { starters }) => sum + starters, 0)).toBe(40)
  expect(stats).toMatchObject({ total: 40, submitted: 40, failed: 0, queued: 0 })
  expect(followed).toMatchObject({ entered: 20, delivered: 20 })
})

test('everyone may be in the test; then there is no winner to send', async () => {
  const phones = phonesOf(10)
  const id = await begin({ phones, samplePercent: 90, holdoutPercent: 10 })
  await completed(id)
  await sent(id, 9)
  expect(received(phones)).toEqual([5, 4, 0, 0])
  expect(await choose(id, 0)).toMatchObject({
    status: 409,
    body: { message: 'Everyone is in the test: there is no one else to send to' },
  })
})

test('a message of the test can be sent to a number of one’s own', async () => {
  const [own = ''] = phonesOf(1)
  const id = await build({ phones: phonesOf(4) })
  const send = (leg: number) =>
    fixtures.server.as(fixtures.manager).call('drafts.test', { path: { id }, body: { phoneNumber: own, seq: 0, leg } })
  expect(await send(10)).toMatchObject({ status: 200 })
  await until(() => received([own])[1] === 1, 'the test message')
  expect(await send(11)).toMatchObject({ status: 400, body: { message: 'The draft has no such message' } })
})

test('a test that cannot be decided is refused', async () => {
  const phones = phonesOf(4)
  const refusal = async (change: Partial<z.input<typeof AbTest>>) => {
    const { status, statusDetail } = await validateDraft(fixtures.ask, await build({ phones, ...change }))
    return { status, statusDetail }
  }
  expect(await refusal({ metric: 'clicked' })).toEqual({
    status: 'failed',
    statusDetail: 'A message of the test has no tracked link. Choose another comparison, or give each message a link.',
  })
  const second = smsLeg({ senderId: sms.smsAccount._id, templateId: sms.smsTemplate._id })
  expect(await refusal({ metric: 'read', variants: [second] })).toEqual({
    status: 'failed',
    statusDetail: 'SMS does not report who has read a message. Choose another comparison.',
  })
  expect(await refusal({ durationMinutes: 5000 })).toMatchObject({
    statusDetail:
      'The campaign ends before its test. A campaign ends three days after its start. Choose a later end, or a shorter test.',
  })
  expect(await refusal({ variants: [whatsappLeg({ senderId })] })).toEqual({
    status: 'failed',
    statusDetail: 'Choose the WhatsApp template of message B',
  })
  const broken = (change: object) =>
    fixtures.server.as(fixtures.manager).call('drafts.create', {
      body: { campaignName: 'Sale', legs: [variant(0)], abTest: { variants: [variant(1)], ...change } },
    })
  expect(await broken({ variants: [] })).toMatchObject({ status: 400 })
  expect(await broken({ samplePercent: 60, holdoutPercent: 50 })).toMatchObject({
    status: 400,
    body: { message: 'Test and control group together are more than everyone' },
  })
  expect(await broken({ variants: [{ ...variant(1), entryConditions: [{ type: 'failed' }] }] })).toMatchObject({
    status: 400,
    body: { message: 'A message of a test is sent without conditions' },
  })
})
