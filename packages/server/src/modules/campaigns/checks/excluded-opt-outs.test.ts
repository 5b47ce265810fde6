import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { smsLeg, whatsappLeg } from '../../../testing/draft-legs.ts'
import { until } from '../../../testing/until.ts'
import {
  addSmsRate,
  buildDraft,
  buildNotice,
  connectSmsBehind,
  validateDraft,
} from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'
import { checkInvariants } from '../../balance/index.ts'

let fixtures: WhatsappServer
let connection: Awaited<ReturnType<typeof connectWhatsapp>>
let template: WhatsappTemplate
let sms: Awaited<ReturnType<typeof connectSmsBehind>>

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  connection = await connectWhatsapp(fixtures)
  await addSmsRate(fixtures)
  template = await buildNotice(fixtures.ask, connection.waba_id)
  sms = await connectSmsBehind(fixtures, { name: 'closed', body: 'Closed on Sunday. -Acme Retail', variables: [] })
}, 60_000)
afterAll(async () => {
  expect(await asSystem(fixtures.server.database, checkInvariants)).toEqual([])
  await fixtures.close()
})

const phone = (index: number) => `+91982${String(index).padStart(3, '0')}1200`

const optOut = (numbers: readonly string[]) =>
  fixtures.ask('optOuts.add', { body: { scope: 'whatsapp', numbers: numbers.join('\n') } })

async function build(from: number, count: number, { failsOver = false } = {}): Promise<string> {
  const phones = Array.from({ length: count }, (_, index) => phone(from + index))
  const first = whatsappLeg({ senderId: connection.senderId, templateId: template._id })
  const second = smsLeg({
    senderId: sms.smsAccount._id,
    templateId: sms.smsTemplate._id,
    entryConditions: [{ type: 'no_consent_on_channel' }],
  })
  return (await buildDraft(fixtures.ask, phones, { legs: failsOver ? [first, second] : [first] }))._id
}

const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })

const validate = (id: string) => validateDraft(fixtures.ask, id)

async function run(id: string) {
  await fixtures.ask('waCampaigns.start', { path: { id }, body: {} })
  await until(async () => (await get(id)).status === 'completed', 'completion')
  return get(id)
}

test('people who opted out before validation are no recipients, also after they opt in again; the numbers add up', async () => {
  await optOut([phone(3), phone(702)])
  const id = await build(0, 720)
  expect(await validate(id)).toMatchObject({ status: 'ready', stats: { total: 720, queued: 720 } })
  await fixtures.ask('optOuts.remove', { path: { channel: 'whatsapp', number: phone(3) } })
  // Later opt-outs are skipped as the message is sent.
  await optOut([phone(5)])
  const ended = await run(id)
  expect(ended).toMatchObject({
    percent: 100,
    stats: { total: 720, submitted: 717, skipped: 3, queued: 0 },
    failures: [{ reason: 'opted_out', count: 3 }],
  })
  const skipped = await fixtures.ask('campaigns.responses', { query: { campaignId: id, status: 'skipped' } })
  expect(skipped.responses.map(({ phoneNumber, reason }) => [phoneNumber, reason])).toEqual([
    [phone(3), 'opted_out'],
    [phone(5), 'opted_out'],
    [phone(702), 'opted_out'],
  ])
  expect(fixtures.simulator.handset.find(phone(3).slice(1))?.messages ?? []).toEqual([])
}, 60_000)

test('a later leg for people without consent gets them; if there is none, an audience of opt-outs is rejected', async () => {
  const numbers = [phone(2000), phone(2001)]
  await optOut(numbers)
  expect(await validate(await build(2000, 2))).toMatchObject({
    status: 'failed',
    statusDetail: 'No one to send to. Everyone in this audience has opted out.',
  })
  const id = await build(2000, 2, { failsOver: true })
  expect(await validate(id)).toMatchObject({ status: 'ready' })
  expect(await run(id)).toMatchObject({
    percent: 100,
    stats: { total: 2, submitted: 2, skipped: 0 },
    failover: { entered: 2, sent: 2, reasons: [{ title: 'The person opted out', count: 2 }] },
  })
  const channels = numbers.map((number) =>
    fixtures.simulator.handset.find(number.slice(1))?.messages.map(({ channel }) => channel),
  )
  expect(channels).toEqual([['sms'], ['sms']])
}, 60_000)
