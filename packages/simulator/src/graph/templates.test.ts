import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoAccount } from './demo-account.ts'
import { type Business, startBusiness, type Answer } from './testing.ts'
import { link, orderBody, orderUpdate, otp, otpButton, quick, text } from './testing-templates.ts'
import type { Row } from './objects.ts'

const { wabaId } = demoAccount
let business: Business

beforeEach(async () => {
  business = await startBusiness({ gapMs: [0, 1], reviewMs: 5 })
})
afterEach(() => business.close())

const create = (changes: Row = {}) => business.call(`POST ${wabaId}/message_templates`, { ...orderUpdate, ...changes })
const decided = async (count = 1) => business.webhook.waitForChanges('message_template_status_update', count)
const idOf = ({ body: answer }: Answer) => String(answer.id)
const put = (row: Row) => business.control.putTemplate({ ...orderUpdate, ...row })

test('a template is pending, then approved, and the webhook has its exact id', async () => {
  const made = await create()
  expect(made).toEqual({
    status: 200,
    body: { id: expect.stringMatching(/^\d{16}$/), status: 'PENDING', category: 'UTILITY' },
  })
  expect(await decided()).toMatchObject([
    { event: 'APPROVED', message_template_name: 'order_update', message_template_language: 'en', reason: 'NONE' },
  ])
  expect(business.webhook.posts[0]?.raw).toContain(`"message_template_id":${idOf(made)}`)
  expect(await business.call(`GET ${idOf(made)}?fields=status,quality_score`)).toEqual({
    status: 200,
    body: { id: idOf(made), status: 'APPROVED', quality_score: { score: 'UNKNOWN', date: expect.any(Number) } },
  })
})

test('REJECT_ME is rejected, RECATEGORISE becomes marketing', async () => {
  await create({ components: [{ type: 'body', text: 'Please REJECT_ME at once.' }] })
  expect(await decided()).toMatchObject([{ event: 'REJECTED', reason: 'INVALID_FORMAT', rejection_info: {} }])
  await create({ name: 'news', components: [{ type: 'BODY', text: 'RECATEGORISE this fine offer.' }] })
  expect(await business.webhook.waitForChanges('template_category_update', 1)).toMatchObject([
    { previous_category: 'UTILITY', new_category: 'MARKETING', message_template_name: 'news' },
  ])
})

const header = (fields: Row) => ({ components: [{ type: 'HEADER', ...fields }, orderBody] })
const buttons = (...list: Row[]) => ({ components: [orderBody, { type: 'BUTTONS', buttons: list }] })

