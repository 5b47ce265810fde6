import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smsLeg } from './testing/draft-legs.ts'
import { buildFixtures } from './testing/fixtures.ts'
import { buildAdmin, buildManager, buildReseller, signIn, type Account } from './testing/builders.ts'
import { filledCall, findFields, put, sampleCall, type Shape } from './testing/call-samples.ts'
import { testServer, type UncheckedOptions, type TestServer } from './testing/server.ts'

const names = Object.keys(endpoints) as EndpointName[]
const megabyte = 1024 * 1024

let server: TestServer
let manager: Account
/** An account that the odd calls have not changed. */
let other: Account
beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  manager = await buildManager(server.database)
  other = await buildManager(server.database)
})
afterAll(() => server.close())

/** The sample call with every text or number of its body, and every text of its query, replaced. */
function replaceValues(name: EndpointName, replace: (value: unknown) => unknown): UncheckedOptions {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return replace(value)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
  }
  const { body, query, ...rest } = sampleCall(name)
  return {
    ...rest,
    ...(body === undefined ? {} : { body: walk(body) }),
    // Query values are strings and numbers.
    ...(query === undefined ? {} : { query: walk(query) as NonNullable<UncheckedOptions['query']> }),
  }
}

const onTexts = (change: (text: string) => string) => (value: unknown) =>
  typeof value === 'string' ? change(value) : value
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

const oddities: [what: string, build: (name: EndpointName) => UncheckedOptions][] = [
  [
    'half of a character at the end of every text',
    (name) =>
      replaceValues(
        name,
        onTexts((text) => `${text}\ud83d`),
      ),
  ],
  [
    'half of a character alone',
    (name) =>
      replaceValues(
        name,
        onTexts(() => '\ude00'),
      ),
  ],
  [
    'emoji where lengths are cut',
    (name) =>
      replaceValues(
        name,
        onTexts((text) => `${text}${'😀'.repeat(600)}`),
      ),
  ],
  [
    'line breaks in every text',
    (name) =>
      replaceValues(
        name,
        onTexts((text) => `${text}\r\nBcc: all@test.example`),
      ),
  ],
  ['8e15 for every number and text', (name) => replaceValues(name, () => 8e15)],
  ['a text of 3 MB', (name) => ({ ...sampleCall(name), query: {}, body: { id: 'a'.repeat(3 * megabyte) } })],
  ['a body nested 100,000 levels deep', (name) => ({ ...withoutBody(name), rawBody: deep })],
  [
    'a field nested 100,000 levels deep',
    (name) => ({ ...withoutBody(name), rawBody: `{"id":${deep},"name":${deep}}` }),
  ],
]

function withoutBody(name: EndpointName): UncheckedOptions {
  const { body: _body, files: _files, ...rest } = sampleCall(name)
  return rest
}

describe.each(oddities)('%s', (_, build) => {
  test.each(names)('is rejected or accepted by %s without a server error', async (name) => {
    const options = build(name)
    if (endpoints[name].route.startsWith('GET')) {
      delete options.body
      delete options.rawBody
    }
    const answer = await server.callUnchecked(name, { ...options, as: await signIn(server.database, manager) })
    expect([name, answer.status, answer.status < 500 || answer.text]).toEqual([name, answer.status, true])
  })
})

const oddTexts = ['😀'.repeat(40), '8000000000000000', '+275760-09-13T00:00:00.000Z', '%00%ff']
const oddDates = ['0000-01-01', '0001-01-01', '9999-12-31', '2026-02-29']
const oddInstants = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
]
const oddNumbers = [8e15, 1e308, 2 ** 31, -1]

function oddValues({ type, format }: Shape): unknown[] {
  if (type !== 'string') return oddNumbers
  if (format === 'date') return oddDates
  return format === 'date-time' ? oddInstants : oddTexts
}

describe('in every field of its schema, one at a time', () => {
  test.each(names)('an odd value is rejected or accepted by %s without a server error', async (name) => {
    const { roles }: Endpoint = endpoints[name]
    const role = ['manager', 'reseller', 'admin'].find(
      (one) => typeof roles === 'string' || roles.some((may) => may === one),
    )
    const build = { manager: buildManager, reseller: buildReseller, admin: buildAdmin }[role ?? 'manager']
    if (!build) throw new Error(`${role} cannot be built`)
    const as = await build(server.database)
    const has = await buildFixtures(server.database, as)
    const failures: unknown[] = []
    const filled = roles === 'public' ? sampleCall(name) : filledCall(name, { as, has })
    for (const place of findFields(endpoints[name])) {
      const session = await signIn(server.database, as)
      for (const value of oddValues(place.shape)) {
        const { status } = await server.callUnchecked(name, { ...put(filled, place, value), as: session })
        if (status >= 500) failures.push([place.part, place.field, value, status])
      }
    }
    expect(failures).toEqual([])
  })
})

test.each([
  ['half of a character', { campaignName: 'Diwali \ud83d' }, 'campaignName'],
  ['a NUL', { campaignName: 'Diwali\0' }, 'campaignName'],
  ['a line break', { campaignName: 'Diwali\r\nsale' }, 'campaignName'],
  ['an escape sequence', { campaignName: '\u001b[31mDiwali' }, 'campaignName'],
  ['a line separator', { campaignName: 'Diwali\u2028sale' }, 'campaignName'],
])('%s in a name is rejected with the name of the field', async (_, body, field) => {
  const draft = { ...body, legs: [smsLeg()] satisfies [unknown] }
  expect(await server.call('drafts.create', { as: other, body: draft })).toMatchObject({
    status: 400,
    body: { success: false, code: 'bad_request', details: [{ field }] },
  })
})

test('a field nested too deeply is named', async () => {
  const answer = await server.callUnchecked('drafts.create', { as: other, rawBody: `{"variables":${deep}}` })
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'bad_request', details: [{ field: expect.stringMatching(/^variables\b/) }] },
  })
})

test('the name of an uploaded file becomes a single well-formed line', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)])
  const name = `${'a'.repeat(199)}😀.png`
  const answer = await server.call('uploads.create', {
    as: other,
    body: { channel: 'sms' },
    files: { fileContent: { name, content: png } },
  })
  expect(answer).toMatchObject({ status: 200, body: { data: { name: 'a'.repeat(199) } } })
})

test('API responses are not cached by browsers and proxies', async () => {
  for (const path of ['/api/v1/profile/details', '/api/v1/brand', '/api/nothing']) {
    const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${other.token}` } })
    expect([path, answer.headers.get('cache-control')]).toEqual([path, 'no-store'])
  }
})
