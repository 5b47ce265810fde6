import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { until } from '../../../testing/until.ts'
import { buildApprovedTemplate, fileOfPeople } from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'

let fixtures: WhatsappServer
let connection: Awaited<ReturnType<typeof connectWhatsapp>>
let marketing: WhatsappTemplate
let utility: WhatsappTemplate

const samples = [{ name: '1', sample: 'Asha' }]

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  connection = await connectWhatsapp(fixtures)
  const template = { waba_id: connection.waba_id }
  marketing = await buildApprovedTemplate(fixtures.ask, {
    ...template,
    name: 'monsoon_offer',
    category: 'MARKETING',
    components: { body: 'Hello {{1}}, our monsoon offers begin today in Pune. Reply STOP to hear no more.', samples },
  })
  utility = await buildApprovedTemplate(fixtures.ask, {
    ...template,
    name: 'order_ready',
    category: 'UTILITY',
    components: { body: 'Hello {{1}}, your order is ready to be picked up at our store in Pune.', samples },
  })
}, 60_000)
afterAll(() => fixtures.close())

async function run(template: WhatsappTemplate, phones: readonly string[]): Promise<string> {
  const { _id } = await fixtures.ask('waCampaigns.create', {
    body: {
      campaignName: `Campaign ${newId().slice(-6)}`,
      waba_id: connection.waba_id,
      phone_number_id: connection.lineId,
      message: { templateId: template._id, values: { body: [{ column: 1, fallback: '' }] } },
    },
    files: fileOfPeople(phones),
  })
  const get = () => fixtures.ask('campaigns.get', { path: { id: _id } })
  await until(async () => (await get()).status === 'ready', 'validation')
  await fixtures.ask('waCampaigns.start', { path: { id: _id }, body: {} })
  await until(async () => (await get()).status === 'completed', 'the end of the campaign')
  return _id
}

type Result = { phone: string; reason: string | null; code: string | null; hasArrived: boolean }

async function resultsOf(id: string): Promise<Result[]> {
  const { rows } = await fixtures.server.database.ownerPool.query<Result>(
    `select '+' || phone as phone, reason, code, status in ('delivered', 'read') as "hasArrived" from messages where campaign_id = $1 order by seq`,
    [id],
  )
  return rows
}

const optOuts = async () =>
  (
    await fixtures.server.database.ownerPool.query<{ phone: string; marketingOnly: boolean }>(
      `select '+' || phone as phone, marketing_only as "marketingOnly" from opt_outs`,
    )
  ).rows

/** For numbers with these last four digits the simulated Meta answers 131050: the person has stopped marketing. */
const stopped = '+919812340050'
const other = '+919812340061'
const arrived = (phone: string) => ({ phone, reason: null, code: null, hasArrived: true })

test('error 131050 excludes the person from the next marketing campaign, but not from a utility template', async () => {
  const first = await run(marketing, [stopped, other])
  await until(
    async () => (await resultsOf(first)).filter(({ reason, hasArrived }) => reason ?? hasArrived).length === 2,
    'the reports',
  )
  expect(await resultsOf(first)).toEqual([
    { phone: stopped, reason: 'opted_out', code: '131050', hasArrived: false },
    arrived(other),
  ])
  await until(async () => (await optOuts()).length === 1, 'the opt-out')
  expect(await optOuts()).toEqual([{ phone: stopped, marketingOnly: true }])

  // Without a code: it was not handed over.
  const second = await run(marketing, [stopped, other])
  await until(async () => (await resultsOf(second)).some(({ hasArrived }) => hasArrived), 'the report')
  expect(await resultsOf(second)).toEqual([
    { phone: stopped, reason: 'opted_out', code: null, hasArrived: false },
    arrived(other),
  ])

  // By its digits, the simulated Meta would answer 131050 to this as well.
  fixtures.simulator.setFaults({ magicNumbers: false })
  const third = await run(utility, [stopped, other])
  await until(async () => (await resultsOf(third)).filter(({ hasArrived }) => hasArrived).length === 2, 'both reports')
  expect(await resultsOf(third)).toEqual([arrived(stopped), arrived(other)])
}, 120_000)

test('a STOP afterwards stops everything, and opting in again in the app undoes it', async () => {
  const { people } = fixtures.simulator.graph.control
  const line = { from: stopped.slice(1), phoneNumberId: connection.lineId }
  people.write({ ...line, message: { type: 'text', text: { body: 'STOP' } } })
  await until(async () => (await optOuts()).some(({ marketingOnly }) => !marketingOnly), 'the STOP')
  const id = await run(utility, [stopped, other])
  expect(await resultsOf(id)).toMatchObject([{ phone: stopped, reason: 'opted_out', code: null }, { reason: null }])
  fixtures.simulator.graph.control.people.prefer({
    from: stopped.slice(1),
    phoneNumberId: connection.lineId,
    value: 'resume',
  })
  await until(async () => (await optOuts()).length === 0, 'the way back')
  expect(await resultsOf(await run(marketing, [stopped]))).toMatchObject([{ reason: null }])
}, 120_000)

test('money is reserved only for allowed recipients: an SMS opt-out does not apply to WhatsApp, a marketing opt-out applies to marketing only', async () => {
  const people = ['+919812340071', '+919812340072', '+919812340073'] as const
  const { organizationId } = fixtures.manager
  const optOut = (phone: string, channel: string, isMarketingOnly: boolean) =>
    fixtures.server.database.ownerPool.query(
      `insert into opt_outs (organization_id, channel, phone, keyword, marketing_only) values ($1, $2, $3, 'STOP', $4)`,
      [organizationId, channel, phone.slice(1), isMarketingOnly],
    )
  await optOut(people[0], 'sms', false)
  await optOut(people[1], 'whatsapp', true)
  await optOut(people[2], 'whatsapp', false)
  const paidFor = async (template: WhatsappTemplate) => {
    const id = await run(template, people)
    const { rows } = await fixtures.server.database.ownerPool.query<{ paid: number }>(
      `select (estimated_cost / leg.price)::int as paid from campaigns
      join campaign_legs leg on leg.campaign_id = campaigns.id and leg.leg = 0 where campaigns.id = $1`,
      [id],
    )
    return rows[0]?.paid
  }
  expect(await paidFor(marketing)).toBe(1)
  expect(await paidFor(utility)).toBe(2)
}, 120_000)