test.each<[string, Row, number?]>([
  ['capitals in the name', { name: 'Order' }],
  ['a language of fantasy', { language: 'english' }],
  ['an unknown category', { category: 'SPAM' }],
  ['a lifetime too short', { message_send_ttl_seconds: 10 }],
  ['a lifetime for ever in marketing', { category: 'MARKETING', message_send_ttl_seconds: -1 }],
  ['no body', { components: [{ type: 'FOOTER', text: 'Bye' }] }, 2388043],
  ['two bodies', { components: [orderBody, orderBody] }],
  ['a body beyond 1024', text('x'.repeat(1025)), 2388040],
  ['a variable at the start', text('{{1}} is the one we want', { body_text: [['a']] }), 2388299],
  ['a variable at the end', text('We want this one {{1}}', { body_text: [['a']] }), 2388299],
  ['more variables than words', text('Hi {{1}} {{2}} {{3}} there', { body_text: [['a', 'b', 'c']] }), 2388293],
  ['a gap in the numbers', text('Hi {{1}} and you {{3}} out there', { body_text: [['a', 'b']] }), 2388072],
  ['a name in a positional template', text('Hi dear {{name}} over there', { body_text: [['a']] }), 2388072],
  ['a dollar in a name', { ...text('Hi dear {{$name}} over there'), parameter_format: 'NAMED' }, 2388072],
  ['no examples', text('Hi {{1}}, how are you?'), 2388043],
  ['too few examples', text('Hi {{1}}, how are {{2}} and others?', { body_text: [['a']] }), 2388043],
  ['a header beyond 60', header({ format: 'TEXT', text: 'x'.repeat(61) }), 2388040],
  ['two variables in the header', header({ format: 'TEXT', text: 'A {{1}} and {{2}} b' }), 2388047],
  ['an emoji in the header', header({ format: 'TEXT', text: 'Hi 👋' }), 2388047],
  ['a picture without example', header({ format: 'IMAGE' }), 2388043],
  ['a picture with a media id', header({ format: 'IMAGE', example: { header_handle: ['123'] } }), 2494102],
  ['a variable in the footer', { components: [orderBody, { type: 'FOOTER', text: 'Hi {{1}}' }] }, 2388073],
  ['a footer beyond 60', { components: [orderBody, { type: 'FOOTER', text: 'x'.repeat(61) }] }, 2388040],
  ['eleven buttons', buttons(...Array.from({ length: 11 }, (_, index) => quick(`B${index}`)))],
  ['three links', buttons(link(), link(), link())],
  [
    'two phone numbers',
    buttons(...['1', '2'].map((digit) => ({ type: 'PHONE_NUMBER', text: 'Call', phone_number: `+9198${digit}` }))),
  ],
  ['quick replies apart', buttons(quick('A'), link(), quick('B'))],
  ['a label beyond 25', buttons(quick('x'.repeat(26))), 2388040],
  ['a variable inside of a link', buttons(link({ url: 'https://a.in/{{1}}/x' }))],
  ['a link without example', buttons(link({ example: undefined })), 2388043],
  ['a code beyond 15', buttons({ type: 'COPY_CODE', example: 'x'.repeat(16) })],
  ['text in an authentication template', { ...otp, components: [orderBody, otpButton] }, 2388072],
  ['an authentication without button', { ...otp, components: [{ type: 'BODY' }] }, 2388043],
  [
    'an expiry of 91 minutes',
    { ...otp, components: [{ type: 'BODY' }, { type: 'FOOTER', code_expiration_minutes: 91 }, otpButton] },
    2388073,
  ],
  ['one card', { components: [orderBody, { type: 'CAROUSEL', cards: [{ components: [orderBody] }] }] }],
  [
    'an offer beyond 16',
    {
      category: 'MARKETING',
      components: [orderBody, { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'x'.repeat(17) } }],
    },
    2388040,
  ],
])('%s is rejected', async (_, changes, subcode) => {
  const answer = await create(changes)
  expect(answer).toMatchObject({ status: 400, body: { error: { code: expect.any(Number), type: 'OAuthException' } } })
  if (subcode !== undefined)
    expect(answer.body.error).toMatchObject({
      code: 100,
      error_subcode: subcode,
      error_user_title: expect.any(String),
      error_user_msg: expect.any(String),
    })
})

test('unique name and language, unique text, 250 templates, 100 per hour', async () => {
  await create()
  expect((await create()).body.error).toMatchObject({ error_subcode: 2388024 })
  expect((await create({ name: 'twin' })).body.error).toMatchObject({ error_user_title: 'Duplicate template' })
  business.control.set({ templatesPerWaba: 2 })
  expect((await create({ name: 'more', ...text('Something else entirely') })).body.error).toMatchObject({
    error_subcode: 2388019,
  })
  business.control.set({ templatesPerHour: 1 })
  expect((await create({ name: 'more', ...text('Something else entirely') })).body.error).toMatchObject({ code: 80007 })
})

