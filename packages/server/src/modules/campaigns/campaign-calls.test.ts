import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProgressUpdate } from '@carillon/contract/realtime'
import { newId } from '../../lib/ids.ts'
import { buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { smsLeg } from '../../testing/draft-legs.ts'
import type { UncheckedOptions } from '../../testing/server.ts'
import { createAudienceProgress } from './reads/announce.ts'
import {
  admin,
  buildDraft,
  buildReady,
  buildSmsFixtures,
  detail,
  foreign,
  head,
  manager,
  people,
  server,
  setUp,
  tearDown,
  user,
  validate,
  type SmsFixtures,
} from './test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

describe('creating a campaign in one call', () => {
  const create = (as: Account, fixtures: SmsFixtures, more: UncheckedOptions & { body?: Record<string, unknown> }) =>
    server.callUnchecked('smsCampaigns.create', {
      as,
      ...more,
      body: {
        campaignName: 'One call',
        smsAccountId: fixtures.smsAccountId,
        templateId: fixtures.templateId,
        ...more.body,
      },
    })

  test('accepts a list of numbers, validates them, and waits for the start', async () => {
    const fixtures = await buildSmsFixtures(manager, { body: 'Hello everyone' })
    const answer = await create(manager, fixtures, { body: { numbers: ['9876543210', '+91 98765 43211', 'nobody'] } })
    expect(answer).toMatchObject({ status: 200, body: { data: { status: 'validating', campaignName: 'One call' } } })
    const { _id } = answer.data()
    await expect.poll(async () => (await detail(_id)).status, { timeout: 20_000 }).toBe('ready')
    expect(await server.call('campaigns.validatingProgress', { as: manager, path: { id: _id } })).toMatchObject({
      status: 200,
      body: { data: { status: 'ready', total: 3, accepted: 2, invalid: 1, percent: 100 } },
    })
  })

  test('accepts a file in a form', async () => {
    const fixtures = await buildSmsFixtures(manager)
    const answer = await create(manager, fixtures, {
      body: { variables: [{ column: 1 }, { fallback: 'us' }] },
      files: { file: { name: 'people.csv', content: people } },
    })
    const { _id } = answer.data()
    await expect.poll(async () => (await detail(_id)).status, { timeout: 20_000 }).toBe('ready')
    expect((await detail(_id)).stats).toMatchObject({ total: 3, queued: 3 })
  })

  test('reports a file that cannot be read', async () => {
    const fixtures = await buildSmsFixtures(manager)
    const answer = await create(manager, fixtures, {
      files: { file: { name: 'people.csv', content: Buffer.from('89504e470d0a1a0a0000', 'hex') } },
    })
    const { _id } = answer.data()
    await expect.poll(async () => (await detail(_id)).status, { timeout: 20_000 }).toBe('failed')
    expect(await detail(_id)).toMatchObject({ statusDetail: expect.stringContaining('not a CSV or XLSX') })
  })

  test("requires recipients, and references to one's own records only", async () => {
    const fixtures = await buildSmsFixtures(manager)
    expect(await create(manager, fixtures, {})).toMatchObject({ status: 400, body: { details: [{ field: 'file' }] } })
    expect(await create(foreign, fixtures, { body: { numbers: ['9876543210'] } })).toMatchObject({
      status: 404,
      body: { message: 'SMS account not found' },
    })
  })
})

describe('scope', () => {
  test('a campaign out of scope is not found, for every action', async () => {
    const draft = await buildDraft(manager)
    const deeds = [
      'campaigns.get',
      'smsCampaigns.start',
      'smsCampaigns.discard',
      'campaigns.pause',
      'campaigns.resume',
      'campaigns.duplicate',
      'drafts.get',
      'drafts.estimate',
      'drafts.validate',
      'campaigns.validatingProgress',
    ] as const
    for (const name of deeds) {
      const theirs = await server.call(name, { as: foreign, path: { id: draft._id } })
      expect(theirs).toMatchObject({ status: 404, body: { success: false, message: 'Campaign not found' } })
      expect(theirs.body).toEqual((await server.call(name, { as: foreign, path: { id: newId() } })).body)
    }
    expect(
      await server.call('drafts.save', {
        as: foreign,
        path: { id: draft._id },
        body: { campaignName: 'Mine', legs: [smsLeg()] },
      }),
    ).toMatchObject({ status: 404 })
    expect(await server.call('campaigns.schedule', { as: foreign, path: { id: draft._id }, body: {} })).toMatchObject({
      status: 404,
    })
  })

  test('a user sees its own, a department head those below, a manager all; a draft cannot reference records out of scope', async () => {
    const own = await buildDraft(user, { campaignName: 'Of the user' })
    for (const as of [user, head, manager])
      expect(await server.call('drafts.get', { as, path: { id: own._id } })).toMatchObject({ status: 200 })
    const managers = await buildDraft(manager)
    for (const as of [user, head])
      expect(await server.call('drafts.get', { as, path: { id: managers._id } })).toMatchObject({ status: 404 })
    expect(
      await server.call('drafts.create', {
        as: user,
        body: { campaignName: 'x', audienceId: managers.audienceId, legs: [smsLeg()] },
      }),
    ).toMatchObject({ status: 404, body: { message: 'Audience not found' } })
    expect(
      await server.call('drafts.create', {
        as: foreign,
        body: { campaignName: 'x', legs: [smsLeg({ templateId: managers.legs[0].templateId })] },
      }),
    ).toMatchObject({ status: 404, body: { message: 'Template not found' } })
  })

  test("the specification's message for a missing id", async () => {
    expect(await server.call('smsCampaigns.start', { as: manager, path: { id: 'undefined' } })).toMatchObject({
      status: 400,
      body: { message: 'Campaign ID is required' },
    })
    expect(await server.callUnchecked('smsCampaigns.responses', { as: manager })).toMatchObject({
      status: 400,
      body: { message: 'Campaign ID is required' },
    })
  })
})

test('lists by status, search, account, template and creator, with the counts of the tabs', async () => {
  const owner = await buildManager(server.database, { parent: admin })
  const fixtures = await buildSmsFixtures(owner)
  const member = await buildUser(server.database, { parent: owner })
  const content = 'Mobile,Name,City\n9876543210,A,B\n'
  await buildDraft(owner, { fixtures, campaignName: 'Alpha 100%' })
  await buildDraft(member, { fixtures, campaignName: 'Beta', content })
  const ready = await buildDraft(owner, { fixtures, campaignName: 'Gamma', content })
  await validate(ready._id, owner)
  const list = async (query: Record<string, string | number>, as = owner) => {
    const body = (await server.call('smsCampaigns.list', { as, query })).data()
    return {
      names: body.campaigns.map(({ campaignName }) => campaignName),
      total: body.totalCampaigns,
      counts: body.statusCounts,
    }
  }
  expect(await list({})).toEqual({ names: ['Gamma', 'Beta', 'Alpha 100%'], total: 3, counts: { draft: 2, ready: 1 } })
  expect(await list({ status: 'ready' })).toEqual({ names: ['Gamma'], total: 1, counts: { draft: 2, ready: 1 } })
  expect(await list({ status: 'ready, draft', sort: 'name', direction: 'asc' })).toMatchObject({
    names: ['Alpha 100%', 'Beta', 'Gamma'],
  })
  expect(await list({ search: '100%' })).toMatchObject({ names: ['Alpha 100%'], total: 1 })
  expect(await list({ createdBy: member.id })).toMatchObject({ names: ['Beta'] })
  expect(
    await list({ templateId: fixtures.templateId, smsAccountId: fixtures.smsAccountId, limit: 1, page: 2 }),
  ).toMatchObject({ names: ['Beta'], total: 3 })
  expect(await list({ from: '2020-01-01', to: '2020-12-31' })).toMatchObject({ names: [], total: 0 })
  expect(await list({}, member)).toMatchObject({ names: ['Beta'] })
  expect(
    (await server.call('smsCampaigns.search', { as: owner, query: { query: 'gam' } })).data().campaigns,
  ).toMatchObject([
    {
      campaignName: 'Gamma',
      stats: { total: 1, queued: 1 },
      accountName: 'Main',
      header: 'CARLLN',
      category: 'service_implicit',
      fileName: 'people.csv',
    },
  ])
  expect(await server.call('smsCampaigns.list', { as: owner, query: { status: 'nonsense' } })).toMatchObject({
    status: 400,
  })
})

test('a duplicate is a new draft with the same choices', async () => {
  const { owner, id } = await buildReady()
  const answer = await server.call('campaigns.duplicate', { as: owner, path: { id } })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      data: {
        status: 'draft',
        campaignName: 'Copy of Spring',
        legs: [{ channel: 'sms', values: { variables: [{ column: 1 }, { column: 2, fallback: 'town' }] } }],
      },
    },
  })
  expect(answer.data()._id).not.toBe(id)
})

