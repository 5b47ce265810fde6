import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Refusal } from '../../management.ts'
import type { WhatsappContent } from '../message.ts'
import {
  lineId,
  listen,
  picture,
  png,
  refusalOf,
  simulateMeta,
  wabaId,
  type SimulatedMeta,
} from '../../../testing/cloud-api.ts'
import type { CloudApiConfig } from './config.ts'
import { openSignUp } from './sign-up.ts'
import { sendAll } from '../../../testing/send-all.ts'

let meta: SimulatedMeta

beforeEach(async () => {
  meta = await simulateMeta()
})
afterEach(() => meta.close())

describe('the token', () => {
  test('is checked for missing permissions and its expiry', async () => {
    expect(await meta.open().access.check()).toEqual({ missing: [], expiresAt: null })
    const { token } = meta.simulator.graph.control.putToken({
      expiresInMs: 3_600_000,
      scopes: ['whatsapp_business_messaging'],
    })
    const { missing, expiresAt } = await meta.open({ accessToken: token }).access.check()
    expect(missing).toEqual(['whatsapp_business_management'])
    expect(expiresAt?.getTime()).toBeGreaterThan(Date.now())
  })

  test.each<[string, () => Partial<CloudApiConfig>, RegExp]>([
    ['an unknown token', () => ({ accessToken: 'guess' }), /no longer valid/],
    [
      'that expired',
      () => ({ accessToken: meta.simulator.graph.control.putToken({ expiresInMs: -1 }).token }),
      /no longer valid/,
    ],
    [
      'of another account',
      () => ({ accessToken: meta.simulator.graph.control.putToken({ wabaIds: ['260000000000009'] }).token }),
      /has no access to the account/,
    ],
    [
      'of another app',
      () => (
        meta.simulator.graph.control.putApp({ id: '240000000000009' }),
        { accessToken: meta.simulator.graph.control.putToken({ appId: '240000000000009' }).token }
      ),
      /belongs to the app 240000000000009/,
    ],
    ['a token with a wrong app secret', () => ({ appSecret: 'another-secret' }), /token/i],
    ['a token without an app secret', () => ({ appSecret: '' }), /app secret/],
  ])('%s is rejected with a message', async (_, more, words) => {
    const refusal = await refusalOf(meta.open(more()).access.check())
    expect(refusal.kind).toBe('credentials')
    expect(refusal.message).toMatch(words)
  })
})

test('the account and its numbers', async () => {
  expect(await meta.open().access.describe()).toMatchObject({
    name: 'Acme Retail',
    currency: 'INR',
    facts: { country: 'IN', status: 'ACTIVE', review: 'APPROVED', verification: 'verified' },
  })
  meta.simulator.graph.control.changeNumber('270000000000002', {
    throughputLevel: 'HIGH',
    quality: 'YELLOW',
  })
  expect(await meta.open().lines.list()).toMatchObject([
    {
      id: lineId,
      displayNumber: '+91 80 4718 1000',
      name: 'Acme Retail',
      quality: 'green',
      status: 'CONNECTED',
      messagingLimit: 100_000,
      limitGroup: '250000000000001',
      ratePerSecond: 80,
      mode: 'live',
    },
    { id: '270000000000002', quality: 'yellow', limitGroup: '250000000000001', ratePerSecond: 1000 },
  ])
  meta.simulator.graph.control.changeNumber('270000000000002', { limitTier: 'TIER_UNLIMITED' })
  expect(await meta.open().lines.list()).toMatchObject([{ messagingLimit: null }, { messagingLimit: null }])
})

test.each([
  ['may not be read', 403, { error: { code: 200, message: 'Requires business_management permission' } }],
  ['is not returned', 200, { id: wabaId }],
])('where the business %s, an account has a limit of its own', async (_, status, said) => {
  const manage = await meta.answering((request, response) => {
    const isAboutLines = request.url?.includes('phone_numbers')
    const body = isAboutLines ? { data: [{ id: lineId, messaging_limit_tier: 'TIER_1K' }] } : said
    response.writeHead(isAboutLines ? 200 : status).end(JSON.stringify(body))
  })
  expect(await manage.lines.list()).toMatchObject([{ id: lineId, messagingLimit: 1000, limitGroup: wabaId }])
})

test('a number is registered with its PIN; a wrong PIN is rejected with a message', async () => {
  const manage = meta.open()
  await manage.lines.register(lineId, '123456')
  const refusal = await refusalOf(manage.lines.register(lineId, '654321'))
  expect(refusal.message).not.toBe('')
  expect(Number(refusal.code)).toBeGreaterThan(0)
})

