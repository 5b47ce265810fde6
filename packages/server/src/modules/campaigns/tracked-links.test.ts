import { request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { until } from '../../testing/until.ts'
import { appendLinks } from '../links/index.ts'
import { forgetClicks } from '../links/jobs.ts'
import { getLeg } from '../messages/engine/legs.ts'
import { buildDraft, buildReady, foreign, server, setUp, tearDown, user } from './test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

const target = 'https://shop.example/diwali?from=sms'
const variables = [{ column: 1, fallback: '' }, { link: target }]
const phone = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'

let ready: Awaited<ReturnType<typeof buildReady>>
beforeEach(async () => {
  ready = await buildReady({ variables })
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.systemPool.query<Row>(text, values)).rows

/** The address of one recipient, as the engine renders it. */
async function addressOf(seq: number, { owner, id } = ready): Promise<string> {
  const [leg] = await query<{ content: { links: { column: number }[] } }>(
    'select content from campaign_legs where campaign_id = $1 and organization_id = $2',
    [id, owner.organizationId],
  )
  const column = leg?.content.links[0]?.column ?? -1
  return appendLinks(leg?.content, [], seq)[column] ?? ''
}

type Opened = { status: number | undefined; location: string | undefined; text: string; control: string | undefined }

function open(address: string, { method = 'GET', agent = phone, host = '' } = {}): Promise<Opened> {
  const { pathname } = new URL(address)
  return new Promise((resolve, reject) => {
    request(
      new URL(pathname, server.url),
      { method, headers: { 'user-agent': agent, ...(host && { host }) } },
      (response) => {
        const { location, 'cache-control': control } = response.headers
        readText(response).then(
          (body) => resolve({ status: response.statusCode, location, text: body, control }),
          reject,
        )
      },
    )
      .on('error', reject)
      .end()
  })
}

const links = async () => (await server.ask('links.list', { as: ready.owner, path: { id: ready.id } })).links

const counted = async (wanted: { people: number; clicks: number; previews: number }) => {
  await until(async () => {
    const [link] = await links()
    return link !== undefined && link.clicks + link.previews === wanted.clicks + wanted.previews
  }, 'the clicks')
  expect(await links()).toMatchObject([{ url: target, variable: 'value2', leg: 0, ...wanted }])
}

test('each recipient has an address, which leads to the page', async () => {
  const addresses = await Promise.all([0, 1, 2].map((seq) => addressOf(seq)))
  expect(new Set(addresses).size).toBe(3)
  for (const address of addresses) expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/l\/[\dA-Za-z]{12}$/)
  expect(await open(addresses[0] ?? '')).toEqual({ status: 302, location: target, text: '', control: 'no-store' })
})

test('people are counted once, and every click of theirs', async () => {
  const [first, second] = [await addressOf(0), await addressOf(1)]
  for (const address of [first, first, second]) await open(address)
  await counted({ people: 2, clicks: 3, previews: 0 })
  await open(first)
  await counted({ people: 2, clicks: 4, previews: 0 })
  const { people, total } = await server.ask('links.people', { as: ready.owner, path: { id: ready.id } })
  expect(total).toBe(2)
  expect(people).toMatchObject([
    { seq: 0, phoneNumber: '+919876543210', clicks: 3, device: 'android' },
    { seq: 1, phoneNumber: '+919876543211', clicks: 1 },
  ])
})

test('programs that look at an address are previews', async () => {
  const address = await addressOf(0)
  expect(await open(address, { method: 'HEAD' })).toMatchObject({ status: 302, location: target })
  await open(address, { agent: 'facebookexternalhit/1.1 Facebot Twitterbot/1.0' })
  await open(address, { agent: '' })
  await counted({ people: 0, clicks: 0, previews: 3 })
})

/** The first of them now, each other one ten seconds earlier than the one before. */
async function send(upTo: number) {
  const { owner, id } = ready
  await query('update campaigns set created_on = current_date, started_at = now() where id = $1', [id])
  await query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, phone, sender_id, status, parts, sent_at, price, billable_on)
     select $1, current_date, $2, seq, leg, 919876543210 + seq, sender_id, 'sent', 1, now() - seq * interval '10 seconds', 1000, 'sent'
     from campaign_legs, generate_series(0, $3) seq where campaign_id = $2 and organization_id = $1`,
    [owner.organizationId, id, upTo],
  )
}

test('what opens an address within two seconds after sending is a preview', async () => {
  await send(1)
  await open(await addressOf(0))
  await open(await addressOf(1))
  await counted({ people: 1, clicks: 1, previews: 1 })
})

test('a campaign has the number of its recipients who clicked, in lists as in its report', async () => {
  const { owner, id, campaign } = ready
  expect(campaign).toMatchObject({ hasLinks: true, stats: { clicked: 0 } })
  for (const seq of [0, 2, 2]) await open(await addressOf(seq))
  await counted({ people: 2, clicks: 3, previews: 0 })
  expect(await server.ask('campaigns.get', { as: owner, path: { id } })).toMatchObject({ stats: { clicked: 2 } })
  const { campaigns } = await server.ask('campaigns.list', { as: owner, query: {} })
  expect(campaigns).toMatchObject([{ _id: id, stats: { clicked: 2 } }])
  const plain = await buildReady()
  expect(plain.campaign).toMatchObject({ hasLinks: false, stats: { clicked: 0 } })
})

test('recipients who clicked are listed, with other filters, and are sent another campaign', async () => {
  const { owner, id } = ready
  await send(1)
  for (const seq of [1, 2]) await open(await addressOf(seq))
  await counted({ people: 2, clicks: 2, previews: 0 })
  const list = async (filter: object) => {
    const found = await server.ask('campaigns.responses', { as: owner, query: { campaignId: id, ...filter } })
    expect(found.total).toBe(found.responses.length)
    return found.responses
  }
  const everyone = await list({})
  expect(everyone.map(({ clickedAt }) => clickedAt !== undefined)).toEqual([false, true, true])
  const clicked = 'true'
  expect(await list({ clicked })).toEqual(everyone.slice(1))
  const seqsOf = async (filter: object) => (await list({ clicked, ...filter })).map(({ seq }) => seq)
  expect(await seqsOf({ status: 'sent' })).toEqual([1])
  expect(await seqsOf({ status: 'queued' })).toEqual([2])
  expect(await seqsOf({ leg: 0, result: 'sent' })).toEqual([1])
  expect(await seqsOf({ leg: 0, result: 'delivered' })).toEqual([])
  expect(await seqsOf({ number: '98765' })).toEqual([1, 2])
  expect(await seqsOf({ number: '3211' })).toEqual([1])
  const after = await server.ask('campaigns.responses', {
    as: owner,
    query: { campaignId: id, clicked, after: 1, limit: 1 },
  })
  expect(after).toMatchObject({ total: 2, responses: [{ seq: 2 }] })
  const byNumber = await server.ask('campaigns.searchNumber', { as: owner, path: { id }, query: { number: '3212' } })
  expect(byNumber.responses).toEqual(everyone.slice(2))
  const file = await server.call('reports.campaignNumbers', { as: owner, path: { id }, query: { clicked } })
  const lines = file.text.trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/,Clicked at \(Asia\/Kolkata\)$/)
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^919876543211,.*\d$/),
    expect.stringMatching(/^919876543212,.*\d$/),
  ])
  await query(`update campaigns set status = 'completed', completed_at = now() where id = $1`, [id])
  const retargeted = await server.ask('campaigns.retarget', { as: owner, path: { id }, body: { clicked } })
  expect(retargeted).toMatchObject({ people: 2 })
})

test('an unknown, forged or misspelt code, and another host name, have the same answer', async () => {
  const address = await addressOf(0)
  const last = address.endsWith('0') ? '1' : '0'
  const answers = await Promise.all([
    open(`${address.slice(0, -1)}${last}`),
    open(`${address}0`),
    open(`${server.url}/l/zzzzzzzzzzzz`),
    open(address, { host: 'other.example' }),
  ])
  for (const answer of answers)
    expect(answer).toEqual({ status: 404, location: undefined, text: 'Not found\n', control: 'no-store' })
})

test('a link that no longer exists has that answer too', async () => {
  const address = await addressOf(0)
  await query('delete from campaign_links where campaign_id = $1', [ready.id])
  expect(await open(address)).toMatchObject({ status: 404, text: 'Not found\n' })
})

test.each([
  'http://shop.example/',
  'javascript:alert(1)',
  'https:shop.example',
  'https://user@shop.example/',
  'https://localhost/',
  'https://shop.example/a b',
  String.raw`https:\\shop.example`,
  `https://shop.example/${'a'.repeat(2000)}`,
])('%s cannot be the page of a link', async (link) => {
  await expect(buildDraft(user, { variables: [{ column: 1 }, { link }] })).rejects.toThrow()
})

