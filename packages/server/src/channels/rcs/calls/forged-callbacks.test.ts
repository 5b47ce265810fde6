import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { demoPartner } from '@carillon/simulator/rbm/demo-agent'
import { createHash, createHmac } from 'node:crypto'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildAdmin, buildManager } from '../../../testing/builders.ts'
import { botConfig } from '../../../testing/rcs-samples.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { digestTables } from '../../../testing/table-digests.ts'

const [token, otherToken] = ['Token of our bot', 'Token of the other bot']
const { agentId: ours, newAgentId: other } = demoPartner
const unsigned = 'unsigned_bot'

let server: TestServer
let simulator: Simulator
/** Callback URLs by bot. */
const urls: Record<string, string> = {}

beforeAll(async () => {
  simulator = await startSimulator()
  // Only the web role: no job of its own writes rows.
  const environment = { EGRESS_ALLOW: `127.0.0.1:${simulator.httpPort}` }
  server = await testServer({ environment, flags: ['--run=web'] })
  const admin = await buildAdmin(server.database)
  const owner = await buildManager(server.database, { parent: admin })
  const stranger = await buildManager(server.database, { parent: admin })
  const { baseUrl, control } = simulator.rbm
  const keyFile = JSON.stringify(control.serviceAccount())
  const { ask } = server.as(admin)
  await ask('rcsPartner.set', { body: { keyFile, apiUrl: baseUrl, managementUrl: `${baseUrl}/management` } })
  const connect = async (organizationId: string, provider: string, bot: { botId: string; config: object }) => {
    const { _id: id } = await ask('bots.create', {
      body: { organizationId, provider, ...bot, config: { ...bot.config } },
    })
    const { callbackUrl } = await ask('bots.registerWebhook', { path: { id } })
    urls[bot.botId] = `${server.url}${new URL(callbackUrl).pathname}`
  }
  await connect(owner.id, 'rbm', { botId: ours, config: { clientToken: token } })
  await connect(stranger.id, 'rbm', { botId: other, config: { clientToken: otherToken } })
  await connect(owner.id, 'dotgo', { botId: unsigned, config: botConfig() })
}, 60_000)
afterAll(async () => {
  await server.close()
  await simulator.close()
})

type Post = {
  url?: string
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

/** Raw HTTP, for repeated headers. */
function post({ url = urls[ours] ?? '', method = 'POST', headers = {}, body = '' }: Post): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject).end(body)
  })
}

const phone = '+919812345678'
const event = (more: object = {}, agentId = ours) =>
  JSON.stringify({ agentId, senderPhoneNumber: phone, eventType: 'UNSUBSCRIBE', eventId: 'e1', ...more })
const data = event()
const hmac = (key: string, text: string | Buffer = data, algorithm = 'sha512') =>
  createHmac(algorithm, key).update(text)
const sign = (text: string | Buffer = data, key = token) => hmac(key, text).digest('base64')
const good = sign()
const wrap = (text: string | Buffer = data, more: object = {}) =>
  JSON.stringify({
    message: { attributes: { business_id: ours, type: 'event' }, data: Buffer.from(text).toString('base64'), ...more },
    subscription: 'projects/acme/subscriptions/rbm-agent-push',
  })
const body = wrap()

const withSignature = (value: string | string[], more: Post = {}): Post => ({
  body,
  ...more,
  headers: { 'x-goog-signature': value, ...more.headers },
})
const withData = (text: string | Buffer): Post => withSignature(good, { body: wrap(text) })
const withBody = (bytes: string | Buffer, headers: Record<string, string> = {}): Post =>
  withSignature(good, { body: bytes, headers })
const flip = (at: number) => {
  const changed = Buffer.from(data)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}
const other64 = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
const regions = Array.from({ length: 6 }, (_, index) => Math.floor((index * (data.length - 1)) / 5))
const otherEvent = event({ eventId: 'e2' })

