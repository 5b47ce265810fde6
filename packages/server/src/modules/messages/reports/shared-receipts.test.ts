import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProviderEvent } from '../../../channels/provider.ts'
import { asSystem } from '../../../db/pool.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants } from '../../balance/index.ts'
import { applyProviderEvents } from './apply-provider-events.ts'
import { joinEarlyReports } from './early-reports.ts'
import { buildCampaign, buildSender, phoneOf } from '../test-lane.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await testDatabase()
})

afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

const query = (text: string, values: unknown[]) => opened.database.systemPool.query(text, values)

type Line = { owner: Account; senderId: string }

/** A sender with this provider and these settings. */
async function buildLine(owner: Account, provider: string, config: object): Promise<Line> {
  const senderId = await buildSender(opened.database, owner)
  await query(
    `update provider_accounts set provider = $2, config = $3
    where id = (select provider_account_id from senders where id = $1)`,
    [senderId, provider, JSON.stringify(config)],
  )
  return { owner, senderId }
}

const smsc = { host: 'SMSC.example.test', port: 2775, systemId: 'acme' }

/** Messages of a sender that were handed over a moment ago, with these provider ids. */
async function buildSent({ owner, senderId }: Line, ids: readonly string[]): Promise<string> {
  const { organizationId } = owner
  const campaignId = await buildCampaign(opened.database, {
    owner,
    senderId,
    total: ids.length,
    billableOn: 'delivered',
    status: 'paused',
  })
  await query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, provider_message_id, sent_at)
    select $1, current_date, $2, place - 1, 1, $3, $4::bigint + place - 1, 'sent', 1, 1000, 'delivered', id, now()
    from unnest($5::text[]) with ordinality as sent (id, place)`,
    [organizationId, campaignId, senderId, phoneOf(0), ids],
  )
  await query(
    `select capture_hold($1, hold_id, $3, 'capture:' || id, '') from campaigns where organization_id = $1 and id = $2`,
    [organizationId, campaignId, ids.length * 1000],
  )
  return campaignId
}

const apply = ({ owner, senderId }: Line, events: ProviderEvent[]) =>
  applyProviderEvents(opened.database.systemPool, { organizationId: owner.organizationId, senderId }, events)

/** A receipt of an SMSC that reuses ids, for the message to the phone at this position. */
const receipt = (id: string, place: number): ProviderEvent => ({
  kind: 'delivery-report',
  providerMessageIds: [id],
  match: { readings: ['same'], numbers: [String(phoneOf(place))], isLocalTime: false },
  status: 'delivered',
  at: new Date(),
  raw: id,
})

const callback = (id: string): ProviderEvent => ({
  kind: 'delivery-report',
  providerMessageIds: [id],
  status: 'delivered',
  at: new Date(),
  raw: id,
})

async function statusesOf(campaignId: string): Promise<string[]> {
  const { rows } = await query('select status from messages where campaign_id = $1 order by seq', [campaignId])
  return rows.map(({ status }: { status: string }) => status)
}

test('a receipt on any bind of one SMSC and system id matches its message, also before the response is recorded', async () => {
  const owner = await buildManager(opened.database)
  const first = await buildLine(owner, 'smpp', smsc)
  const second = await buildLine(owner, 'smpp', { ...smsc, host: 'smsc.example.test' })
  const ofFirst = await buildSent(first, ['a-0', 'a-1', 'a-2'])
  const ofSecond = await buildSent(second, ['b-0'])
  await apply(second, [receipt('a-0', 0), receipt('b-0', 0), receipt('late-0', 0)])
  await apply(first, [receipt('a-1', 1)])
  await apply(second, [receipt('a-2', 2), receipt('a-0', 0)])
  expect(await statusesOf(ofFirst)).toEqual(['delivered', 'delivered', 'delivered'])
  expect(await statusesOf(ofSecond)).toEqual(['delivered'])
  const late = await buildSent(first, ['late-0'])
  await joinEarlyReports(opened.database.systemPool, { since: '30 seconds' })
  expect(await statusesOf(late)).toEqual(['delivered'])
})

test('an id that both accounts have means the message to the number of the receipt', async () => {
  const owner = await buildManager(opened.database)
  const first = await buildLine(owner, 'smpp', smsc)
  const second = await buildLine(owner, 'smpp', smsc)
  const ofFirst = await buildSent(first, ['7', '8'])
  const ofSecond = await buildSent(second, ['8', '7'])
  await apply(first, [receipt('7', 1)])
  await apply(second, [receipt('8', 1)])
  expect(await statusesOf(ofFirst)).toEqual(['sent', 'delivered'])
  expect(await statusesOf(ofSecond)).toEqual(['sent', 'delivered'])
})

test.each([
  ['another host', { ...smsc, host: 'other.example.test' }],
  ['another port', { ...smsc, port: 2776 }],
  ['another system id', { ...smsc, systemId: 'ACME' }],
])('a receipt changes no message of an account with %s', async (_, other) => {
  const owner = await buildManager(opened.database)
  const first = await buildLine(owner, 'smpp', smsc)
  const second = await buildLine(owner, 'smpp', other)
  const ofFirst = await buildSent(first, ['c-0'])
  await apply(second, [receipt('c-0', 0)])
  await joinEarlyReports(opened.database.systemPool, { since: '30 seconds' })
  expect(await statusesOf(ofFirst)).toEqual(['sent'])
})

test('a receipt changes no message of another organisation, whatever account both claim to have', async () => {
  const first = await buildLine(await buildManager(opened.database), 'smpp', smsc)
  const second = await buildLine(await buildManager(opened.database), 'smpp', smsc)
  const ofFirst = await buildSent(first, ['d-0'])
  await apply(second, [receipt('d-0', 0), callback('d-0')])
  await joinEarlyReports(opened.database.systemPool, { since: '30 seconds' })
  expect(await statusesOf(ofFirst)).toEqual(['sent'])
})

test('a gateway that calls back one address for two accounts of one user name is supported', async () => {
  const owner = await buildManager(opened.database)
  const gateway = { url: 'https://gateway.example.test/send', authUser: 'acme' }
  const first = await buildLine(owner, 'http-gateway', gateway)
  const second = await buildLine(owner, 'http-gateway', gateway)
  const other = await buildLine(owner, 'http-gateway', { ...gateway, authUser: 'another' })
  const ofFirst = await buildSent(first, ['g-0', 'g-1'])
  await apply(second, [callback('g-0'), callback('g-2')])
  await apply(other, [callback('g-1')])
  expect(await statusesOf(ofFirst)).toEqual(['delivered', 'sent'])
  const late = await buildSent(first, ['g-2'])
  await joinEarlyReports(opened.database.systemPool, { since: '30 seconds' })
  expect(await statusesOf(late)).toEqual(['delivered'])
})