test('parts are the same at the review and when it is sent', async () => {
  const { owner, id, campaign } = ready
  const estimate = await server.ask('drafts.estimate', { as: owner, path: { id } })
  const leg = await getLeg(server.database.systemPool, {
    organizationId: owner.organizationId,
    campaignId: id,
    leg: 0,
    runEpoch: 0,
  })
  const rows = await query<{ seq: number; variables: string[] }>(
    'select seq, variables from recipients where audience_id = $1 order by seq',
    [campaign.audienceId],
  )
  expect(rows).toHaveLength(3)
  expect(rows.reduce((sum, row) => sum + (leg.render(row)?.parts ?? 0), 0)).toBe(estimate.parts)
  // A repeated attempt sends the same address.
  for (const row of rows) expect(leg.render(row)).toEqual(leg.render(row))
  const preview = await server.ask('drafts.preview', { as: owner, path: { id, seq: 0 } })
  expect(preview.text).toMatch(/\/l\/0{12} today\.$/)
  expect(preview.text).toHaveLength(`Hello Asha, come to ${await addressOf(0)} today.`.length)
})

test('only the organisation sees its links', async () => {
  expect(await server.call('links.list', { as: foreign, path: { id: ready.id } })).toMatchObject({ status: 404 })
  expect(await server.call('links.people', { as: foreign, path: { id: ready.id } })).toMatchObject({ status: 404 })
})