const signatures: [string, Post][] = [
  ['no signature', { body }],
  ['an empty signature', withSignature('')],
  ['junk', withSignature('junk')],
  ['another first character', withSignature(other64(good, 0))],
  ['another character in the middle', withSignature(other64(good, 40))],
  ['another last character', withSignature(other64(good, 85))],
  ['no padding', withSignature(good.replaceAll('=', ''))],
  ['more padding', withSignature(`${good}=`)],
  ['cut short', withSignature(good.slice(0, 44))],
  ['a character more', withSignature(`A${good}`)],
  ['in hexadecimal', withSignature(hmac(token).digest('hex'))],
  ['in the alphabet of URLs', withSignature(hmac(token).digest('base64url'))],
  ['in capitals', withSignature(good.toUpperCase())],
  ['in small letters', withSignature(good.toLowerCase())],
  ['encoded twice', withSignature(Buffer.from(good).toString('base64'))],
  ['escaped as in URLs', withSignature(encodeURIComponent(good))],
  ['in quotes', withSignature(`"${good}"`)],
  ['with the name of the algorithm', withSignature(`sha512=${good}`)],
  ['twice in one header', withSignature(`${good}, ${good}`)],
  ['in two headers', withSignature([good, good])],
  ['in two headers, one wrong', withSignature([good, 'junk'])],
  ['in two headers, the first wrong', withSignature(['junk', good])],
  ['by another algorithm', withSignature(hmac(token, data, 'sha256').digest('base64'))],
  ['without a key', withSignature(createHash('sha512').update(data).digest('base64'))],
  ['with an empty key', withSignature(sign(data, ''))],
  ['with the token of another bot', withSignature(sign(data, otherToken))],
  ['with the token in capitals', withSignature(sign(data, token.toUpperCase()))],
  ['with the token and a line break', withSignature(sign(data, `${token}\n`))],
  ['with the id of the bot as key', withSignature(sign(data, ours))],
  ['over the encoded data', withSignature(sign(Buffer.from(data).toString('base64')))],
  ['over the whole body', withSignature(sign(body))],
  ['of another event', withSignature(sign(otherEvent))],
  ['in another header', { body, headers: { 'x-goog-signature-512': good, authorization: `Bearer ${good}` } }],
  ['in the body', { body: wrap(data, { 'x-goog-signature': good }) }],
]

const contents: [string, Post][] = [
  ...regions.map((at): [string, Post] => [`octet ${at} of the data changed`, withData(flip(at))]),
  ['another phone number', withData(event({ senderPhoneNumber: '+919812345679' }))],
  ['another type', withData(event({ eventType: 'SUBSCRIBE' }))],
  ['another event of the bot', withData(otherEvent)],
  ['the data written anew', withData(JSON.stringify(JSON.parse(data), null, 1))],
  ['the data with a line break', withData(`${data}\n`)],
  ['the data cut short', withData(data.slice(0, -1))],
  ['the data twice', withData(data + data)],
  ['the data encoded twice', withData(Buffer.from(data).toString('base64'))],
  ['empty data', withData('')],
  ['no data', withBody(wrap(data, { data: undefined }))],
  ['data that is not encoded', withBody(wrap(data, { data }))],
  ['data as an object', withBody(wrap(data, { data: JSON.parse(data) }))],
  ['data with the client token guessed', withBody(JSON.stringify({ ...JSON.parse(body), clientToken: 'guess' }))],
  ['data with the client token of another bot', withBody(JSON.stringify({ clientToken: otherToken, secret: 's' }))],
]

const bodies: [string, Post][] = [
  ['no body', withBody('')],
  ['a body cut short', withBody(body.slice(0, -1))],
  ['a body cut in half', withBody(body.slice(0, body.length / 2))],
  ['the body twice', withBody(body + body)],
  ['an array of the body', withBody(`[${body}]`)],
  ['the body as a text', withBody(JSON.stringify(body))],
  ['the body in UTF-16', withBody(Buffer.from(body, 'utf16le'))],
  ['the event without its envelope', withBody(data)],
  ['gzip of other data', withBody(gzipSync(wrap(otherEvent)), { 'content-encoding': 'gzip' })],
  ['gzip that is not named', withBody(gzipSync(body))],
  ['gzip that is none', withBody(body, { 'content-encoding': 'gzip' })],
  ['gzip cut short', withBody(gzipSync(body).subarray(0, -12), { 'content-encoding': 'gzip' })],
  ['an unknown encoding', withBody(body, { 'content-encoding': 'secret' })],
  [
    'a form',
    withBody(new URLSearchParams({ message: body }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    }),
  ],
  ['a form with parts', withBody(`--x\r\n\r\n${body}\r\n--x--`, { 'content-type': 'multipart/form-data; boundary=x' })],
]

