import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { startScheduled } from './schedule-campaign.ts'
import {
  admin,
  balanceOf,
  buildDraft,
  buildReady,
  legsOf,
  buildSmsFixtures,
  detail,
  head,
  inHours,
  manager,
  server,
  setUp,
  tearDown,
  validate,
} from '../test-fixtures.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'

beforeAll(setUp)
afterAll(tearDown)

const schedule = (as: Account, id: string, startAt: string) =>
  server.call('campaigns.schedule', { as, path: { id }, body: { startAt } })
const reopen = (as: Account, id: string) => server.call('campaigns.reopen', { as, path: { id } })
const draftOf = (as: Account, id: string) => server.ask('drafts.get', { as, path: { id } })
const eventsOf = async (id: string, as: Account) => (await detail(id, as)).timeline.map(({ event }) => event)
/** Runs the scheduler at the time set for a campaign. */
const startAt = (at: string) =>
  startScheduled({ database: server.database, clock: { now: () => new Date(Date.parse(at) + 1000) } })

async function buildScheduled(more: Parameters<typeof buildReady>[0] = {}) {
  const ready = await buildReady(more)
  const at = inHours(2)
  expect(await schedule(ready.owner, ready.id, at)).toMatchObject({ status: 200 })
  return { ...ready, at }
}

test('rescheduling keeps the hold, appears in the timeline, and the campaign starts only at the new time', async () => {
  const { owner, id, at, fixtures } = await buildScheduled()
  // It was due while its account was off, and reported that.
  const switchTo = (is_active: boolean) =>
    asSystem(server.database, (db) =>
      db.updateTable('senders').set({ is_active }).where('id', '=', fixtures.smsAccountId).execute(),
    )
  await switchTo(false)
  await startAt(at)
  expect(await detail(id, owner)).toMatchObject({ statusDetail: 'The SMS account Main is inactive: activate it first' })

  const later = inHours(5)
  expect(await schedule(owner, id, later)).toMatchObject({
    status: 200,
    body: { data: { status: 'scheduled', startAt: later } },
  })
  expect(await schedule(owner, id, later)).toMatchObject({ status: 200 })
  expect((await detail(id, owner)).statusDetail).toBeUndefined()
  expect((await eventsOf(id, owner)).filter((event) => event === 'rescheduled')).toHaveLength(1)
  expect(await balanceOf(owner)).toMatchObject({ held: 3750 })
  await switchTo(true)
  await startAt(at)
  expect(await detail(id, owner)).toMatchObject({ status: 'scheduled' })
  await startAt(later)
  expect(await detail(id, owner)).toMatchObject({ status: 'queued' })
  expect(await schedule(owner, id, inHours(9))).toMatchObject({
    status: 409,
    body: { message: 'The campaign has already started: its time can no longer be changed' },
  })
})

test('a time after the end, or whose first open hour is after it, is rejected in the check and in the call', async () => {
  const sender = await buildManager(server.database, { parent: admin })
  const fixtures = await buildSmsFixtures(sender, { category: 'promotional', rupees: 100 })
  // Promotional messages are sent from 10:00 in India; this campaign ends at 9:30 on the day after tomorrow.
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const expiresAt = new Date(`${day}T09:30:00+05:30`).toISOString()
  const { _id: id } = await buildDraft(sender, { fixtures, expiresAt })
  expect(await validate(id, sender)).toMatchObject({ status: 'ready' })
  const plan = async (at: string) =>
    (await server.call('campaigns.plannedStart', { as: sender, path: { id }, query: { startAt: at } })).body
  const tooEarly = new Date(`${day}T07:00:00+05:30`).toISOString()
  const refusal = 'The campaign would end before it begins'
  expect(await plan(tooEarly)).toMatchObject({
    data: {
      beginsAt: new Date(`${day}T10:00:00+05:30`).toISOString(),
      hours: '10:00 am and 9:00 pm, India time',
      refusal,
    },
  })
  expect(await schedule(sender, id, tooEarly)).toMatchObject({
    status: 400,
    body: { details: [{ field: 'startAt', message: refusal }] },
  })
  expect(await plan(inHours(-1))).toMatchObject({ data: { refusal: 'Choose a time in the future' } })
  expect((await plan(inHours(1))) as object).not.toHaveProperty('data.refusal')
})

