import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildAdmin, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { download, prepare, readCsv, today, type Wanted } from './test-reports.ts'
import { buildSent, type SentCampaign } from './test-sent.ts'

let server: TestServer
let admin: Account
let manager: Account
let user: Account
let sent: SentCampaign

beforeAll(async () => {
  server = await testServer()
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  user = await buildUser(server.database, { parent: manager })
  sent = await buildSent(server.database, { owner: manager, name: 'Diwali' })
  await buildSent(server.database, { owner: user, name: 'Holi' })
  await buildSent(server.database, {
    owner: await buildManager(server.database, { parent: admin }),
    name: 'Onam',
  })
})
afterAll(() => server.close())

test('a report of link clicks has a row for each recipient and link, of the account and below', async () => {
  const report = await prepare(server, { as: manager, campaignId: sent.id, type: 'link_clicks', format: 'csv' })
  const [header, ...lines] = readCsv((await download(server, manager, report.reportId)).text)
  expect(header).toEqual([
    'Day',
    'Campaign',
    'Account',
    'Channel',
    'Leg',
    'Variant',
    'Variable',
    'Page',
    'Number',
    'First click at (Asia/Kolkata)',
    'Last click at (Asia/Kolkata)',
    'Clicks',
    'Device',
  ])
  const times = [`${today} 10:30:00`, `${today} 11:30:00`]
  const common = [today, 'Diwali', `Name of ${manager.username}`]
  expect(lines).toEqual([
    [...common, 'SMS', '1', '', 'value1', 'https://shop.example/sms', '919876500000', ...times, '2', 'iOS'],
    [...common, 'WhatsApp', '2', '', 'value1', 'https://shop.example/whatsapp', '919876500001', ...times, '1', 'Other'],
  ])
  expect(report.summary).toContainEqual({ label: 'Clicks', value: 3, unit: 'count' })
  const rowsOf = async (wanted: Wanted) => (await prepare(server, { ...wanted, type: 'link_clicks' })).rows
  expect(await rowsOf({ as: manager })).toBe(4)
  expect(await rowsOf({ as: user })).toBe(2)
  expect(await rowsOf({ as: admin })).toBe(6)
  expect(await rowsOf({ as: manager, channel: 'whatsapp' })).toBe(2)
  expect(await rowsOf({ as: manager, from: '2020-01-01', to: '2020-01-02' })).toBe(0)
})
