import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { newId } from '../../../lib/ids.ts'
import { buildManager } from '../../../testing/builders.ts'
import { smsLeg, whatsappLeg } from '../../../testing/draft-legs.ts'
import { admin, buildReady, foreign, inHours, manager, server, setUp, tearDown, user } from '../test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

type Legs = z.input<typeof CampaignDraft>['legs']

const rcsLeg = () => ({ ...smsLeg(), channel: 'rcs' as const })
const bodyOf = (legs: Legs, more: object = {}) => ({ campaignName: 'Diwali', isUnified: true, legs, ...more })
const create = (legs: Legs, more: object = {}, as = manager) =>
  server.ask('drafts.create', { as, body: bodyOf(legs, more) })
const list = async (query: object = {}, as = manager) => {
  const { campaigns, totalCampaigns } = await server.ask('campaigns.unified', { as, query: { limit: 50, ...query } })
  return { total: totalCampaigns, listed: campaigns.map(({ _id, channels }) => ({ _id, channels })) }
}

test('the order of the channels of a unified draft can change, that of others cannot', async () => {
  const { _id } = await create([rcsLeg(), whatsappLeg(), smsLeg()])
  const path = { id: _id }
  const body = bodyOf([whatsappLeg(), rcsLeg(), smsLeg()])
  expect(await server.call('drafts.save', { as: manager, path, body })).toMatchObject({ status: 200 })
  expect(await server.ask('campaigns.get', { as: manager, path })).toMatchObject({ channel: 'whatsapp' })

  const other = await create([whatsappLeg()], { isUnified: false })
  const changed = await server.call('drafts.save', {
    as: manager,
    path: { id: other._id },
    body: bodyOf([smsLeg()], { isUnified: false }),
  })
  expect(changed).toMatchObject({ status: 400, body: { details: [{ field: 'legs.0.channel' }] } })
})

test('two messages of one sender are refused at the second one', async () => {
  const senderId = newId()
  const legs: Legs = [whatsappLeg({ senderId }), rcsLeg(), { ...whatsappLeg(), senderId }]
  expect(await server.call('drafts.create', { as: manager, body: bodyOf(legs) })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'legs.2.senderId', message: 'Message 1 has the same sender: choose another one' }] },
  })
})

test('a message waits for 30 seconds to three days', async () => {
  const waiting = (afterSeconds: number) => {
    const later = smsLeg({ entryConditions: [{ type: 'undelivered_after', afterSeconds }] })
    return server.callUnchecked('drafts.create', { as: manager, body: bodyOf([whatsappLeg(), later]) })
  }
  for (const seconds of [30, 259_200]) expect(await waiting(seconds)).toMatchObject({ status: 200 })
  for (const seconds of [29, 259_201]) expect(await waiting(seconds)).toMatchObject({ status: 400 })
})

test('campaigns over several channels are listed with their channels in order, within the scope', async () => {
  const owner = await buildManager(server.database, { parent: admin })
  const failover = await create([rcsLeg(), { ...smsLeg(), isEnabled: true }], { isUnified: false }, owner)
  const single = await create([smsLeg()], { campaignName: 'Weekly 50%' }, owner)
  await create([whatsappLeg(), smsLeg({ isEnabled: false })], { isUnified: false }, owner)
  expect(await list({}, owner)).toEqual({
    total: 2,
    listed: [
      { _id: single._id, channels: ['sms'] },
      { _id: failover._id, channels: ['rcs', 'sms'] },
    ],
  })
  expect(await list({ search: '50%' }, owner)).toMatchObject({ total: 1, listed: [{ _id: single._id }] })
  expect(await list({ status: 'running,completed' }, owner)).toEqual({ total: 0, listed: [] })
  expect(await list({ page: 3, limit: 1 }, owner)).toEqual({ total: 2, listed: [] })
  expect((await list({}, foreign)).listed).toEqual([])
  expect((await list({}, user)).listed).toEqual([])
  expect((await list({}, admin)).listed).toContainEqual({ _id: single._id, channels: ['sms'] })
})

const dayIn = (days: number) => inHours(24 * days).slice(0, 10)
const weekOf = async (from: string, to: string, as = manager) =>
  (await server.ask('campaigns.week', { as, query: { from, to } })).campaigns

test('a week has the campaigns that are scheduled or sent in it', async () => {
  const { owner, id } = await buildReady()
  const days = [dayIn(26), dayIn(34)] as const
  expect(await weekOf(...days, owner)).toEqual([])
  const startAt = `${dayIn(30)}T06:00:00.000Z`
  await server.ask('campaigns.schedule', { as: owner, path: { id }, body: { startAt, timezone: 'Asia/Kolkata' } })
  const planned = { _id: id, status: 'scheduled', channels: ['sms'], people: 3, beginsAt: startAt, endsAt: null }
  expect(await weekOf(...days, owner)).toMatchObject([planned])
  expect(await weekOf(dayIn(31), dayIn(37), owner)).toEqual([])
  expect(await weekOf(...days, foreign)).toEqual([])

  await server.database.ownerPool.query(
    `update campaigns set status = 'completed', started_at = '2025-03-05', completed_at = '2025-03-08' where id = $1`,
    [id],
  )
  expect(await weekOf('2025-03-07', '2025-03-13', owner)).toMatchObject([{ _id: id, status: 'completed' }])
  expect(await weekOf('2025-03-10', '2025-03-16', owner)).toEqual([])
  for (const query of [
    { from: '2025-03-10', to: '2025-03-09' },
    { from: '2025-03-01', to: '2025-03-15' },
  ])
    expect(await server.callUnchecked('campaigns.week', { as: owner, query })).toMatchObject({ status: 400 })
})

test('results of several campaigns are compared in the order of their ids', async () => {
  const { owner, id } = await buildReady()
  const { _id: draft } = await create([rcsLeg(), smsLeg()], {}, owner)
  await server.database.ownerPool.query(
    `insert into counters (organization_id, campaign_id, leg, submitted, delivered, read, failed, cost)
     values ($1, $2, 0, 3, 1, 1, 1, 3750)`,
    [owner.organizationId, id],
  )
  const compare = (ids: readonly string[], as = owner) =>
    server.callUnchecked('campaigns.compare', { as, query: { ids: ids.join(',') } })
  expect(await compare([draft, id])).toMatchObject({
    status: 200,
    body: {
      data: {
        campaigns: [
          {
            _id: draft,
            durationSeconds: null,
            results: [
              { channel: 'rcs', sent: 0 },
              { channel: 'sms', sent: 0 },
            ],
          },
          { _id: id, results: [{ channel: 'sms', sent: 3, delivered: 2, read: 1, cost: 0.375 }] },
        ],
      },
    },
  })
  expect(await compare([draft, id], foreign)).toMatchObject({ status: 404 })
  expect(await compare([id, id])).toMatchObject({ status: 400 })
  expect(await compare([id, ...Array.from({ length: 4 }, newId)])).toMatchObject({ status: 400 })
})
