import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecipientPreview } from '@carillon/contract/campaign-drafts'
import { asSystem } from '../../../db/pool.ts'
import {
  admin,
  buildDraft,
  buildReady,
  buildSmsFixtures,
  detail,
  legsOf,
  manager,
  server,
  setUp,
  tearDown,
  validate,
  balanceOf,
} from '../test-fixtures.ts'
import { getLeg } from '../../messages/engine/legs.ts'
import { render } from '../../messages/engine/render-recipient.ts'
import { buildManager } from '../../../testing/builders.ts'
import { smsLeg } from '../../../testing/draft-legs.ts'

beforeAll(setUp)
afterAll(tearDown)

describe('the wizard', () => {
  test('a draft is returned as it was saved', async () => {
    const draft = await buildDraft(manager, { campaignName: 'Diwali' })
    const saved = await server.call('drafts.save', {
      as: manager,
      path: { id: draft._id },
      body: { campaignName: 'Diwali 2', legs: [smsLeg({ variables: [{ fallback: 'you' }] })] },
    })
    expect(saved).toMatchObject({
      status: 200,
      body: {
        data: {
          _id: draft._id,
          status: 'draft',
          campaignName: 'Diwali 2',
          legs: [{ templateId: null, values: { variables: [{ fallback: 'you' }] } }],
        },
      },
    })
    expect(await server.ask('drafts.get', { as: manager, path: { id: draft._id } })).toEqual(saved.data())
  })

  test('previews the message of one row, with the origin of each value', async () => {
    const draft = await buildDraft(manager)
    const preview = async (seq: number) =>
      (await server.call('drafts.preview', { as: manager, path: { id: draft._id, seq } })) as {
        status: number
        body: { data: RecipientPreview }
      }
    expect((await preview(0)).body.data).toEqual({
      seq: 0,
      total: 3,
      phoneNumber: '+919876543210',
      values: ['9876543210', 'Asha', 'Pune'],
      pieces: [
        { text: 'Hello ' },
        { text: 'Asha', variable: 'value1', column: 'Name' },
        { text: ', come to ' },
        { text: 'Pune', variable: 'value2', column: 'City' },
        { text: ' today.' },
      ],
      text: 'Hello Asha, come to Pune today.',
      encoding: 'gsm7',
      parts: 1,
      cost: 0.125,
    })
    expect((await preview(2)).body.data.pieces[3]).toEqual({ text: 'town', variable: 'value2' })
    expect(await preview(3)).toMatchObject({ status: 404, body: { message: 'Recipient not found' } })
  })

  test('counts every row: parts, Unicode, missing and long values, cost and shortfall', async () => {
    const owner = await buildManager(server.database, { parent: admin })
    const fixtures = await buildSmsFixtures(owner, { rupees: 0.5 })
    const content = `Mobile,Name,City\n9876543210,Asha,Pune\n9876543211,${'x'.repeat(150)},Agra\n9876543212,,Agra\n9876543213,आशा,Agra\n`
    const draft = await buildDraft(owner, { fixtures, content })
    const data = await server.ask('drafts.estimate', { as: owner, path: { id: draft._id } })
    expect(data).toMatchObject({
      people: 4,
      parts: 4,
      pricePerPart: 0.125,
      cost: 0.5,
      balance: 0.5,
      balanceAfter: 0,
      shortfall: 0,
      multipart: 1,
      multipartSeqs: [1],
      unicode: 1,
      unicodeSeqs: [3],
      missing: 1,
      missingSeqs: [2],
      tooLong: 1,
      tooLongSeqs: [1],
      longestSeq: 1,
      durationSeconds: 1,
    })
    expect(Object.fromEntries(data.checks.map(({ id, level }) => [id, level]))).toEqual({
      audience: 'pass',
      account: 'pass',
      header: 'pass',
      template: 'pass',
      dlt: 'pass',
      variables: 'advice',
      lengths: 'advice',
      parts: 'advice',
      window: 'pass',
      balance: 'pass',
    })
  })

  test('formats cells as chosen, and counts those that cannot be parsed as empty', async () => {
    const owner = await buildManager(server.database, { parent: admin })
    const fixtures = await buildSmsFixtures(owner, { rupees: 10 })
    const content = 'Mobile,Name,Due\n9876543210,ASHA rao,2026-11-12\n9876543211,RAVI,12/11/2026\n9876543212,DEV,soon\n'
    const variables = [
      { column: 1, fallback: '', format: 'title' as const },
      { column: 2, fallback: '', format: 'date_short' as const },
    ]
    const draft = await buildDraft(owner, { fixtures, content, variables })
    const preview = (seq: number) => server.ask('drafts.preview', { as: owner, path: { id: draft._id, seq } })
    expect((await preview(0)).text).toBe('Hello Asha Rao, come to 12 Nov 2026 today.')
    expect((await preview(1)).text).toBe('Hello Ravi, come to 12 Nov 2026 today.')
    expect((await preview(2)).pieces[3]).toMatchObject({ text: '', missing: true })
    const data = await server.ask('drafts.estimate', { as: owner, path: { id: draft._id } })
    expect(data).toMatchObject({ people: 3, parts: 2, missing: 1, unreadable: 1, unreadableSeqs: [2] })
    expect(data).toMatchObject({ legs: [{ starters: 2, expectedPeople: 2 }], excluded: 1 })
    expect(data.checks).toContainEqual(expect.objectContaining({ id: 'formats', level: 'advice' }))
  })

  test("asks for consent to promotions, and accepts the sender's confirmation", async () => {
    const fixtures = await buildSmsFixtures(manager, { category: 'promotional' })
    const level = async (hasConsent?: boolean) => {
      const draft = await buildDraft(manager, { fixtures, ...(hasConsent === undefined ? {} : { hasConsent }) })
      const data = await server.ask('drafts.estimate', { as: manager, path: { id: draft._id } })
      return data.checks.find(({ id }) => id === 'consent')?.level
    }
    expect(await level()).toBe('advice')
    expect(await level(true)).toBe('pass')
  })

  test('the time that a message is tried is frozen with its leg and goes with each message', async () => {
    const { owner, id, fixtures } = await buildReady()
    const draft = await server.ask('drafts.get', { as: owner, path: { id } })
    const [leg] = legsOf(fixtures, [{ column: 1 }, { fallback: 'town' }])
    await server.ask('drafts.save', {
      as: owner,
      path: { id },
      body: { ...draft, legs: [{ ...leg, ttlSeconds: 600 }] },
    })
    expect(await validate(id, owner)).toMatchObject({ status: 'ready' })
    const recipient = { seq: 0, phone: 919_876_543_210, variables: ['9876543210', 'Asha'] }
    const client = server.database.systemPool
    const frozen = await getLeg(client, { organizationId: owner.organizationId, campaignId: id, leg: 0, runEpoch: 0 })
    expect(render(frozen, recipient).message).toMatchObject({
      text: 'Hello Asha, come to town today.',
      ttlSeconds: 600,
    })
    const refused = { ...draft, legs: [{ ...leg, ttlSeconds: 59 }] satisfies [unknown] }
    expect(await server.call('drafts.save', { as: owner, path: { id }, body: refused })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'legs.0.ttlSeconds', message: 'At least a minute' }] },
    })
  })

  test('names the variables of a text before it is frozen, as the template does', async () => {
    const draft = await buildDraft(manager, { variables: [{ column: 2, fallback: '' }] })
    expect((await detail(draft._id)).variables).toEqual([
      { name: 'value1', column: 'City', fallback: '' },
      { name: 'value2', fallback: '' },
    ])
  })

  test('reports what has to be chosen first', async () => {
    const draft = (
      await server.call('drafts.create', { as: manager, body: { campaignName: 'Empty', legs: [smsLeg()] } })
    ).data()
    expect(await server.call('drafts.estimate', { as: manager, path: { id: draft._id } })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'legs.0.senderId', message: 'Choose an SMS account first' }] },
    })
    expect(await validate(draft._id, manager)).toMatchObject({
      status: 'failed',
      statusDetail: 'Choose an SMS account first',
    })
  })

  test.each([
    ['an inactive account', { isActive: false }, 'account'],
    ['promotional hours that are too wide', { category: 'promotional' }, 'window'],
  ])('blocks %s', async (_, options, id) => {
    const fixtures = await buildSmsFixtures(manager, options)
    const sendWindow = { start: '08:00', end: '22:00', timezone: 'Asia/Kolkata' }
    const draft = await buildDraft(manager, { fixtures, ...(id === 'window' ? { sendWindow } : {}) })
    const data = await server.ask('drafts.estimate', { as: manager, path: { id: draft._id } })
    expect(data.checks.find((check) => check.id === id)).toMatchObject({ level: 'blocker' })
    expect(await validate(draft._id, manager)).toMatchObject({
      status: 'failed',
      statusDetail: expect.stringMatching(/inactive|hours/),
    })
  })

  test('a ready campaign becomes a draft again once edited, and a failed one can be fixed', async () => {
    const { owner, id, fixtures } = await buildReady()
    const draft = await server.ask('drafts.get', { as: owner, path: { id } })
    expect(
      await server.call('drafts.save', { as: owner, path: { id }, body: { ...draft, campaignName: 'Edited' } }),
    ).toMatchObject({ status: 200, body: { data: { status: 'draft' } } })
    expect(await server.call('smsCampaigns.start', { as: owner, path: { id } })).toMatchObject({
      status: 409,
      body: { message: 'A campaign that is a draft cannot be started' },
    })
    await asSystem(server.database, (db) =>
      db.updateTable('templates').set({ status: 'disabled' }).where('id', '=', fixtures.templateId).execute(),
    )
    expect(await validate(id, owner)).toMatchObject({ status: 'failed' })
    await asSystem(server.database, (db) =>
      db.updateTable('templates').set({ status: 'approved' }).where('id', '=', fixtures.templateId).execute(),
    )
    expect(await validate(id, owner)).toMatchObject({ status: 'ready' })
  })

  test('a campaign keeps the text it was validated with', async () => {
    const { owner, id, fixtures } = await buildReady()
    await asSystem(server.database, (db) =>
      db
        .updateTable('templates')
        .set({
          content: JSON.stringify({
            header: 'CARLLN',
            body: 'Changed',
            variables: [],
            encoding: 'gsm7',
            parts: 1,
            worstParts: 1,
          }),
        })
        .where('id', '=', fixtures.templateId)
        .execute(),
    )
    expect(await detail(id, owner)).toMatchObject({
      body: fixtures.body,
      header: 'CARLLN',
      variables: [
        { name: 'value1', column: 'Name', fallback: '' },
        { name: 'value2', column: 'City', fallback: 'town' },
      ],
    })
  })
})