test('the progress of an audience names the channel of the campaign that waits for it', async () => {
  const { owner, id } = await buildReady()
  await server.database.ownerPool.query(`update campaigns set channel = 'whatsapp', status = 'draft' where id = $1`, [
    id,
  ])
  const { rows } = await server.database.systemPool.query<{ audience_id: string }>(
    'select audience_id from campaigns where id = $1',
    [id],
  )
  const updates: ProgressUpdate[] = []
  const announce = createAudienceProgress(server.database, (_, update) => updates.push(update))
  const subjectIds = rows.map(({ audience_id }) => audience_id)
  await announce([{ type: 'audience.changed', organizationId: owner.organizationId, subjectIds, payload: {} }])
  expect(updates).toMatchObject([{ campaignId: id, channel: 'whatsapp' }])
})

test.each(['919876543210', '+919876543210', '%2B919876543210'])(
  'finds the messages of the number %s',
  async (number) => {
    const { owner, id } = await buildReady()
    await server.call('smsCampaigns.start', { as: owner, path: { id } })
    const answer = await fetch(`${server.url}/api/messages/number/${number}`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 200,
      body: { data: { optedOutAt: null } },
    })
  },
)

test('lists and searches the recipients of a campaign, each with the status of its message', async () => {
  const { owner, id } = await buildReady()
  await server.call('smsCampaigns.start', { as: owner, path: { id } })
  const responses = (query: Record<string, string | number>) =>
    server.call('smsCampaigns.responses', { as: owner, query: { campaignId: id, ...query } })
  expect(await responses({ limit: 2 })).toMatchObject({
    status: 200,
    body: {
      data: {
        total: 3,
        totalPages: 2,
        currentPage: 1,
        responses: [{ seq: 0, phoneNumber: '+919876543210', status: 'queued' }, { seq: 1 }],
      },
    },
  })
  expect(await responses({ status: 'delivered' })).toMatchObject({ body: { data: { total: 0, responses: [] } } })
  expect(
    await server.call('smsCampaigns.searchNumber', { as: owner, path: { id }, query: { number: '43212' } }),
  ).toMatchObject({ body: { data: { total: 1, responses: [{ seq: 2 }] } } })
  expect(
    await server.call('smsCampaigns.searchNumber', { as: owner, path: { id }, query: { number: '1' } }),
  ).toMatchObject({ status: 400, body: { details: [{ message: 'Enter at least three digits' }] } })
  expect(await server.call('smsCampaigns.responses', { as: foreign, query: { campaignId: id } })).toMatchObject({
    status: 404,
    body: { message: 'Campaign not found' },
  })
})
