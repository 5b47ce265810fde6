import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Campaign } from '@carillon/contract/campaign-records'
import { asSystem } from '../../db/pool.ts'
import { startScheduled } from './lifecycle/schedule-campaign.ts'
import {
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
} from './test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

/** The scheduler's clock, set by the test. */
let now = new Date()
const clock = { now: () => now }

describe('starting', () => {
  test('fifty starts at once hold the money once and plan the campaign once', async () => {
    const { owner, id } = await buildReady({ rupees: 1 })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => server.call('smsCampaigns.start', { as: owner, path: { id } })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => (body as { data: Campaign }).data.startedAt)).size).toBe(1)
    expect(await balanceOf(owner)).toEqual({ posted: 10_000, held: 3750, available: 6250 })
    const { chunks, events } = await asSystem(server.database, async (db) => ({
      chunks: await db.selectFrom('chunks').select(['lo', 'hi']).where('campaign_id', '=', id).execute(),
      events: await db
        .selectFrom('campaign_events')
        .select('event')
        .where('campaign_id', '=', id)
        .where('event', '=', 'started')
        .execute(),
    }))
    expect(chunks).toEqual([{ lo: 0, hi: 3 }])
    expect(events).toHaveLength(1)
  })

  test('cost and reserved amount add up while messages of an unfinished chunk are charged', async () => {
    const { owner, id } = await buildReady({ rupees: 1 })
    await server.call('smsCampaigns.start', { as: owner, path: { id } })
    expect(await detail(id, owner)).toMatchObject({ held: 0.375, stats: { cost: 0 } })
    // Two of three messages were sent; the ledger captures their price with the third.
    await asSystem(server.database, (db) =>
      db
        .insertInto('counters')
        .values({ organization_id: owner.organizationId, campaign_id: id, leg: 0, submitted: 2, sent: 2, cost: 2500 })
        .execute(),
    )
    expect(await detail(id, owner)).toMatchObject({ held: 0.125, stats: { cost: 0.25 } })
  })

  test('insufficient balance is rejected with the shortfall in whole paise, and the campaign stays ready', async () => {
    const { owner, id } = await buildReady({ rupees: 0.3 })
    expect(await server.call('smsCampaigns.start', { as: owner, path: { id } })).toMatchObject({
      status: 409,
      body: { code: 'insufficient_balance', details: [{ field: 'shortfall', message: '0.08' }] },
    })
    expect(await detail(id, owner)).toMatchObject({ status: 'ready', startedAt: null, held: 0 })
    expect(await balanceOf(owner)).toMatchObject({ held: 0 })
  })

  test('concurrent edits of one draft do not overwrite each other: the second is rejected with a message', async () => {
    const { owner, id } = await buildReady()
    const { version, ...draft } = await server.ask('drafts.get', { as: owner, path: { id } })
    const save = (campaignName: string, seen: string) =>
      server.call('drafts.save', {
        as: owner,
        path: { id },
        query: { version: seen },
        body: { ...draft, campaignName },
      })
    const first = await save('Renamed', version)
    expect(first).toMatchObject({ status: 200, body: { data: { campaignName: 'Renamed' } } })
    expect(await save('Of another tab', version)).toMatchObject({
      status: 409,
      body: { message: 'This draft was changed in another tab or by someone else: reload it' },
    })
    expect(await detail(id, owner)).toMatchObject({ campaignName: 'Renamed' })
    const latest = first.data().version
    expect(await save('Renamed again', latest)).toMatchObject({ status: 200 })
  })

  test('a campaign starts only as it was reviewed: a change by another account in between is rejected with a message', async () => {
    const { owner, id, fixtures } = await buildReady()
    const draft = () => server.ask('drafts.get', { as: owner, path: { id } })
    const start = (version: string) => server.call('smsCampaigns.start', { as: owner, path: { id }, body: { version } })
    const changed = {
      status: 409,
      body: { message: 'The campaign changed since you reviewed it: review it again' },
    }
    const reviewed = await draft()

    // While the start is delayed, another person edits the campaign and makes it ready again.
    const edited = { ...reviewed, legs: legsOf(fixtures, [{ fallback: 'all' }, { fallback: 'us' }]) }
    await server.call('drafts.save', { as: owner, path: { id }, body: edited })
    expect(await start(reviewed.version)).toMatchObject(changed)
    expect(await validate(id, owner)).toMatchObject({ status: 'ready' })
    expect(await start(reviewed.version)).toMatchObject(changed)
    const schedule = { startAt: inHours(1), timezone: 'Asia/Kolkata', version: reviewed.version }
    expect(await server.call('campaigns.schedule', { as: owner, path: { id }, body: schedule })).toMatchObject(changed)
    expect(await detail(id, owner)).toMatchObject({ status: 'ready', startedAt: null, held: 0 })

    // A change that was undone does not count as a change.
    await server.call('drafts.save', { as: owner, path: { id }, body: reviewed })
    await validate(id, owner)
    for (const _ of ['once', 'twice']) expect(await start(reviewed.version)).toMatchObject({ status: 200 })
    expect(await start((await draft()).version)).toMatchObject({ status: 200 })
  })

  test('of a save and a start at the same moment exactly one takes effect', async () => {
    const { owner, id } = await buildReady()
    const read = { as: owner, path: { id } }
    const reviewed = await server.ask('drafts.get', read)
    const save = server.call('drafts.save', { ...read, body: { ...reviewed, campaignName: 'Autumn' } })
    const start = server.call('smsCampaigns.start', { ...read, body: { version: reviewed.version } })
    const [saved, started] = await Promise.all([save, start])
    // Whichever came first, one takes effect: started as reviewed, or edited and not started.
    const campaign = await detail(id, owner)
    if (saved.status === 200) {
      expect(started.status).toBe(409)
      expect(campaign).toMatchObject({ status: 'draft', campaignName: 'Autumn', startedAt: null, held: 0 })
    } else {
      expect([saved.status, started.status]).toEqual([409, 200])
      expect(campaign).toMatchObject({ status: 'queued', campaignName: 'Spring' })
    }
  })

  test('an account that was switched off meanwhile does not start', async () => {
    const { owner, id, fixtures } = await buildReady()
    await asSystem(server.database, (db) =>
      db.updateTable('senders').set({ is_active: false }).where('id', '=', fixtures.smsAccountId).execute(),
    )
    expect(await server.call('smsCampaigns.start', { as: owner, path: { id } })).toMatchObject({ status: 409 })
    expect(await balanceOf(owner)).toMatchObject({ held: 0 })
  })

  test('a department head creates campaigns but cannot start them; the manager can', async () => {
    await buildSmsFixtures(manager, { rupees: 10 })
    const draft = await buildDraft(head)
    expect(await validate(draft._id, head)).toMatchObject({ status: 'ready' })
    for (const name of ['smsCampaigns.start', 'smsCampaigns.discard', 'campaigns.pause'] as const)
      expect(await server.call(name, { as: head, path: { id: draft._id } })).toMatchObject({
        status: 403,
        body: { message: 'You are not authorized to access this resource.' },
      })
    expect(await server.call('smsCampaigns.start', { as: manager, path: { id: draft._id } })).toMatchObject({
      status: 200,
      body: { data: { status: 'queued' } },
    })
  })
})