describe('a test message', () => {
  const sendTest = (as: Parameters<typeof buildDraft>[0], id: string, body: Record<string, unknown> = {}) =>
    server.call('drafts.test', { as, path: { id }, body: { phoneNumber: '+919000000000', seq: 0, ...body } })

  test('is sent before other messages of the lane, and reserves its price', async () => {
    const owner = await buildManager(server.database, { parent: admin })
    const draft = await buildDraft(owner, { fixtures: await buildSmsFixtures(owner, { rupees: 1 }) })
    const answer = await sendTest(owner, draft._id)
    expect(answer).toMatchObject({ status: 200, body: { data: { parts: 1, cost: 0.125 } } })
    expect(await balanceOf(owner)).toMatchObject({ held: 1250 })
    const { messageId } = answer.data()
    const queued = await asSystem(server.database, (db) =>
      db
        .selectFrom('priority_messages')
        .select(['text', 'phone', 'header', 'kind', 'campaign_id'])
        .where('id', '=', messageId)
        .executeTakeFirst(),
    )
    expect(queued).toEqual({
      text: 'Hello Asha, come to Pune today.',
      phone: 919_000_000_000,
      header: 'CARLLN',
      kind: 'test',
      campaign_id: draft._id,
    })
    expect(await detail(draft._id, owner)).toMatchObject({
      status: 'draft',
      timeline: [{ event: 'created' }, { event: 'test_sent' }],
    })
  })

  test('is rejected without money, without a value, and to an invalid number', async () => {
    const owner = await buildManager(server.database, { parent: admin })
    const draft = await buildDraft(owner, { fixtures: await buildSmsFixtures(owner) })
    expect(await sendTest(owner, draft._id)).toMatchObject({ status: 409, body: { code: 'insufficient_balance' } })
    expect(await sendTest(owner, draft._id, { phoneNumber: '12' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'phoneNumber' }] },
    })
    expect(await sendTest(owner, draft._id, { phoneNumber: '+918041234567' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'phoneNumber', message: 'This is a landline, which cannot receive SMS' }] },
    })
    expect(await sendTest(owner, draft._id, { seq: 9 })).toMatchObject({ status: 404 })
    const empty = await buildDraft(owner, { fixtures: await buildSmsFixtures(owner), variables: [] })
    expect(await sendTest(owner, empty._id)).toMatchObject({
      status: 409,
      body: { message: 'This row has no value for value1' },
    })
  })
})
