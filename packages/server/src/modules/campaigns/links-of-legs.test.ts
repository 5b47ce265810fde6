import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { until } from '../../testing/until.ts'
import { addSmsRate, buildApprovedTemplate, connectSmsBehind } from '../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../testing/whatsapp-server.ts'

const host = 'go.acme.example'
const [track, pay] = ['https://shop.example/track', 'https://shop.example/pay']
const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'
/** The last four digits decide: 0026 is not on WhatsApp. */
const [reached, absent] = ['+919800011200', '+919800020026']

let fixtures: WhatsappServer
let connection: Awaited<ReturnType<typeof connectWhatsapp>>
let behind: { smsAccount: SmsAccount; smsTemplate: SmsTemplate }

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  connection = await connectWhatsapp(fixtures)
  await addSmsRate(fixtures)
  behind = await connectSmsBehind(fixtures, {
    name: 'order_ready_sms',
    body: 'Dear {#var#}, your order is ready: {#url#} -Acme Retail',
    variables: [
      { name: 'name', kind: 'var', sample: 'Asha' },
      { name: 'page', kind: 'url', sample: `https://${host}/l/abc` },
    ],
  })
  await fixtures.ask('links.updateSettings', { body: { host } })
}, 60_000)
afterAll(() => fixtures.close())

const buildTemplate = (name: string, url: string) =>
  buildApprovedTemplate(fixtures.ask, {
    waba_id: connection.waba_id,
    name,
    category: 'UTILITY',
    components: {
      body: `Hello {{1}}, your ${name} is ready and waits for you at our store in Pune. Reply STOP to hear no more.`,
      samples: [{ name: '1', sample: 'Asha' }],
      buttons: [{ type: 'URL', text: 'Track', url: `${url}{{1}}`, sample: `${url}7` }],
    },
  })

async function create(template: string) {
  const name = { column: 1, fallback: '' }
  const content = ['phone,name', `${reached},Asha`, `${absent},Ravi`].join('\n')
  const { _id } = await fixtures.ask('waCampaigns.create', {
    body: {
      campaignName: `Orders ${newId().slice(-6)}`,
      waba_id: connection.waba_id,
      phone_number_id: connection.lineId,
      message: { templateId: template, values: { body: [name], urls: [{ link: track }] } },
      smsFailover: true,
      smsFailoverConditions: [{ type: 'not_reachable_on_channel' }],
      smsTemplate: behind.smsTemplate._id,
      smsAccountId: behind.smsAccount._id,
      smsCustomParams: [name, { link: pay }],
    },
    files: { file: { name: 'orders.csv', content } },
  })
  await until(async () => (await get(_id)).status !== 'validating', 'validation')
  return get(_id)
}
const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })

/** Everything that the phone shows of its last message. */
const shownOn = (number: string) =>
  JSON.stringify(fixtures.simulator.handset.find(number.slice(1))?.messages.at(-1) ?? null)

const codeOn = (number: string) => new RegExp(`https://${host}/l/([\\dA-Za-z]{12})`).exec(shownOn(number))?.[1] ?? ''

function open(code: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    request(new URL(`/l/${code}`, fixtures.server.url), { headers: { 'user-agent': agent, host } }, (response) => {
      response.resume()
      resolve(response.headers.location)
    })
      .on('error', reject)
      .end()
  })
}

test('a button of WhatsApp and the SMS of those who are not there have links of their own, and both count', async () => {
  const { _id, status } = await create((await buildTemplate('order', `https://${host}/l/`))._id)
  expect(status).toBe('ready')
  await fixtures.ask('waCampaigns.start', { path: { id: _id }, body: {} })
  await until(async () => {
    const { stats } = await get(_id)
    return stats.delivered + stats.read === 2
  }, 'delivery on both channels')
  // Requests within two seconds after sending are previews.
  await fixtures.server.database.systemPool.query(
    `update messages set sent_at = sent_at - interval '1 hour' where campaign_id = $1`,
    [_id],
  )
  expect(await open(codeOn(reached))).toBe(track)
  expect(await open(codeOn(absent))).toBe(pay)
  await until(async () => (await get(_id)).stats.clicked === 2, 'the clicks')
  const { links, people } = await fixtures.ask('links.list', { path: { id: _id } })
  expect(people).toBe(2)
  expect(links).toMatchObject([
    { leg: 0, variable: 'Track', url: track, people: 1, clicks: 1 },
    { leg: 1, url: pay, people: 1, clicks: 1 },
  ])
  const clickedOf = async (leg: number) => {
    const query = { campaignId: _id, leg, result: 'delivered', clicked: 'true' } as const
    return (await fixtures.ask('campaigns.responses', { query })).responses.map(({ phoneNumber }) => phoneNumber)
  }
  expect([await clickedOf(0), await clickedOf(1)]).toEqual([[reached], [absent]])
})

test('a button whose address does not begin with the link domain has none', async () => {
  const { status, statusDetail = '' } = await create((await buildTemplate('parcel', 'https://shop.example/o/'))._id)
  expect([status, statusDetail.split('.')[0]]).toEqual([
    'failed',
    'The address of Track does not begin with your link domain',
  ])
})