describe('stopping', () => {
  test('pauses, resumes, and cancels permanently, each twice without effect', async () => {
    const { owner, id } = await buildReady()
    const action = async (
      name: 'smsCampaigns.start' | 'campaigns.pause' | 'campaigns.resume' | 'smsCampaigns.discard',
    ) => {
      const answers = [
        await server.call(name, { as: owner, path: { id } }),
        await server.call(name, { as: owner, path: { id } }),
      ]
      expect(answers[1]?.body).toEqual(answers[0]?.body)
      return answers[0]
    }
    const epoch = async () =>
      (
        await asSystem(server.database, (db) =>
          db.selectFrom('campaigns').select('run_epoch').where('id', '=', id).executeTakeFirstOrThrow(),
        )
      ).run_epoch
    await action('smsCampaigns.start')
    expect(await action('campaigns.pause')).toMatchObject({
      body: { data: { status: 'paused', pauseReason: 'manual' } },
    })
    expect(await epoch()).toBe(2)
    expect(await action('campaigns.resume')).toMatchObject({ body: { data: { status: 'queued' } } })
    expect(await action('smsCampaigns.discard')).toMatchObject({
      body: { data: { status: 'cancelled', stats: { queued: 0, cancelled: 3 } } },
    })
    expect(await epoch()).toBe(3)
    expect(await server.call('campaigns.resume', { as: owner, path: { id } })).toMatchObject({
      status: 409,
      body: { message: 'A campaign that is cancelled cannot be started' },
    })
    expect((await detail(id, owner)).timeline.map(({ event }) => event)).toEqual([
      'created',
      'validation_requested',
      'validated',
      'started',
      'paused',
      'resumed',
      'cancelled',
    ])
  })

  test('a campaign that never started is discarded, and its hold released', async () => {
    const { owner, id } = await buildReady()
    await server.call('campaigns.schedule', { as: owner, path: { id }, body: { startAt: inHours(5) } })
    expect(await balanceOf(owner)).toMatchObject({ held: 3750 })
    expect(await server.call('smsCampaigns.discard', { as: owner, path: { id } })).toMatchObject({
      status: 200,
      body: { data: { status: 'discarded' } },
    })
    expect(await balanceOf(owner)).toMatchObject({ held: 0 })
    expect(await server.call('drafts.validate', { as: owner, path: { id } })).toMatchObject({ status: 409 })
  })

  test('a cancelled campaign returns the unused part of the daily limits', async () => {
    const { owner, id } = await buildReady({ rupees: 10 })
    await asSystem(server.database, (db) =>
      db
        .insertInto('account_limits')
        .values([
          {
            organization_id: owner.organizationId,
            account_id: owner.id,
            key: 'messages_per_day',
            value: 5,
            set_by: owner.id,
          },
          {
            organization_id: owner.organizationId,
            account_id: owner.id,
            key: 'spend_per_day',
            value: 1,
            set_by: owner.id,
          },
        ])
        .execute(),
    )
    const used = async () => {
      const { limits } = await server.ask('limits.list', { as: owner })
      return Object.fromEntries(limits.map((limit) => [limit.key, limit.used]))
    }
    await server.call('smsCampaigns.start', { as: owner, path: { id } })
    expect(await used()).toMatchObject({ messages_per_day: 3, messages_per_month: 3, spend_per_day: 0.38 })
    await server.call('smsCampaigns.discard', { as: owner, path: { id } })
    expect(await used()).toMatchObject({ messages_per_day: 0, messages_per_month: 0, spend_per_day: 0 })
    // One of the three was sent before the campaign was cancelled.
    await asSystem(server.database, (db) =>
      db
        .insertInto('counters')
        .values({
          organization_id: owner.organizationId,
          campaign_id: id,
          leg: 0,
          submitted: 1,
          delivered: 1,
          cost: 1250,
        })
        .execute(),
    )
    expect(await used()).toMatchObject({ messages_per_day: 1, messages_per_month: 1, spend_per_day: 0.13 })
  })
})

