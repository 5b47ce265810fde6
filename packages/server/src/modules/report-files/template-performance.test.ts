import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { prepare, readRowsOf, sumOfRows, today } from './test-reports.ts'
import { buildSent, type SentCampaign } from './test-sent.ts'

let server: TestServer
let manager: Account
let user: Account
let sent: SentCampaign

beforeAll(async () => {
  server = await testServer()
  manager = await buildManager(server.database)
  user = await buildUser(server.database, { parent: manager })
  sent = await buildSent(server.database, { owner: manager, name: 'Diwali' })
  await addTemplates(sent)
  const ofUser = await buildSent(server.database, { owner: user, name: 'Holi' })
  await addTemplates(ofUser)
})
afterAll(() => server.close())

/** A template for each of the two legs; one person clicked each, and two replied to the second. */
async function addTemplates({ id }: SentCampaign) {
  const { organizationId } = manager
  await asSystem(server.database, async (db) => {
    for (const [leg, channel] of (['sms', 'whatsapp'] as const).entries()) {
      const templateId = newId()
      await db
        .insertInto('templates')
        .values({
          organization_id: organizationId,
          id: templateId,
          channel,
          name: `${channel} of ${id}`,
          status: 'approved',
          category: 'promotional',
          language: leg === 0 ? 'en' : 'hi',
          content: '{}',
          created_by: manager.id,
        })
        .execute()
      await db
        .updateTable('campaign_legs')
        .set({ template_id: templateId })
        .where('campaign_id', '=', id)
        .where('leg', '=', leg)
        .execute()
    }
    await db.updateTable('campaign_links').set({ people: 1, first_people: 1 }).where('campaign_id', '=', id).execute()
    for (const replied of [1, 1])
      await db
        .insertInto('counter_deltas')
        .values({
          organization_id: organizationId,
          campaign_id: id,
          leg: 1,
          account_id: manager.id,
          channel: 'whatsapp',
          replied,
          left_on: today,
        })
        .execute()
  })
}

const rowsFor = (as: Account, wanted: object = {}) =>
  readRowsOf(server, { as, type: 'template_performance', ...wanted })

test('messages and cost equal those of the campaigns, and clicks those of their links', async () => {
  const rows = await rowsFor(manager, { campaignId: sent.id })
  const summary = await readRowsOf(server, { as: manager, type: 'campaign_summary', campaignId: sent.id })
  const links = await server.ask('links.list', { as: manager, path: { id: sent.id } })
  for (const title of ['Messages', 'Sent', 'Failed', 'Charged (₹)', 'Refunded (₹)', 'Cost (₹)'])
    expect([title, sumOfRows(rows, title)]).toEqual([title, sumOfRows(summary, title)])
  expect(sumOfRows(rows, 'Clicked')).toBe(links.people)
  for (const { Channel: channel, Messages: messages, 'Cost (₹)': cost } of summary)
    expect(rows.find((row) => row['Channel'] === channel)).toMatchObject({ Messages: messages, 'Cost (₹)': cost })
})

test('rates are of sent messages, and are absent without read receipts or replies', async () => {
  const rows = await rowsFor(manager, { campaignId: sent.id })
  const [sms, whatsapp] = ['SMS', 'WhatsApp'].map((channel) => rows.find((row) => row['Channel'] === channel))
  expect(sms).toMatchObject({
    Template: `sms of ${sent.id}`,
    Language: 'en',
    Sent: '4',
    Read: '',
    'Read (%)': '',
    Clicked: '1',
    'Clicked (%)': '25',
    Replied: '0',
    'Cost per reply (₹)': '',
  })
  expect(whatsapp).toMatchObject({
    Language: 'hi',
    Sent: '1',
    Read: '1',
    'Read (%)': '100',
    Replied: '2',
    'Replied (%)': '200',
    'Cost (₹)': '0.78',
    'Cost per reply (₹)': '0.39',
  })
})

test('clicks and replies are in the report of the first day alone, with a filter of the channel too', async () => {
  expect(await rowsFor(manager, { from: '2026-01-01', to: '2026-01-31' })).toEqual([])
  const rows = await rowsFor(manager, { channel: 'whatsapp' })
  expect(rows.map((row) => row['Channel'])).toEqual(['WhatsApp', 'WhatsApp'])
  expect(sumOfRows(rows, 'Replied')).toBe(4)
})

test('a user gets the templates of the own campaigns, a manager those of all, and a foreign manager none', async () => {
  expect(await rowsFor(user)).toHaveLength(2)
  expect(await rowsFor(manager)).toHaveLength(4)
  const foreign = await buildManager(server.database)
  expect((await prepare(server, { as: foreign, type: 'template_performance' })).rows).toBe(0)
})