test('editing releases the hold and keeps the time; scheduling again freezes and reserves anew', async () => {
  const { owner, id, at, fixtures } = await buildScheduled()
  const saved = await draftOf(owner, id)
  // A scheduled campaign cannot be saved.
  expect(await server.call('drafts.save', { as: owner, path: { id }, body: saved })).toMatchObject({
    status: 409,
    body: { message: 'This campaign is scheduled: choose Edit in its menu to unschedule it first' },
  })
  expect(await reopen(owner, id)).toMatchObject({ status: 200, body: { data: { _id: id, status: 'draft' } } })
  expect(await reopen(owner, id)).toMatchObject({ status: 200, body: { data: { status: 'draft' } } })
  expect(await balanceOf(owner)).toMatchObject({ held: 0, available: 1_000_000 })
  expect(await detail(id, owner)).toMatchObject({ status: 'draft', startAt: null })
  expect(await draftOf(owner, id)).toMatchObject({ schedule: { startAt: at } })
  // It becomes due while it is edited: nothing is sent.
  await startAt(at)
  expect(await detail(id, owner)).toMatchObject({ status: 'draft', startedAt: null })

  const longer = {
    ...(await draftOf(owner, id)),
    legs: legsOf(fixtures, [{ fallback: 'x'.repeat(100) }, { fallback: 'y'.repeat(60) }]),
  }
  expect(await server.call('drafts.save', { as: owner, path: { id }, body: longer })).toMatchObject({ status: 200 })
  expect(await validate(id, owner)).toMatchObject({ status: 'ready' })
  expect(await schedule(owner, id, inHours(3))).toMatchObject({ status: 200 })
  expect(await balanceOf(owner)).toMatchObject({ held: 7500 })
  expect(await eventsOf(id, owner)).toContain('taken_back')
})

test('of an edit and a start at the same moment exactly one takes effect', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { owner, id, at } = await buildScheduled()
    const start = round % 2 ? startAt(at) : server.call('smsCampaigns.start', { as: owner, path: { id } })
    const [reopened] = await Promise.all([reopen(owner, id), start])
    const campaign = await detail(id, owner)
    const events = campaign.timeline.map(({ event }) => event)
    const chunks = await asSystem(server.database, (db) =>
      db.selectFrom('chunks').select('lo').where('campaign_id', '=', id).execute(),
    )
    if (reopened.status === 200) {
      expect(campaign).toMatchObject({ status: 'draft', startedAt: null, held: 0 })
      expect(events).not.toContain('started')
      expect(chunks).toEqual([])
      expect(await balanceOf(owner)).toMatchObject({ held: 0 })
    } else {
      expect(reopened).toMatchObject({
        status: 409,
        body: { message: 'The campaign has already started and cannot be edited. Pause or cancel it instead.' },
      })
      expect(campaign.startedAt).not.toBeNull()
      expect(events).not.toContain('taken_back')
      expect(chunks).toHaveLength(1)
      expect(await balanceOf(owner)).toMatchObject({ held: 3750 })
    }
  }
})

test('only accounts that may start a campaign can unschedule it, and a discarded one stays discarded', async () => {
  const { owner, id } = await buildScheduled()
  expect(await reopen(head, id)).toMatchObject({ status: 403 })
  expect(await reopen(manager, id)).toMatchObject({ status: 404 })
  await server.call('smsCampaigns.discard', { as: owner, path: { id } })
  expect(await reopen(owner, id)).toMatchObject({ status: 409 })
})
