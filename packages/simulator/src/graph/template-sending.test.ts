import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoAccount } from './demo-account.ts'
import { type Business, startBusiness, person } from './testing.ts'
import { link, orderBody, orderUpdate, otp, otpButton, quick, text } from './testing-templates.ts'
import type { Row } from './objects.ts'

const [numberId] = demoAccount.phoneNumberIds
let business: Business

beforeEach(async () => {
  business = await startBusiness({ gapMs: [0, 1], reviewMs: 5 })
})
afterEach(() => business.close())

const decided = async (count = 1) => business.webhook.waitForChanges('message_template_status_update', count)
const put = (row: Row) => business.control.putTemplate({ ...orderUpdate, ...row })

const send = (name: string, components?: Row[], language = 'en') =>
  business.call(`POST ${numberId}/messages`, {
    messaging_product: 'whatsapp',
    to: `+${person}`,
    type: 'template',
    template: { name, language: { code: language }, components },
  })
const words = (...list: string[]) => list.map((each) => ({ type: 'text', text: each }))
const bodyOf = (...list: string[]) => ({ type: 'body', parameters: words(...list) })
const shown = () => business.simulator.handset.find(person)?.messages.at(-1)?.content
const named = {
  name: 'named',
  parameter_format: 'named',
  ...text('Dear {{first_name}}, welcome to us.', {
    body_text_named_params: [{ param_name: 'first_name', example: 'A' }],
  }),
}
const full = {
  name: 'full',
  category: 'MARKETING',
  components: [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://a.in/a.png'] } },
    orderBody,
    { type: 'FOOTER', text: 'Reply STOP to opt out' },
    { type: 'BUTTONS', buttons: [link(), { type: 'COPY_CODE', example: 'X' }, quick('Stop')] },
  ],
}
const image = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://a.in/a.png' } }] }
const button = (sub_type: string, index: string, parameter: Row) => ({
  type: 'button',
  sub_type,
  index,
  parameters: [parameter],
})
const suffix = button('url', '0', { type: 'text', text: 'A-17' })
const code = button('copy_code', '1', { type: 'coupon_code', coupon_code: 'SAVE' })

