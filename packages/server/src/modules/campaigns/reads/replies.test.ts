import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InboundMessage } from '../../../channels/provider.ts'
import { buildAdmin, buildDepartmentHead, buildManager, buildUser, type Account } from '../../../testing/builders.ts'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { applyProviderEvents } from '../../messages/index.ts'
import { buildCampaign, buildSender, phoneOf } from '../../messages/test-lane.ts'

let server: TestServer
let admin: Account
let manager: Account
let foreign: Account
let senderId: string
let campaignId: string

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  foreign = await buildManager(server.database, { parent: admin })
  senderId = await buildSender(server.database, manager)
  campaignId = await buildSentCampaign()
})
afterAll(() => server.close())

/** Three people, all messages delivered. */
async function buildSentCampaign(): Promise<string> {
  const id = await buildCampaign(server.database, { owner: manager, senderId, total: 3, status: 'paused' })
  await server.database.ownerPool.query(
    `update campaigns set created_on = current_date, started_at = now() - interval '1 hour' where id = $1`,
    [id],
  )
  await server.database.ownerPool.query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, phone, sender_id, status, parts, sent_at, price, billable_on)
     select $1, current_date, $2, seq, 1, $3::bigint + seq, $4, 'sent', 1, now(), 1000, 'sent' from generate_series(0, 2) seq`,
    [manager.organizationId, id, phoneOf(0), senderId],
  )
  return id
}

let replyCount = 0

async function receiveReply(seq: number, text: string) {
  replyCount += 1
  const message: InboundMessage & { raw: string } = {
    kind: 'inbound-message',
    from: String(phoneOf(seq)),
    to: '56161',
    text,
    dedupeKey: `${replyCount}`,
    at: new Date(Date.now() + replyCount * 1000),
    raw: text,
  }
  await applyProviderEvents(server.database.systemPool, { organizationId: manager.organizationId, senderId }, [message])
}

async function list(query: Record<string, string | number> = {}) {
  return server.ask('replies.list', { as: manager, path: { id: campaignId }, query })
}

test('replies belong to the last campaign that reached the person, newest first', async () => {
  await receiveReply(0, 'When do you open?')
  await receiveReply(1, 'STOP')
  await receiveReply(0, 'And on Sunday?')
  await receiveReply(500, 'Who is this?')
  const { replies, total } = await list()
  expect(total).toBe(3)
  expect(replies.map(({ phoneNumber, text, optedOut }) => [phoneNumber, text, optedOut])).toEqual([
    [`+${phoneOf(0)}`, 'And on Sunday?', false],
    [`+${phoneOf(1)}`, 'STOP', true],
    [`+${phoneOf(0)}`, 'When do you open?', false],
  ])
  const optOuts = await server.call('optOuts.list', { as: manager })
  expect(optOuts.data().optOuts).toMatchObject([
    { phoneNumber: `+${phoneOf(1)}`, source: 'reply', keyword: 'STOP', campaign: { _id: campaignId } },
  ])
})

test('they can be searched by number and text, and paged', async () => {
  expect(await list({ search: 'sunday' })).toMatchObject({ total: 1 })
  expect(await list({ search: String(phoneOf(1)).slice(2) })).toMatchObject({ total: 1, replies: [{ text: 'STOP' }] })
  expect(await list({ search: '100%' })).toMatchObject({ total: 0 })
  expect(await list({ limit: 2, page: 2 })).toMatchObject({
    total: 3,
    totalPages: 2,
    replies: [{ text: 'When do you open?' }],
  })
})

test('they are exported with formulas disarmed', async () => {
  await receiveReply(2, '=1+1')
  const { text } = await server.call('replies.csv', { as: manager, path: { id: campaignId } })
  const lines = text.trim().split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[1]).toMatch(new RegExp(`^'\\+${phoneOf(2)},'=1\\+1,.*,No$`))
  expect(lines[3]).toMatch(/,STOP,.*,Yes$/)
})

test('another organisation, and a member without access to the campaign, cannot read them', async () => {
  const user = await buildUser(server.database, { parent: manager })
  const head = await buildDepartmentHead(server.database, { parent: manager })
  for (const call of ['replies.list', 'replies.csv'] as const) {
    for (const as of [foreign, user])
      expect(await server.call(call, { as, path: { id: campaignId } })).toMatchObject({ status: 404 })
    expect(await server.call(call, { as: head, path: { id: campaignId } })).toMatchObject({ status: 403 })
  }
})