test('links begin with the link domain, which no other organisation can use', async () => {
  const { owner } = ready
  const host = 'go.shop.example'
  expect(await server.ask('links.updateSettings', { as: owner, body: { host } })).toEqual({
    host,
    origin: `https://${host}`,
  })
  expect(await server.call('links.updateSettings', { as: foreign, body: { host } })).toMatchObject({ status: 409 })
  const next = await buildReady({ variables })
  await server.ask('links.updateSettings', { as: next.owner, body: { host: 'to.next.example' } })
  const draft = await buildDraft(next.owner, { fixtures: next.fixtures, variables })
  const preview = await server.ask('drafts.preview', { as: next.owner, path: { id: draft._id, seq: 0 } })
  expect(preview.text).toContain('https://to.next.example/l/')
  // The campaign that was validated before keeps its address.
  expect(await open(await addressOf(0, next))).toMatchObject({ status: 302 })
})

test('an address of one organisation is not answered on the domain of another', async () => {
  await query(`update campaign_links set host = 'go.taken.example' where campaign_id = $1`, [ready.id])
  const address = await addressOf(0)
  await asSystem(server.database, (db) =>
    db
      .insertInto('brand_hosts')
      .values({ organization_id: foreign.organizationId, host: 'go.taken.example', is_for_links: true })
      .execute(),
  )
  expect(await open(address, { host: 'go.taken.example' })).toMatchObject({ status: 404 })
})

test('who clicked is deleted after the retention, and the link leads on with its counts', async () => {
  const address = await addressOf(1)
  await open(address)
  await counted({ people: 1, clicks: 1, previews: 0 })
  const clickers = () =>
    query(
      'select seq from link_clicks where organization_id = $1 union all select seq from campaign_clickers where organization_id = $1',
      [ready.owner.organizationId],
    )
  const forget = async (days: number) => {
    const clock = { now: () => new Date(Date.now() + days * 86_400_000) }
    await forgetClicks({ database: server.database, clock, retentionDays: 180 })
  }
  await forget(179)
  expect(await clickers()).toHaveLength(2)
  await forget(181)
  expect(await clickers()).toHaveLength(0)
  expect(await links()).toMatchObject([{ people: 1, clicks: 1 }])
  expect(await open(address)).toMatchObject({ status: 302 })
})