test('positional, named, with header and buttons: as shown to the person', async () => {
  put({})
  put(named)
  put(full)
  expect((await send('order_update', [bodyOf('Asha', 'A-17')])).status).toBe(200)
  expect(shown()?.body).toBe('Hi Asha, your order A-17 was shipped today.')
  await send('named', [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Ravi' }] }])
  expect(shown()?.body).toBe('Dear Ravi, welcome to us.')
  await send('full', [
    image,
    bodyOf('Asha', 'A-17'),
    suffix,
    code,
    button('quick_reply', '2', { type: 'payload', payload: 'opt-out' }),
  ])
  expect(shown()).toMatchObject({
    header: { kind: 'media', media: { kind: 'image', link: 'https://a.in/a.png' } },
    footer: 'Reply STOP to opt out',
    buttons: [
      { kind: 'url', text: 'Track', url: 'https://a.in/t/A-17' },
      { kind: 'copy_code', code: 'SAVE' },
      { kind: 'quick_reply', text: 'Stop', payload: 'opt-out' },
    ],
  })
})

test('an authentication code, and cards', async () => {
  put({ ...otp, components: [{ type: 'BODY' }, otpButton] })
  expect((await send('code', [bodyOf('123456'), button('url', '0', { type: 'text', text: '123456' })])).status).toBe(
    200,
  )
  expect(shown()).toMatchObject({
    body: '*123456* is your verification code.',
    buttons: [{ kind: 'otp', code: '123456' }],
  })
  expect((await send('code', [bodyOf('x'.repeat(16))])).body.error).toMatchObject({ code: 131009 })
  const card = {
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://a.in/a.png'] } },
      { type: 'BUTTONS', buttons: [quick('Buy')] },
    ],
  }
  put({
    name: 'cards',
    category: 'MARKETING',
    components: [
      { type: 'BODY', text: 'Look at these' },
      { type: 'CAROUSEL', cards: [card, card] },
    ],
  })
  const filled = [0, 1].map((card_index) => ({ card_index, components: [image] }))
  expect((await send('cards', [{ type: 'carousel', cards: filled }])).status).toBe(200)
  expect(shown()?.cards).toMatchObject([{ header: { kind: 'media' }, buttons: [{ text: 'Buy' }] }, {}])
  expect((await send('cards', [{ type: 'carousel', cards: filled.slice(1) }])).body.error).toMatchObject({
    code: 132000,
  })
})

test.each<[string, string, Row[] | undefined, number]>([
  ['no parameters', 'order_update', undefined, 132000],
  ['one parameter of two', 'order_update', [bodyOf('Asha')], 132000],
  ['one too many', 'order_update', [bodyOf('a', 'b', 'c')], 132000],
  [
    'a picture in the text',
    'order_update',
    [{ type: 'body', parameters: [{ type: 'image', image: {} }, ...words('b')] }],
    132012,
  ],
  ['an empty parameter', 'order_update', [bodyOf('a', '')], 131008],
  ['a text that becomes too long', 'order_update', [bodyOf('a', 'x'.repeat(1024))], 132005],
  [
    'a header the template has not',
    'order_update',
    [{ type: 'header', parameters: words('a') }, bodyOf('a', 'b')],
    132000,
  ],
  ['names missing', 'named', [bodyOf('Ravi')], 132012],
  ['no header picture', 'full', [bodyOf('a', 'b'), suffix, code], 132012],
  [
    'a film for a picture',
    'full',
    [
      { type: 'header', parameters: [{ type: 'video', video: { link: 'https://a.in' } }] },
      bodyOf('a', 'b'),
      suffix,
      code,
    ],
    132012,
  ],
  ['no word for the link', 'full', [image, bodyOf('a', 'b'), code], 131008],
  ['a button of another kind', 'full', [image, bodyOf('a', 'b'), button('quick_reply', '0', {}), code], 132012],
  ['a button that is not there', 'full', [image, bodyOf('a', 'b'), suffix, code, button('url', '7', {})], 132012],
])('%s is rejected', async (_, name, components, expected) => {
  put({})
  put(named)
  put(full)
  expect((await send(name, components)).body.error).toMatchObject({
    code: expected,
    error_data: { details: expect.any(String) },
  })
})

test('paused, disabled, pending: 132015, 132016, 132001; three pauses disable', async () => {
  const { id } = put({})
  const fill = [bodyOf('Asha', 'A-17')]
  const expected = [132015, 132015, 132016]
  for (const code of expected) {
    business.control.changeTemplate(id, { pause: true })
    expect((await send('order_update', fill)).body.error).toMatchObject({ code })
  }
  expect(await decided(3)).toMatchObject([
    { event: 'PAUSED', other_info: { title: 'FIRST_PAUSE' } },
    { event: 'PAUSED', other_info: { title: 'SECOND_PAUSE' } },
    { event: 'DISABLED', disable_info: {} },
  ])
  business.control.changeTemplate(id, { status: 'PENDING' })
  expect(await send('order_update', fill)).toMatchObject({ status: 404, body: { error: { code: 132001 } } })
  business.control.changeTemplate(id, { status: 'PAUSED' })
  business.control.changeTemplate(id, { quality: 'RED' })
  expect(await business.webhook.waitForChanges('message_template_quality_update', 1)).toMatchObject([
    { previous_quality_score: 'UNKNOWN', new_quality_score: 'RED' },
  ])
})

test('a paced template is held, then released or dropped', async () => {
  const { id } = put({})
  business.control.set({ holdMs: 5 })
  for (const pacing of ['release', 'drop']) {
    business.control.changeTemplate(id, { pacing })
    expect((await send('order_update', [bodyOf('a', 'b')])).body.messages).toMatchObject([
      { message_status: 'held_for_quality_assessment' },
    ])
  }
  const statuses = await business.webhook.waitForStatuses(4)
  expect(statuses.filter(({ status }) => status === 'failed')).toMatchObject([{ errors: [{ code: 132015 }] }])
})

test('taps: a quick reply sends a message, the others are only counted', async () => {
  put(full)
  const answer = await send('full', [image, bodyOf('a', 'b'), suffix, code])
  const [{ id: messageId } = { id: '' }] = answer.body.messages as { id: string }[]
  expect(business.control.tap(person, { messageId, button: 0 }).answer).toBeUndefined()
  business.control.tap(person, { messageId, button: 2 })
  expect(await business.webhook.waitForMessages(1)).toMatchObject([
    { type: 'button', button: { payload: 'Stop', text: 'Stop' }, context: { id: messageId, from: '918047181000' } },
  ])
})