describe('scheduling', () => {
  test('reserves the money at once, releases it when unscheduled, and starts on time', async () => {
    const { owner, id } = await buildReady()
    const schedule = (startAt?: string) =>
      server.call('campaigns.schedule', { as: owner, path: { id }, body: startAt ? { startAt } : {} })
    const first = inHours(2)
    expect(await schedule(first)).toMatchObject({
      status: 200,
      body: { data: { status: 'scheduled', startAt: first } },
    })
    expect(await balanceOf(owner)).toMatchObject({ held: 3750 })
    expect(await schedule()).toMatchObject({ status: 200, body: { data: { status: 'ready', startAt: null } } })
    expect(await balanceOf(owner)).toMatchObject({ held: 0 })
    const second = inHours(3)
    await schedule(inHours(1))
    expect(await schedule(second)).toMatchObject({ body: { data: { status: 'scheduled', startAt: second } } })
    expect(await balanceOf(owner)).toMatchObject({ held: 3750 })

    now = new Date(Date.parse(second) - 1000)
    await startScheduled({ database: server.database, clock })
    expect(await detail(id, owner)).toMatchObject({ status: 'scheduled' })
    now = new Date(Date.parse(second) + 1000)
    await Promise.all([
      startScheduled({ database: server.database, clock }),
      startScheduled({ database: server.database, clock }),
    ])
    expect(await detail(id, owner)).toMatchObject({ status: 'queued' })
    expect(await balanceOf(owner)).toMatchObject({ held: 3750 })
  })

  test('reports why it waits when it is due and cannot start', async () => {
    const { owner, id, fixtures } = await buildReady()
    const at = inHours(2)
    await server.call('campaigns.schedule', { as: owner, path: { id }, body: { startAt: at } })
    await asSystem(server.database, (db) =>
      db.updateTable('senders').set({ is_active: false }).where('id', '=', fixtures.smsAccountId).execute(),
    )
    now = new Date(Date.parse(at) + 1000)
    await startScheduled({ database: server.database, clock })
    expect(await detail(id, owner)).toMatchObject({
      status: 'scheduled',
      statusDetail: 'The SMS account Main is inactive: activate it first',
    })
  })

  test('rejects a time in the past, and a campaign that is not ready', async () => {
    const { owner, id } = await buildReady()
    expect(
      await server.call('campaigns.schedule', { as: owner, path: { id }, body: { startAt: inHours(-1) } }),
    ).toMatchObject({ status: 400, body: { details: [{ field: 'startAt' }] } })
    const draft = await buildDraft(manager)
    expect(
      await server.call('campaigns.schedule', {
        as: manager,
        path: { id: draft._id },
        body: { startAt: inHours(1) },
      }),
    ).toMatchObject({ status: 409 })
  })
})
