import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../index.ts'
import { demoAccount } from './demo-account.ts'
import { type Answer, graphClient } from './testing.ts'
import type { Row } from './objects.ts'

const { wabaId } = demoAccount
const [numberId] = demoAccount.phoneNumberIds
let simulator: Simulator
let templateId: string
let call: (line: string, body?: unknown) => Promise<Answer>

const now = Math.floor(Date.now() / 1000)
const span = `start(${now - 86_400}).end(${now + 86_400})`

/** Three templates are sent, two of them to India; a person writes and gets a reply; a link is tapped twice. */
beforeEach(async () => {
  simulator = await startSimulator({ graph: { gapMs: [0, 1] } })
  call = graphClient(simulator)
  const { control } = simulator.graph
  const link = { type: 'URL', text: 'Shop', url: 'https://a.in' }
  const body = { type: 'BODY', text: 'Come and buy.' }
  const put = {
    name: 'offer',
    language: 'en',
    category: 'MARKETING',
    components: [body, { type: 'BUTTONS', buttons: [link] }],
  }
  templateId = control.putTemplate(put).id
  const send = (to: string, message: Row) =>
    call(`POST ${numberId}/messages`, { messaging_product: 'whatsapp', to: `+${to}`, ...message })
  const offer = { type: 'template', template: { name: 'offer', language: { code: 'en' } } }
  const answer = await send('919812345671', offer)
  await send('919812345672', offer)
  await send('447700900123', offer)
  await send('919812340026', offer)
  control.write('919812345671', { phoneNumberId: numberId, type: 'text', text: { body: 'Hi' } })
  await send('919812345671', { type: 'text', text: { body: 'Hello' } })
  const [{ id } = { id: '' }] = answer.body.messages as { id: string }[]
  for (let count = 0; count < 2; count += 1) control.tap('919812345671', { messageId: id, button: 0 })
  await expect
    .poll(() => control.listMessages({ since: 0, limit: 9 }).messages.map(({ status }) => status))
    .toEqual(['read', 'read', 'read', 'failed', 'read'])
})
afterEach(() => simulator.close())

const points = async (fields: string) => {
  const { body } = await call(`GET ${wabaId}?fields=${encodeURIComponent(fields)}`)
  const name = fields.split('.')[0] ?? ''
  const found = body[name] as { data?: [{ data_points: Row[] }]; data_points?: Row[] }
  return found.data?.[0].data_points ?? found.data_points
}

test('messages, in total and filtered', async () => {
  expect(await points(`analytics.${span}.granularity(DAY)`)).toMatchObject([{ sent: 6, delivered: 4 }])
  expect(
    await points(`analytics.${span}.granularity(HALF_HOUR).product_types([0]).country_codes(["IN"])`),
  ).toMatchObject([{ sent: 3, delivered: 2 }])
  expect(await points(`analytics.${span}.granularity(MONTH).product_types([100])`)).toMatchObject([
    { sent: 1, delivered: 0 },
  ])
  expect(await points(`analytics.${span}.granularity(DAY).phone_numbers(["1"])`)).toEqual([])
})

test('prices, by the requested dimensions', async () => {
  const asked = `pricing_analytics.${span}.granularity(DAILY).dimensions(["PRICING_CATEGORY","COUNTRY"])`
  expect(await points(asked)).toEqual(
    expect.arrayContaining([
      {
        start: expect.any(Number),
        end: expect.any(Number),
        pricing_category: 'MARKETING',
        country: 'IN',
        volume: 2,
        cost: 1.5692,
      },
      {
        start: expect.any(Number),
        end: expect.any(Number),
        pricing_category: 'MARKETING',
        country: 'GB',
        volume: 1,
        cost: 0.7846,
      },
      {
        start: expect.any(Number),
        end: expect.any(Number),
        pricing_category: 'SERVICE',
        country: 'IN',
        volume: 1,
        cost: 0,
      },
    ]),
  )
  expect(
    await points(`pricing_analytics.${span}.granularity(DAILY).pricing_types(REGULAR).metric_types(VOLUME)`),
  ).toMatchObject([{ volume: 3 }])
})

test('conversations, by who started them', async () => {
  const asked = `conversation_analytics.${span}.granularity(DAILY).dimensions(CONVERSATION_DIRECTION)`
  expect(await points(asked)).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ conversation_direction: 'BUSINESS_INITIATED', conversation: 4 }),
      expect.objectContaining({ conversation_direction: 'USER_INITIATED', conversation: 1 }),
    ]),
  )
})

test('templates: only once insights are enabled, with clicks and cost', async () => {
  const ask = `GET ${wabaId}/template_analytics?start=${now}&end=${now + 1}&granularity=DAILY&metric_types=sent,delivered,read,clicked,cost&template_ids=[${templateId}]`
  expect((await call(ask)).body).toMatchObject({ error: { code: 200007 } })
  await call(`POST ${wabaId}?is_enabled_for_insights=true`)
  expect((await call(ask)).body).toMatchObject({
    data: [
      {
        granularity: 'DAILY',
        data_points: [
          {
            template_id: templateId,
            sent: 4,
            delivered: 3,
            read: 3,
            clicked: [{ type: 'url_button', button_content: 'Shop', count: 2 }],
            cost: [
              { type: 'amount_spent', value: 2.3538 },
              { type: 'cost_per_delivered', value: 0.7846 },
              { type: 'cost_per_url_button_click', value: 1.1769 },
            ],
          },
        ],
      },
    ],
  })
})

test.each([
  ['fields=analytics.start(1).end(2).granularity(DAY)'],
  [`fields=analytics.start(${now}).end(${now - 1}).granularity(DAY)`],
  [`fields=analytics.${span}.granularity(YEAR)`],
  [`fields=pricing_analytics.${span}.granularity(DAILY).dimensions(MOON)`],
  [`fields=conversation_analytics.${span}.granularity(DAILY).metric_types(JOY)`],
])('%s is rejected', async (query) => {
  expect((await call(`GET ${wabaId}?${query}`)).body).toMatchObject({ error: { code: 100 } })
})
