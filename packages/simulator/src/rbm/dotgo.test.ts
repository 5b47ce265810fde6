import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoPartner } from './demo-agent.ts'
import type { Row } from './objects.ts'
import { type Partner, person, startPartner } from './testing.ts'

const { botId, clientId, clientSecret, adminId, adminSecret } = demoPartner.dotgo
let partner: Partner
let admin: string
let bot: string

beforeEach(async () => {
  partner = await startPartner({ reviewMs: 1 })
  await partner.control.setWebhook({ agentId: botId, url: partner.webhook.url })
  admin = String((await takeToken(adminId, adminSecret)).body.access_token)
  bot = String((await takeToken(clientId, clientSecret)).body.access_token)
})
afterEach(() => partner.close())

async function ask(path: string, init: RequestInit): Promise<{ status: number; body: Row }> {
  const answer = await fetch(`${partner.simulator.rbm.dotgoUrl}${path}`, init)
  return { status: answer.status, body: await answer.json() }
}

const takeToken = (id: string, secret: string) =>
  ask('/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })

const manage = (path: string, body?: FormData, token = admin) =>
  ask(`/directory/secure/api/v1/bots/${botId}${path}`, {
    method: body || path.startsWith('/delete') ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}` },
    ...(body ? { body } : {}),
  })

const form = (data: object, files: Record<string, string> = {}) => {
  const made = new FormData()
  made.append('rich_template_data', JSON.stringify(data))
  for (const [name, text] of Object.entries(files))
    made.append('multimedia_files', new File([text], name, { type: 'image/jpeg' }))
  return made
}

/** base64 with `-` and `_`, and with padding. */
const coded = (name: string) => btoa(name).replaceAll('+', '-').replaceAll('/', '_')

const send = (contentMessage: object, { to = person, id = 'm1' } = {}) =>
  ask(`/bot/v1/phones/+${to}/agentMessages?botId=${botId}&messageId=${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bot}`, 'content-type': 'application/json' },
    body: JSON.stringify({ contentMessage }),
  })

const text = { name: 't1', type: 'text_message', textMessageContent: 'Hello [name], order [order] is ready' }
const cardTemplate = {
  name: 'diwali_offer',
  type: 'rich_card',
  orientation: 'VERTICAL',
  height: 'SHORT_HEIGHT',
  standAlone: {
    cardTitle: 'Sale',
    cardDescription: 'Hi [name]',
    fileName: 'a.jpg',
    thumbnailFileName: 't.jpg',
    suggestions: [{ suggestionType: 'url_action', displayText: 'Shop', postback: 'SHOP', url: 'https://acme.example' }],
  },
}
const carousel = {
  name: 'c1',
  type: 'carousel',
  height: 'MEDIUM_HEIGHT',
  width: 'MEDIUM_WIDTH',
  carouselList: [1, 2].map((card) => ({ cardTitle: `Card ${card}`, mediaUrl: `https://x.example/${card}.jpg` })),
}

async function approve(data: { name: string }, files: Record<string, string> = {}) {
  const made = await manage('/templates', form(data, files))
  expect(made).toMatchObject({ status: 200, body: { name: data.name, status: 'pending' } })
  await expect.poll(async () => (await statusOf(data.name)).templateStatus).toBe('APPROVED')
}

const statusOf = async (name: string) => (await manage(`/templates/${coded(name)}/templateStatus`)).body

test('two pairs of credentials, one for templates and one for sending', async () => {
  expect(await takeToken(clientId, 'wrong')).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  expect((await manage('/templates', undefined, bot)).status).toBe(403)
  expect((await manage('/templates', undefined, 'nobody')).status).toBe(401)
})

test('templates are reviewed, listed, changed and deleted', async () => {
  await approve(cardTemplate, { 'a.jpg': 'image', 't.jpg': 'thumbnail' })
  await approve(carousel)
  expect((await manage('/templates')).body).toMatchObject({
    templateList: [
      { name: 'diwali_offer', type: 'rich_card', status: 'approved' },
      { name: 'c1', type: 'carousel', status: 'approved' },
    ],
  })
  expect((await manage(`/templates/${coded('c1')}`)).body).toMatchObject({ carouselList: carousel.carouselList })
  partner.control.set({ reviewMs: 60_000 })
  await manage(`/templates/${coded('c1')}`, form({ ...carousel, height: 'SHORT_HEIGHT' }))
  expect((await statusOf('c1')).templateStatus).toBe('PENDING')
  await manage(`/deleteTemplate/${coded('c1')}`)
  expect((await manage(`/templates/${coded('c1')}`)).status).toBe(404)
})

test('a template named so is rejected with a reason', async () => {
  await manage('/templates', form({ ...text, name: 'reject_this' }))
  await expect
    .poll(() => statusOf('reject_this'))
    .toMatchObject({ templateStatus: 'REJECTED', rejectionReason: expect.stringContaining('use case') })
})

test.each([
  ['a missing file', cardTemplate, 'has no file a.jpg'],
  ['an unknown type', { ...text, type: 'poem' }, 'type must be one of'],
  ['one card', { ...carousel, carouselList: carousel.carouselList.slice(1) }, '2 to 10'],
  [
    'a long label',
    { ...text, suggestions: [{ suggestionType: 'reply', displayText: 'a'.repeat(26), postback: 'x' }] },
    'at most 25',
  ],
  [
    'an unknown suggestion',
    { ...text, suggestions: [{ suggestionType: 'dance', displayText: 'a', postback: 'x' }] },
    'dance',
  ],
  ['no content', { name: 't1', type: 'text_message' }, 'textMessageContent is required'],
])('%s is an error inside of a response with 200', async (_name, data, words) => {
  expect(await manage('/templates', form(data))).toMatchObject({
    status: 200,
    body: { status: 'Bad Request', error: { message: expect.stringContaining(words) } },
  })
  partner.control.set({ dotgoErrorsIn200: false })
  expect((await manage('/templates', form(data))).status).toBe(400)
})

test.each([
  ['a JSON string', JSON.stringify({ name: 'Asha', order: 'A-7' })],
  [
    'a list of pairs',
    [
      { name: 'name', value: 'Asha' },
      { name: 'order', value: 'A-7' },
    ],
  ],
  ['a list of values', ['Asha', 'A-7']],
])('a template is sent with %s', async (_name, customParams) => {
  await approve(text)
  const sent = await send({ templateMessage: { templateCode: 't1', customParams } })
  expect(sent).toMatchObject({ status: 200, body: { messageId: 'm1' } })
  expect(partner.received()).toMatchObject([
    { text: 'Hello Asha, order A-7 is ready', via: 'dotgo', peer: botId, templateId: 't1' },
  ])
  const [push] = await partner.webhook.waitForPushes(1)
  expect(push?.headers).not.toHaveProperty('x-goog-signature')
  expect(push).toMatchObject({ attributes: { business_id: botId }, data: { eventType: 'DELIVERED', messageId: 'm1' } })
})

test('a template that is unknown, pending or lacks a value is not sent', async () => {
  const message = (customParams?: unknown) => ({ templateMessage: { templateCode: 't1', customParams } })
  expect((await send(message())).status).toBe(400)
  await approve(text)
  expect(await send(message({ name: 'Asha' }))).toMatchObject({
    status: 400,
    body: { error: { message: 'customParams has no value for order' } },
  })
  expect((await send(message('{'))).status).toBe(400)
  partner.control.set({ reviewMs: 60_000 })
  await manage('/templates', form({ ...text, name: 't2' }))
  expect((await send({ templateMessage: { templateCode: 't2', customParams: ['a', 'b'] } })).status).toBe(400)
})

test('a repeated messageId is delivered again, which the log shows', async () => {
  for (let time = 0; time < 2; time += 1) await send({ text: 'Hello' })
  expect(partner.control.listMessages({ since: 0, limit: 10 }).messages).toMatchObject([{ id: 'm1', timesShown: 2 }])
  expect(partner.simulator.handset.totals()).toMatchObject({ received: 2, duplicates: 1 })
})

test('…0007 fails with a reason', async () => {
  await send({ text: 'Hello' }, { to: '919812340007' })
  expect(await partner.webhook.waitForEvents('FAILED')).toMatchObject([
    { messageId: 'm1', reason: expect.stringContaining('API calls per second') },
  ])
  expect(partner.received('919812340007')).toEqual([])
})

test('events without the envelope, and the bot stays out of Google’s API', async () => {
  partner.control.set({ dotgoBareEvents: true })
  await send({ text: 'Hello' })
  const [push] = await partner.webhook.waitForPushes(1)
  expect(push).toMatchObject({ attributes: {}, data: { eventType: 'DELIVERED' } })
  expect((await partner.send({ contentMessage: { text: 'Hi' } }, { from: botId })).status).toBe(403)
})