const addresses: [string, () => Post][] = [
  ['the URL of another bot', () => withSignature(good, { url: urls[other] ?? '' })],
  ['an unknown URL', () => withSignature(good, { url: `${server.url}/hooks/${'0'.repeat(32)}/events` })],
  ['a URL cut short', () => withSignature(good, { url: (urls[ours] ?? '').replace(/.\/events$/, '/events') })],
  ['no key in the URL', () => withSignature(good, { url: `${server.url}/hooks//events` })],
  ['the signature in the URL', () => ({ body, url: `${urls[ours]}?x-goog-signature=${encodeURIComponent(good)}` })],
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method): [string, () => Post] => [
    method,
    () => withSignature(good, { method }),
  ]),
]

const mutations: [string, () => Post][] = [
  ...[...signatures, ...contents, ...bodies].map(([name, each]): [string, () => Post] => [name, () => each]),
  ...addresses,
]

const refusals = [400, 401, 403, 404, 405, 415]

const count = async (table: string) =>
  Number((await server.database.ownerPool.query(`select count(*) from ${table}`)).rows[0]?.count)

describe('a callback that was signed and then changed', () => {
  test('is one of more than forty that all differ from what was signed', () => {
    expect(mutations.length).toBeGreaterThan(40)
    const texts = mutations.map(([, build]) => JSON.stringify(build()))
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts).not.toContain(JSON.stringify(withSignature(good)))
  })

  test.each(mutations)('%s: refused, and nothing is stored', async (_, build) => {
    const before = await digestTables(server.database)
    expect(refusals).toContain(await post(build()))
    expect(await digestTables(server.database)).toEqual(before)
  })

  test('and one of another bot with our signature is ignored', async () => {
    const foreign = event({}, other)
    const before = await digestTables(server.database)
    expect(await post(withSignature(sign(foreign), { body: wrap(foreign) }))).toBe(200)
    expect(await digestTables(server.database)).toEqual(before)
  })

  test('is accepted as it was signed, also compressed, and with any type of content and case of the header', async () => {
    const [optOuts, inbound] = [await count('opt_outs'), await count('inbound_messages')]
    expect(await post(withSignature(good))).toBe(200)
    expect(await count('opt_outs')).toBe(optOuts + 1)
    const say = (messageId: string) => event({ eventType: undefined, eventId: undefined, messageId, text: 'Hello' })
    const [plain, packed] = [say('i1'), say('i2')]
    const headers = { 'X-GOOG-SIGNATURE': sign(plain), 'content-type': 'text/plain' }
    expect(await post({ body: wrap(plain), headers })).toBe(200)
    const gzip = { 'x-goog-signature': sign(packed), 'content-encoding': 'gzip' }
    expect(await post({ body: gzipSync(wrap(packed)), headers: gzip })).toBe(200)
    expect(await count('inbound_messages')).toBe(inbound + 2)
  })
})

describe('a callback of a provider that does not sign', () => {
  const text = event({}, unsigned)
  const enveloped = wrap(text, { attributes: { business_id: unsigned } })
  const own = () => urls[unsigned] ?? ''
  const forged: [string, () => Post][] = [
    ['an unknown URL', () => ({ body: enveloped, url: `${server.url}/hooks/${'0'.repeat(32)}/events` })],
    ['a URL cut short', () => ({ body: enveloped, url: own().replace(/.\/events$/, '/events') })],
    ['the URL of a bot that is signed for', () => ({ body: enveloped, url: urls[ours] ?? '' })],
    ['the id of the bot as key', () => ({ body: enveloped, url: `${server.url}/hooks/${unsigned}/events` })],
    ['no body', () => ({ body: '', url: own() })],
    ['a body cut short', () => ({ body: enveloped.slice(0, -1), url: own() })],
    ['gzip', () => ({ body: gzipSync(enveloped), url: own() })],
    ['no event', () => ({ body: '{"hello":1}', url: own() })],
    ['PUT', () => ({ method: 'PUT', body: enveloped, url: own() })],
  ]

  test.each(forged)('with %s: refused, and nothing is stored', async (_, build) => {
    const before = await digestTables(server.database)
    expect(refusals).toContain(await post(build()))
    expect(await digestTables(server.database)).toEqual(before)
  })

  test('of another bot is ignored', async () => {
    const before = await digestTables(server.database)
    expect(await post({ body: event({}, 'another_bot'), url: own() })).toBe(200)
    expect(await digestTables(server.database)).toEqual(before)
  })

  test('is accepted at its own URL', async () => {
    const before = await count('opt_outs')
    const unsubscribed = event({ senderPhoneNumber: '+919812345670' }, unsigned)
    expect(await post({ body: unsubscribed, url: own() })).toBe(200)
    expect(await count('opt_outs')).toBe(before + 1)
  })
})