test('lists are paged, filtered and limited to fields', async () => {
  for (const index of [1, 2, 3]) await create({ name: `order_${index}`, ...text(`This is number ${index} of many`) })
  await decided(3)
  const first = await business.call(`GET ${wabaId}/message_templates?fields=name&limit=2`)
  expect(first.body.data).toEqual([
    { id: expect.any(String), name: 'order_3' },
    { id: expect.any(String), name: 'order_2' },
  ])
  const { next, cursors } = first.body.paging as { next: string; cursors: { after: string } }
  expect(await (await fetch(next)).json()).toMatchObject({ data: [{ name: 'order_1' }, { name: 'hello_world' }] })
  const second = await business.call(`GET ${wabaId}/message_templates?limit=2&after=${cursors.after}`)
  const paging = second.body.paging as { next?: string; previous: string; cursors: { before: string } }
  expect(paging.next).toBeUndefined()
  expect(
    (await business.call(`GET ${wabaId}/message_templates?limit=2&fields=name&before=${paging.cursors.before}`)).body
      .data,
  ).toEqual(first.body.data)
  const names = async (query: string) =>
    ((await business.call(`GET ${wabaId}/message_templates?${query}`)).body.data as { name: string }[]).map(
      ({ name }) => name,
    )
  expect(await names('name=order_2')).toEqual(['order_2'])
  expect(await names('status=REJECTED')).toEqual([])
  expect(await names('status=["APPROVED"]&language=en_US')).toEqual(['hello_world'])
  expect(await names('category=MARKETING,AUTHENTICATION')).toEqual([])
  expect((await business.call(`GET ${wabaId}/message_templates?after=nonsense`)).body).toMatchObject({
    error: { code: 100 },
  })
})

test('a pending template cannot be edited; an approved one once a day, and it goes to review again', async () => {
  const id = idOf(await create())
  business.control.set({ reviewMs: 60_000 })
  const pending = idOf(await create({ name: 'later', ...text('This one is looked at later.') }))
  expect((await business.call(`POST ${pending}`, text('Nothing of the kind, friend.'))).body.error).toMatchObject({
    error_user_title: 'Template cannot be edited',
  })
  business.control.set({ reviewMs: 5 })
  await decided()
  expect((await business.call(`POST ${id}`, { category: 'MARKETING' })).body.error).toMatchObject({ code: 100 })
  expect((await business.call(`POST ${id}`, text('Nothing of the kind, friend.'))).body).toEqual({ success: true })
  await decided(2)
  expect(await business.webhook.waitForChanges('message_template_components_update', 1)).toMatchObject([
    { message_template_element: 'Nothing of the kind, friend.' },
  ])
  expect((await business.call(`POST ${id}`, text('Again something else, friend.'))).body.error).toMatchObject({
    code: 100,
  })
})

test('deleting by name deletes all languages, by id one; an approved name is blocked for a while', async () => {
  const english = idOf(await create())
  await create({ language: 'hi', ...text('Namaste from us to all') })
  await decided(2)
  expect((await business.call(`DELETE ${wabaId}/message_templates?hsm_id=${english}&name=order_update`)).body).toEqual({
    success: true,
  })
  expect((await create()).body.error).toMatchObject({ error_subcode: 2388023 })
  expect((await business.call(`DELETE ${wabaId}/message_templates?name=order_update`)).body).toEqual({ success: true })
  expect(
    (await decided(6))
      .slice(2)
      .map(({ event }) => event)
      .toSorted((one, other) => String(one).localeCompare(String(other))),
  ).toEqual(['DELETED', 'DELETED', 'PENDING_DELETION', 'PENDING_DELETION'])
  expect((await business.call(`DELETE ${wabaId}/message_templates?name=order_update`)).body.error).toMatchObject({
    error_subcode: 2593002,
  })
})

test('an authentication template is read back with its text and a link', async () => {
  const components = [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 5 },
    otpButton,
  ]
  const id = idOf(await create({ ...otp, components }))
  expect((await business.call(`GET ${id}`)).body.components).toMatchObject([
    { text: '*{{1}}* is your verification code. For your security, do not share this code.' },
    { text: 'This code expires in 5 minutes.' },
    { buttons: [{ type: 'URL', text: 'Copy code', url: expect.stringContaining('otp{{1}}') }] },
  ])
})

test('unpausing by hand, and comparing', async () => {
  const { id } = put({})
  expect((await business.call(`POST ${id}/unpause`)).body.error).toMatchObject({ code: 100 })
  business.control.changeTemplate(id, { pause: true })
  expect((await business.call(`POST ${id}/unpause`)).body).toEqual({ success: true })
  expect((await business.call(`GET ${id}/compare?template_ids=[1]`)).body.data).toHaveLength(3)
})
