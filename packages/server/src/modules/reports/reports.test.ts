import { afterAll, beforeAll, expect, test } from 'vitest'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { foldCounters } from '../messages/housekeeping/fold-counters.ts'

let server: TestServer
let admin: Account
let manager: Account
let member: Account
let foreign: Account
let campaignId: string

beforeAll(async () => {
  server = await testServer({ clock: { now: () => new Date() } })
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  member = await buildUser(server.database, { parent: manager })
  foreign = await buildManager(server.database, { parent: admin })
  campaignId = await buildSentCampaign(manager)
})
afterAll(() => server.close())

const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(new Date())

/** Four recipients: one delivered, one failed, one skipped, one queued. */
async function buildSentCampaign(owner: Account): Promise<string> {
  const [id, audienceId, fileId, senderId] = [newId(), newId(), newId(), newId()]
  const organization_id = owner.organizationId
  await asSystem(server.database, async (db) => {
    await db
      .insertInto('files')
      .values({
        organization_id,
        id: fileId,
        purpose: 'audience',
        name: 'people.csv',
        mime_type: 'text/csv',
        size_bytes: 1,
        sha256: Buffer.alloc(32),
        storage_key: 'none',
        created_by: owner.id,
      })
      .execute()
    await db
      .insertInto('audiences')
      .values({
        organization_id,
        id: audienceId,
        path: owner.path,
        status: 'ready',
        file_id: fileId,
        file_name: 'people.csv',
        format: 'csv',
        columns: ['Name', 'Mobile'],
        phone_column: 1,
        total: 4,
        accepted: 4,
        created_by: owner.id,
      })
      .execute()
    const names = ['Asha', '=cmd()', '"Q", R', 'Meena']
    await db
      .insertInto('recipients')
      .values(
        names.map((name, seq) => ({
          organization_id,
          audience_id: audienceId,
          seq,
          phone: 919_876_543_210 + seq,
          variables: [name, `98765432${10 + seq}`],
        })),
      )
      .execute()
    await db
      .insertInto('campaigns')
      .values({
        organization_id,
        id,
        path: owner.path,
        name: 'Spring / sale',
        channel: 'sms',
        status: 'running',
        audience_id: audienceId,
        total: 4,
        created_on: today,
        created_by: owner.id,
        started_at: new Date(),
      })
      .execute()
    const message = { organization_id, created_on: today, campaign_id: id, sender_id: senderId, parts: 1, price: 1250 }
    await db
      .insertInto('messages')
      .values([
        {
          ...message,
          seq: 0,
          phone: 919_876_543_210,
          status: 'delivered',
          sent_at: new Date('2026-01-05T04:30:00Z'),
          delivered_at: new Date('2026-01-05T04:30:02Z'),
        },
        {
          ...message,
          seq: 1,
          phone: 919_876_543_211,
          status: 'failed',
          previous_status: 'sent',
          reason: 'dlt_template',
          code: '633',
        },
        { ...message, seq: 2, phone: 919_876_543_212, status: 'skipped', reason: 'missing_variable', price: 0 },
      ])
      .execute()
    await db
      .insertInto('counters')
      .values({ organization_id, campaign_id: id, leg: 0, submitted: 1, delivered: 1, failed: 1 })
      .execute()
    // Not folded yet, but counted.
    await db
      .insertInto('counter_deltas')
      .values({
        organization_id,
        campaign_id: id,
        leg: 0,
        account_id: owner.id,
        channel: 'sms',
        skipped: 1,
        parts: 2,
        cost: 2500,
      })
      .execute()
    const day = { organization_id, channel: 'sms' as const }
    await db
      .insertInto('daily_counters')
      .values([
        {
          ...day,
          account_id: owner.id,
          day: today,
          submitted: 10,
          delivered: 7,
          failed: 2,
          cost: 20_000,
          refunded: 5000,
        },
        {
          ...day,
          account_id: member.organizationId === organization_id ? member.id : owner.id,
          day: today,
          submitted: 5,
          delivered: 4,
          read: 1,
          cost: 10_000,
        },
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .insertInto('daily_counters')
      .values({
        ...day,
        account_id: owner.id,
        day: new Date(Date.parse(today) - 8 * 86_400_000).toISOString().slice(0, 10),
        submitted: 3,
      })
      .execute()
  })
  return id
}

test("shows a campaign's progress, with counts not folded yet", async () => {
  expect(await server.call('reports.campaignStatus', { as: manager, path: { campaignId } })).toMatchObject({
    status: 200,
    body: {
      data: {
        campaignId,
        status: 'running',
        percent: 75,
        stats: { total: 4, queued: 1, delivered: 1, failed: 1, skipped: 1, parts: 2, cost: 0.25 },
      },
    },
  })
})

test("every recipient with its result as CSV, formulas disarmed, times in the reader's time zone", async () => {
  const answer = await server.call('reports.campaignNumbers', { as: manager, path: { id: campaignId } })
  expect(answer.headers.get('content-disposition')).toContain(`filename*=UTF-8''Spring%20%2F%20sale.csv`)
  expect(answer.text.replace('\ufeff', '').split('\r\n')).toEqual([
    'Number,Name,Status,Reason,Code,Parts,Cost (₹),Sent at (Asia/Kolkata),Delivered at (Asia/Kolkata),Failed at (Asia/Kolkata)',
    '919876543210,Asha,Delivered,,,1,0.125,2026-01-05 10:00:00,2026-01-05 10:00:02,',
    "919876543211,'=cmd(),Failed,The text does not match its registered template,633,1,0.125,,,",
    '919876543212,"""Q"", R",Skipped,A variable had no value,,0,0,,,',
    '919876543213,Meena,Queued,,,0,0,,,',
    '',
  ])
})

test('the same as a workbook with a summary', async () => {
  const url = `${server.url}/api/reports/download-excel/?campaignId=${campaignId}`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${manager.token}` } })
  const book = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  const [summary, recipients] = [1, 2].map((sheet) =>
    readRows(strFromU8(book[`xl/worksheets/sheet${sheet}.xml`] ?? new Uint8Array())),
  )
  expect(summary).toContainEqual(['Recipients', '4'])
  expect(summary).toContainEqual(['Campaign', 'Spring / sale'])
  expect(recipients).toHaveLength(5)
  expect(recipients?.[2]?.slice(0, 3)).toEqual(['919876543211', '=cmd()', 'Failed'])
})

function readRows(xml: string): string[][] {
  return [...xml.matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row]) =>
    [...(row ?? '').matchAll(/<(?:v|t)[^>]*>(.*?)<\/(?:v|t)>/gs)].map(([, cell]) => cell ?? ''),
  )
}

test('a campaign out of scope is not found', async () => {
  for (const as of [foreign, member]) {
    expect(await server.call('reports.campaignStatus', { as, path: { campaignId } })).toMatchObject({
      status: 404,
      body: { message: 'Campaign not found' },
    })
    expect(await server.call('reports.campaignNumbers', { as, path: { id: campaignId } })).toMatchObject({
      status: 404,
    })
    expect(await server.call('reports.campaignExcel', { as, query: { campaignId } })).toMatchObject({ status: 404 })
  }
  expect(await server.callUnchecked('reports.campaignExcel', { as: manager })).toMatchObject({
    status: 400,
    body: { message: 'Campaign ID is required' },
  })
})

test('an admin downloads the report of an organisation below', async () => {
  expect(
    (await server.call('reports.campaignNumbers', { as: admin, path: { id: campaignId } })).text.split('\r\n'),
  ).toHaveLength(6)
})

const counts = async (as: Account, query: Record<string, string | number> = {}) =>
  server.call('dashboard.statusCounts', { as, query })

test("sums one's own scope, and the days before", async () => {
  await foldCounters(server.database.systemPool)
  expect(await counts(manager)).toMatchObject({
    status: 200,
    body: {
      data: {
        total: { submitted: 15, delivered: 11, read: 1, failed: 2, pending: 1, cost: 2.75 },
        channels: { sms: { submitted: 15, pending: 1 } },
        previous: { submitted: 3 },
        previousChannels: { sms: { submitted: 3 } },
        daily: [{ day: today, channel: 'sms', submitted: 15, delivered: 12, read: 1, failed: 2, cost: 2.75 }],
      },
    },
  })
  expect(await counts(member)).toMatchObject({ body: { data: { total: { submitted: 5, pending: 0, cost: 1 } } } })
  expect(await counts(foreign)).toMatchObject({
    body: { data: { total: { submitted: 0 }, channels: { sms: { submitted: 0 } }, daily: [] } },
  })
})

test('queued messages count on the channel they will be sent on', async () => {
  const { organizationId: organization_id, id: created_by, path } = member
  const id = newId()
  await asSystem(server.database, (db) =>
    db
      .insertInto('campaigns')
      .values({
        organization_id,
        id,
        path,
        name: 'Offers',
        channel: 'whatsapp',
        status: 'paused',
        total: 7,
        created_by,
      })
      .execute(),
  )
  expect(await counts(member)).toMatchObject({
    body: {
      data: { total: { pending: 7 }, channels: { sms: { pending: 0 }, whatsapp: { submitted: 0, pending: 7 } } },
    },
  })
})

test('of the requested accounts, with or without spaces; an organisation includes all accounts below it', async () => {
  expect(await counts(admin, { userIds: `${manager.id} , ${foreign.id}` })).toMatchObject({
    body: { data: { total: { submitted: 15 } } },
  })
  expect(await counts(manager, { userIds: member.id })).toMatchObject({ body: { data: { total: { submitted: 5 } } } })
})

test('one id that is out of scope, missing or malformed rejects the whole call', async () => {
  const refused = await counts(manager, { userIds: `${member.id},${foreign.id}` })
  expect(refused).toMatchObject({ status: 404, body: { message: 'User not found' } })
  expect((await counts(manager, { userIds: newId() })).body).toEqual(refused.body)
  expect(await counts(member, { userIds: manager.id })).toMatchObject({ status: 404 })
  expect(await counts(manager, { userIds: "x' or 1=1" })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'userIds' }] },
  })
  const many = Array.from({ length: 501 }, () => newId()).join(',')
  expect(await counts(manager, { userIds: many })).toMatchObject({ status: 400 })
})

test('the costs of the recipients add up to that of the campaign, including a second channel', async () => {
  const { organizationId: organization_id } = manager
  await asSystem(server.database, async (db) => {
    await db
      .insertInto('leg_entries')
      .values({ organization_id, campaign_id: campaignId, seq: 1, from_leg: 0, leg: 1, reason: 'failed' })
      .execute()
    const { sender_id } = await db.selectFrom('messages').select('sender_id').executeTakeFirstOrThrow()
    await db
      .insertInto('messages')
      .values({
        organization_id,
        created_on: today,
        campaign_id: campaignId,
        sender_id,
        seq: 1,
        leg: 1,
        phone: 919_876_543_211,
        status: 'delivered',
        parts: 1,
        price: 7800,
      })
      .execute()
    await sql`update counters set cost = cost + 7800 where campaign_id = ${campaignId}::uuid`.execute(db)
  })
  const report = await server.call('reports.campaignNumbers', { as: manager, path: { id: campaignId } })
  const rows = report.text.trim().split('\r\n').slice(1)
  expect(rows[1]).toContain(',Delivered,,,2,0.905,')
  const excel = await server.call('reports.campaignExcel', { as: manager, query: { campaignId } })
  const book = unzipSync(excel.bytes)
  const summary = readRows(strFromU8(book['xl/worksheets/sheet1.xml'] ?? new Uint8Array()))
  expect(summary).toContainEqual(['Cost (₹)', '1.03'])
  expect(summary.some(([label]) => label === 'Started (Asia/Kolkata)')).toBe(true)
})
