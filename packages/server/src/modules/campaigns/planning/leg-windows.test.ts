import { afterAll, beforeAll, expect, test } from 'vitest'
import { listZones } from '../../../lib/country-zones.ts'
import { buildManager } from '../../../testing/builders.ts'
import { admin, buildDraft, buildSmsFixtures, legsOf, server, setUp, tearDown, validate } from '../test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

const people =
  'Mobile,Name,City\n+919876543210,Asha,Pune\n+919876543211,Ravi,Agra\n+447400123456,Ann,London\n+12025550143,Bob,Boston\n'

async function build(start: string, end: string, { category = 'service_implicit', ...more } = {}) {
  const owner = await buildManager(server.database, { parent: admin })
  const fixtures = await buildSmsFixtures(owner, { rupees: 10, category })
  const sendWindow = { start, end, timezone: 'Asia/Kolkata', useRecipientTimezone: true, ...more }
  const draft = await buildDraft(owner, { fixtures, content: people, sendWindow })
  return { owner, fixtures, draft }
}

const windowsOf = async (id: string) =>
  (
    await server.database.ownerPool.query<{ country: string; hours: unknown }>(
      'select country, send_window as hours from campaign_legs where campaign_id = $1 order by country',
      [id],
    )
  ).rows

test('each country gets the hours in its own time zones, those of several zones together', async () => {
  const { owner, draft } = await build('09:00', '20:00')
  expect(await validate(draft._id, owner)).toMatchObject({ status: 'ready' })
  const hours = { start: '09:00', end: '20:00' }
  expect(await windowsOf(draft._id)).toEqual([
    { country: 'GB', hours: { ...hours, timezone: 'Europe/London' } },
    { country: 'IN', hours: { ...hours, timezone: 'Asia/Kolkata' } },
    { country: 'US', hours: { ...hours, timezone: listZones('US')[0], timezones: listZones('US') } },
  ])
  expect(listZones('US')).toEqual(expect.arrayContaining(['America/Chicago', 'Pacific/Honolulu']))
  const { checks, beginsAt, endsAt } = await server.ask('drafts.estimate', { as: owner, path: { id: draft._id } })
  expect(checks.find(({ id }) => id === 'window')?.detail).toContain('local time of the recipient’s country')
  expect(endsAt > beginsAt).toBe(true)
})

test('hours that are never open in all zones of a country are rejected', async () => {
  const { owner, draft } = await build('09:00', '12:00')
  expect(await validate(draft._id, owner)).toMatchObject({
    status: 'failed',
    statusDetail: expect.stringContaining('The hours are too short for United States'),
  })
})

test("operators' hours bind the recipients of their country, wherever the hours are those of the recipient", async () => {
  const early = await build('09:00', '20:00', { category: 'promotional' })
  expect(await validate(early.draft._id, early.owner)).toMatchObject({
    status: 'failed',
    statusDetail: expect.stringContaining('The hours exceed what operators allow'),
  })
  const late = await build('10:00', '21:00', { category: 'promotional' })
  expect(await validate(late.draft._id, late.owner)).toMatchObject({ status: 'ready' })
})

test('a message with its own hours keeps them, whatever those of the campaign are', async () => {
  const owner = await buildManager(server.database, { parent: admin })
  const fixtures = await buildSmsFixtures(owner, { rupees: 10 })
  const draft = await buildDraft(owner, { fixtures })
  const [leg] = legsOf(fixtures, [{ column: 1 }, { column: 2, fallback: 'town' }])
  const sendWindow = { start: '11:00', end: '12:00', timezone: 'UTC' }
  const body = {
    ...draft,
    sendWindow: { ...sendWindow, start: '08:00' },
    legs: [{ ...leg, sendWindow }] as [typeof leg],
  }
  await server.ask('drafts.save', { as: owner, path: { id: draft._id }, body })
  expect(await validate(draft._id, owner)).toMatchObject({ status: 'ready' })
  expect(await windowsOf(draft._id)).toEqual([{ country: 'IN', hours: sendWindow }])
})