test('callbacks are subscribed at an address that answers the handshake', async () => {
  const port = await listen(meta.closers, (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://webhook')
    const isOurs = searchParams.get('hub.verify_token') === 'simulator-verify-token'
    response.writeHead(isOurs ? 200 : 403).end(searchParams.get('hub.challenge'))
  })
  const url = `http://127.0.0.1:${port}/hooks/k/events`
  await meta.open().access.subscribe({ url, verifyToken: 'simulator-verify-token' })
  expect(meta.simulator.graph.control.overview().wabas[0]?.subscriptions).toMatchObject([{ url }])
  await meta.open().access.unsubscribe()
  expect(meta.simulator.graph.control.overview().wabas[0]?.subscriptions).toEqual([])
  expect(await refusalOf(meta.open().access.subscribe({ url, verifyToken: 'guess' }))).toMatchObject({
    kind: 'input',
    code: '2200',
  })
})

test('outbound media is uploaded and sent; inbound media is downloaded complete', async () => {
  const manage = meta.open()
  const { id, expiresAt } = await manage.media.upload(lineId, picture)
  expect(id).toMatch(/^\d+$/)
  expect(expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  expect(await manage.media.download(lineId, id)).toEqual({ mimeType: 'image/png', bytes: png })
  expect(await refusalOf(manage.media.download('270000000000002', id))).toMatchObject({ kind: 'input' })
  expect(await refusalOf(manage.media.upload(lineId, { ...picture, mimeType: 'image/bmp' }))).toMatchObject({
    kind: 'input',
  })

  meta.simulator.graph.control.setWindow('919812345678', { phoneNumberId: lineId })
  const session = meta.connect()
  const message = { reference: 'r', to: '+919812345678', parts: 1, expiresAt: new Date(Date.now() + 60_000) }
  expect(
    await sendAll(session, [{ ...message, content: { type: 'image', image: { id, caption: 'Look' } } }]),
  ).toMatchObject([{ kind: 'accepted' }])
})

test("an interrupted upload resumes at Meta's offset", async () => {
  const taken: Buffer[] = []
  let breaks = 1
  const manage = await meta.answering((request, response, body) => {
    if (request.url?.includes('/uploads?')) return void response.end('{"id":"upload:MTph?sig=ARZ"}')
    expect(request.url).toBe('/v25.0/upload:MTph?sig=ARZ')
    expect(request.headers.authorization).toBe('OAuth simulator-token')
    if (request.method === 'GET')
      return void response.end(`{"id":"upload:MTph","file_offset":${Buffer.concat(taken).length}}`)
    expect(Number(request.headers['file_offset'])).toBe(Buffer.concat(taken).length)
    if (breaks > 0) {
      breaks -= 1
      taken.push(body.subarray(0, 20))
      return void response.destroy()
    }
    taken.push(body)
    response.end('{"h":"4::aW"}')
  })
  expect(await manage.media.uploadSample(picture)).toBe('4::aW')
  expect(Buffer.concat(taken)).toEqual(png)
})

test('the token is sent to Meta only', async () => {
  const asked: string[] = []
  const manage = await meta.answering((request, response) => {
    asked.push(request.url ?? '')
    response.end('{"id":"upload:../../me","url":"http://127.0.0.1:1/file","mime_type":"image/png"}')
  })
  expect(await refusalOf(manage.media.download(lineId, '1'))).toMatchObject({ code: 'foreign_address' })
  expect(await refusalOf(manage.media.uploadSample(picture))).toMatchObject({ code: 'no_id' })
  expect(asked).toHaveLength(2)
})

test('the sender of a message sees the read receipt and the typing indicator', async () => {
  const { control } = meta.simulator.graph
  const person = '919900141200'
  const { id } = control.write(person, { phoneNumberId: lineId, type: 'text', text: { body: 'Are you open?' } })
  const shown = () => control.showPerson(person).numbers[0]
  await meta.open().lines.markRead(lineId, { id, isTyping: false })
  expect(shown()?.isTyping).toBe(false)
  await meta.open().lines.markRead(lineId, { id, isTyping: true })
  expect(shown()?.isTyping).toBe(true)
  const refusal = await refusalOf(meta.open().lines.markRead(lineId, { id: 'wamid.unknown', isTyping: false }))
  expect(refusal).toMatchObject({ kind: 'input', message: expect.stringContaining('wamid.unknown') })
})

test('the profile of a number, with its picture', async () => {
  const manage = meta.open()
  const profile = {
    about: 'We sell things',
    address: 'Fort, Mumbai',
    description: 'Since 1990',
    email: 'hello@acme.example',
    websites: ['https://acme.example'],
    vertical: 'RETAIL' as const,
  }
  await manage.profile.save(lineId, { ...profile, pictureHandle: await manage.media.uploadSample(picture) })
  expect(await manage.profile.get(lineId)).toEqual({ ...profile, profile_picture_url: expect.stringMatching(/^http/) })
  const emptied = {
    ...profile,
    about: '',
    address: '',
    description: '',
    email: '',
    websites: [],
    vertical: 'UNDEFINED' as const,
  }
  await manage.profile.save(lineId, emptied)
  expect(await manage.profile.get(lineId)).toMatchObject({
    ...emptied,
    about: profile.about,
    vertical: profile.vertical,
  })
})

test('numbers of sent messages and their cost', async () => {
  const session = meta.connect()
  const content: WhatsappContent = {
    type: 'template',
    template: { name: 'hello_world', language: { code: 'en_US' }, components: [] },
  }
  const expiresAt = new Date(Date.now() + 60_000)
  await sendAll(
    session,
    ['+919812345678', '+919812345679'].map((to) => ({ reference: to, to, parts: 1, expiresAt, content })),
  )
  const today = new Date().toISOString().slice(0, 10)
  const analyse = (lineNumber?: string) => meta.open().analytics.query({ from: today, to: today, lineNumber })
  await expect.poll(async () => (await analyse()).points[0]?.delivered).toBe(2)
  expect(await analyse('+91 80 4718 1000')).toMatchObject({
    currency: 'INR',
    points: [{ sent: 2, delivered: 2 }],
    prices: [{ category: 'UTILITY', type: 'REGULAR', volume: 2, cost: expect.any(Number) }],
  })
  expect((await analyse('+91 80 4718 2000')).points).toEqual([])
})

test('embedded sign-up: the code is valid once, and the token identifies the account', async () => {
  const { appId, appSecret, baseUrl: apiUrl } = meta.simulator.graph
  const signUp = openSignUp({ appId, appSecret, apiUrl }, { egress: meta.egress })
  const { code, message } = meta.simulator.graph.control.signUp({ name: 'New shop' })
  const { accessToken } = await signUp.exchangeCode(code)
  expect(await signUp.accountsOf(accessToken)).toEqual([message.data.waba_id])
  expect(await meta.open({ accessToken, wabaId: message.data.waba_id }).access.check()).toMatchObject({ missing: [] })
  expect((await refusalOf(signUp.exchangeCode(code))).message).toMatch(/code/)
})

describe('when Meta fails', () => {
  const envelope = (error: object) => JSON.stringify({ error: { message: 'No', ...error } })
  test.each<[string, [number, string], Partial<Refusal>]>([
    [
      'a dead token',
      [401, envelope({ code: 190, message: 'Session has expired' })],
      { kind: 'credentials', code: '190', message: 'Meta rejected the token for this call: Session has expired' },
    ],
    ['a permission that lacks', [403, envelope({ code: 200 })], { kind: 'credentials' }],
    ['too many calls', [400, envelope({ code: 80007 })], { kind: 'limit' }],
    [
      'too many templates',
      [400, envelope({ code: 100, error_subcode: 2388019, error_user_msg: 'You have 250' })],
      { kind: 'limit', message: 'You have 250' },
    ],
    [
      'words for people',
      [400, envelope({ code: 100, error_user_title: 'Name is taken', error_user_msg: 'Choose another.' })],
      { kind: 'input', message: 'Name is taken: Choose another.' },
    ],
    ['a passing fault', [500, envelope({ code: 2 })], { kind: 'passing' }],
    ['one that Meta calls passing', [500, envelope({ code: 999_999, is_transient: true })], { kind: 'passing' }],
    ['an unknown code', [400, envelope({ code: 999_999 })], { kind: 'other', message: 'No' }],
    ['a page', [502, '<html>'], { kind: 'passing', code: 'http_502' }],
    ['a wrong address', [404, 'Not found'], { kind: 'input', code: 'http_404' }],
  ])('%s', async (_, [status, body], expected) => {
    const manage = await meta.answering((_request, response) => response.writeHead(status).end(body))
    expect(await refusalOf(manage.lines.list())).toMatchObject(expected)
  })

  test('when Meta cannot be reached, or may not be called', async () => {
    expect(await refusalOf(meta.open({ graphUrl: 'http://127.0.0.1:9' }).lines.list())).toMatchObject({
      kind: 'input',
      code: 'EGRESS_REFUSED',
    })
    const manage = await meta.answering((_request, response) => response.destroy())
    expect(await refusalOf(manage.lines.list())).toMatchObject({ kind: 'passing' })
  })
})
