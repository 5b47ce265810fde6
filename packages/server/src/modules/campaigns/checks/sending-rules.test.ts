import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { smsLeg, whatsappLeg } from '../../../testing/draft-legs.ts'
import { until } from '../../../testing/until.ts'
import { buildDraft, buildNotice, validateDraft } from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'
import { checkInvariants } from '../../balance/index.ts'

let fixtures: WhatsappServer
let connection: Awaited<ReturnType<typeof connectWhatsapp>>
let template: WhatsappTemplate

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  connection = await connectWhatsapp(fixtures)
  template = await buildNotice(fixtures.ask, connection.waba_id)
}, 60_000)
afterAll(async () => {
  expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
  await fixtures.close()
})

const phones = (count: number) =>
  Array.from({ length: count }, (_, index) => `+91980${String(index).padStart(3, '0')}1200`)

const create = (count: number, more: Partial<CampaignDraft> = {}): Promise<SavedDraft> =>
  buildDraft(fixtures.ask, phones(count), {
    legs: [whatsappLeg({ senderId: connection.senderId, templateId: template._id })],
    ...more,
  })

const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })
const save = (draft: SavedDraft, more: Partial<CampaignDraft>) =>
  fixtures.ask('drafts.save', { path: { id: draft._id }, body: { ...draft, ...more } })
const estimate = (id: string) => fixtures.ask('drafts.estimate', { path: { id } })
const checkOf = async (id: string, check: string) => (await estimate(id)).checks.find((one) => one.id === check)

const validate = (id: string) => validateDraft(fixtures.ask, id)

const start = (id: string) =>
  fixtures.server.call('waCampaigns.start', { as: fixtures.manager, path: { id }, body: {} })

async function limitTo(messagingLimit: number) {
  await fixtures.server.database.ownerPool.query(
    `update senders set facts = facts || jsonb_build_object('messagingLimit', $2::int) where id = $1`,
    [connection.senderId, messagingLimit],
  )
}

/** Moves the times of queued messages back by a day. */
async function passDay(id: string) {
  await fixtures.server.database.ownerPool.query(
    `update chunks set not_before = not_before - interval '24 hours' where campaign_id = $1`,
    [id],
  )
}

test("a campaign beyond the number's limit is spread over days, reports until when it waits, and reaches everyone once", async () => {
  await limitTo(40)
  const draft = await create(100)
  expect(await checkOf(draft._id, 'limit')).toMatchObject({
    level: 'advice',
    title: 'More than the 40 people left for today',
  })
  await save(draft, { splitOverDays: true })
  const counted = await estimate(draft._id)
  expect(counted.checks.find(({ id }) => id === 'limit')).toMatchObject({
    level: 'pass',
    title: 'Sent over 3 days',
    detail: expect.stringContaining('40 people at first, then up to 40 every 24 hours'),
  })
  expect(Date.parse(counted.endsAt) - Date.parse(counted.beginsAt)).toBeGreaterThanOrEqual(48 * 3_600_000)

  expect(await validate(draft._id)).toMatchObject({ status: 'ready' })
  expect(await start(draft._id)).toMatchObject({ status: 200 })
  await until(async () => (await get(draft._id)).stats.submitted === 40, 'the first day')
  expect(await get(draft._id)).toMatchObject({
    status: 'running',
    etaSeconds: null,
    statusDetail: expect.stringMatching(/^40 more people get it from /),
  })
  // A campaign planned now reports that today's limit is used up.
  const other = await create(10, { splitOverDays: true })
  expect(await checkOf(other._id, 'limit')).toMatchObject({
    level: 'pass',
    title: 'Sent over one day',
    detail: expect.stringContaining('From tomorrow on'),
  })

  const pause = () => fixtures.ask('campaigns.pause', { path: { id: draft._id } })
  const resume = () => fixtures.ask('campaigns.resume', { path: { id: draft._id } })
  await pause()
  await resume()
  expect(await get(draft._id)).toMatchObject({ statusDetail: expect.stringContaining('40 more people') })
  await passDay(draft._id)
  await until(async () => (await get(draft._id)).stats.submitted === 80, 'the second day')
  await passDay(draft._id)
  await until(async () => (await get(draft._id)).status === 'completed', 'completion')
  expect((await get(draft._id)).stats).toMatchObject({ total: 100, submitted: 100, skipped: 0, queued: 0 })
  const texts = phones(100).map((phone) => fixtures.simulator.handset.find(phone.slice(1))?.messages.length)
  expect(texts).toEqual(texts.map(() => 1))
}, 60_000)

test('an end before the last day is rejected, and so are more days than a month', async () => {
  await limitTo(250)
  const draft = await create(300, { splitOverDays: true })
  const tomorrow = new Date(Date.now() + 12 * 3_600_000).toISOString()
  await save(draft, { splitOverDays: true, expiresAt: tomorrow })
  expect(await checkOf(draft._id, 'expiry')).toMatchObject({
    level: 'blocker',
    title: 'The end is before the last part',
  })
  expect(await validate(draft._id)).toMatchObject({ status: 'failed' })

  await limitTo(5)
  await save(draft, { splitOverDays: true })
  expect(await checkOf(draft._id, 'limit')).toMatchObject({ level: 'blocker' })

  // A check that passes at validation may fail at the start.
  await limitTo(250)
  expect(await validate(draft._id)).toMatchObject({ status: 'ready' })
  await limitTo(5)
  expect(await start(draft._id)).toMatchObject({
    status: 409,
    body: { message: 'The number would need more than 30 days for this many people' },
  })
}, 60_000)

test('recently messaged people are excluded on either channel, and the report names the reason', async () => {
  await limitTo(100_000)
  const draft = await create(120, { skipRecent: { hours: 24, scope: 'channel' } })
  expect(await checkOf(draft._id, 'recent')).toMatchObject({
    level: 'advice',
    title: '100 people were written to in the last 24 hours',
  })
  expect(await validate(draft._id)).toMatchObject({ status: 'ready' })
  await start(draft._id)
  await until(async () => (await get(draft._id)).status === 'completed', 'completion')
  expect(await get(draft._id)).toMatchObject({
    stats: { submitted: 20, skipped: 100 },
    failures: [{ reason: 'recently_messaged', title: 'Messaged recently', count: 100 }],
  })
  const body = { campaignName: 'By SMS', skipRecent: { hours: 48 }, legs: [smsLeg()] satisfies [unknown] }
  const sms = await fixtures.ask('drafts.create', { body })
  expect(await fixtures.ask('drafts.get', { path: { id: sms._id } })).toMatchObject({
    skipRecent: { hours: 48, scope: 'channel' },
  })
  expect(
    await fixtures.server.call('drafts.create', {
      as: fixtures.manager,
      body: { ...body, skipRecent: { hours: 721 } },
    }),
  ).toMatchObject({ status: 400, body: { details: [{ field: 'skipRecent.hours', message: 'At most 30 days' }] } })
}, 60_000)
