import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import type { CallOptions, Calls } from '../../../testing/server.ts'
import { until } from '../../../testing/until.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'

let fixtures: WhatsappServer
let connection: WhatsappConnection

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  connection = await connectWhatsapp(fixtures)
})
afterAll(() => fixtures.close())

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const picture = { name: 'offer.png', content: pixel, type: 'image/png' }
let count = 0
function input(more: Record<string, unknown> = {}, components: Record<string, unknown> = {}) {
  count += 1
  return {
    waba_id: connection.waba_id,
    name: `order_update_${count}`,
    language: 'en',
    category: 'UTILITY' as const,
    components: {
      body: `Hello {{1}}, order {{2}} was shipped today from store ${count} and will reach you soon.`,
      samples: [
        { name: '1', sample: 'Asha' },
        { name: '2', sample: 'A-17' },
      ],
      ...components,
    },
    ...more,
  }
}
const call: Calls['call'] = (name, ...options) => fixtures.server.as(fixtures.manager).call(name, ...options)
/** The same template with other text: Meta rejects a repeated text. */
const inHindi = ({ components }: ReturnType<typeof input>) => ({
  language: 'hi',
  components: { ...components, body: `नमस्ते {{1}}, आपका ऑर्डर {{2}} आज दुकान ${count} से भेज दिया गया है और जल्द पहुँचेगा।` },
})
const create = (
  body: CallOptions<'waTemplates.create'>['body'],
  options: Pick<CallOptions<'waTemplates.create'>, 'as' | 'files'> = {},
) => fixtures.ask('waTemplates.create', { body, ...options })
const get = (id: string) => fixtures.ask('waTemplates.get', { path: { id } })
const list = (query: CallOptions<'waTemplates.list'>['query'] = {}) => fixtures.ask('waTemplates.list', { query })
const control = () => fixtures.simulator.graph.control
const becomes = (id: string, status: string) =>
  until(async () => (await get(id)).status === status, `the template to be ${status}`)
const notified = async (accountId: string) =>
  asSystem(fixtures.server.database, (db) =>
    db
      .selectFrom('notifications')
      .select(['kind', 'title', 'description'])
      .where('account_id', '=', accountId)
      .execute(),
  )

describe('a template', () => {
  test('is saved as a draft that may break rules, changed, and submitted once valid', async () => {
    const body = input({}, { body: '{{1}}', samples: [] })
    const draft = await fixtures.ask('waTemplates.save', { body })
    expect(draft).toMatchObject({ status: 'DRAFT', metaId: null, quality: 'unknown', pausedCount: 0 })
    expect(await call('waTemplates.create', { body: { ...body, id: draft._id } })).toMatchObject({
      status: 400,
      body: { details: expect.arrayContaining([expect.objectContaining({ field: 'components.body' })]) },
    })
    const corrected = { ...input({ name: body.name }), id: draft._id }
    expect(await fixtures.ask('waTemplates.save', { body: corrected })).toMatchObject({
      _id: draft._id,
      status: 'DRAFT',
    })
    const submitted = await create(corrected)
    expect(submitted).toMatchObject({ _id: draft._id, metaId: expect.stringMatching(/^\d+$/) })
    await becomes(draft._id, 'APPROVED')
    const { events } = await get(draft._id)
    expect(events.map(({ event }) => event)).toEqual(['created', 'draft_changed', 'submitted', 'approved'])
  })

  test('notifies its author of the approval, once', async () => {
    const { _id, name } = await create(input(), { as: fixtures.user })
    await becomes(_id, 'APPROVED')
    await fixtures.ask('waTemplates.sync', { body: { waba_id: connection.waba_id } })
    const notifications = await notified(fixtures.user.id)
    expect(notifications).toMatchObject([
      { kind: 'template_approved', title: `${name} is approved`, description: 'Approved in English' },
    ])
  })

  test('that is rejected shows the reason and a remedy, and is resubmitted after a change', async () => {
    const { _id, metaId } = await create(input(), { as: fixtures.user })
    await becomes(_id, 'APPROVED')
    control().changeTemplate(metaId ?? '', { status: 'REJECTED', reason: 'PROMOTIONAL' })
    await becomes(_id, 'REJECTED')
    const { reason, name, events } = await get(_id)
    expect(reason).toContain('Marketing')
    expect(events.at(-1)?.detail).toBe(reason)
    const again = await create({ ...input({ name }), id: _id })
    expect(again).toMatchObject({ _id, metaId })
    expect(again.reason).toBeUndefined()
    await becomes(_id, 'APPROVED')
  })

  test('that people report is paused for three hours, then six, then disabled', async () => {
    const { _id, metaId } = await create(input())
    await becomes(_id, 'APPROVED')
    const hoursLeft = async () => (Date.parse((await get(_id)).pausedUntil ?? '') - Date.now()) / 3_600_000
    for (const [pausedCount, hours] of [
      [1, 3],
      [2, 6],
    ] as const) {
      control().changeTemplate(metaId ?? '', { pause: true })
      await becomes(_id, 'PAUSED')
      expect(await get(_id)).toMatchObject({ pausedCount, reason: expect.stringContaining(`${hours} hours`) })
      expect(Math.round(await hoursLeft())).toBe(hours)
      control().changeTemplate(metaId ?? '', { status: 'APPROVED' })
      await becomes(_id, 'APPROVED')
      expect((await get(_id)).pausedUntil).toBeUndefined()
    }
    control().changeTemplate(metaId ?? '', { status: 'DISABLED' })
    await becomes(_id, 'DISABLED')
    expect((await get(_id)).reason).toContain('disabled it permanently')
  })

  test('that Meta recategorises shows the new cost', async () => {
    const { _id, metaId } = await create(input())
    await becomes(_id, 'APPROVED')
    control().changeTemplate(metaId ?? '', { category: 'MARKETING', quality: 'RED' })
    await until(async () => (await get(_id)).quality === 'red', 'the quality')
    await until(async () => (await get(_id)).category === 'MARKETING', 'the category')
    const { events, previousCategory } = await get(_id)
    expect(previousCategory).toBe('UTILITY')
    expect(events.find(({ event }) => event === 'category')?.detail).toContain('₹0.78 instead of ₹0.115')
  })

  test('with a picture uses the uploaded file as the sample, and keeps a copy of it', async () => {
    const body = input({}, { header: { type: 'HEADER', format: 'IMAGE' } })
    expect(await call('waTemplates.create', { body })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'components.header.handle' }] },
    })
    const { components } = await create(body, { files: { file: picture } })
    expect(components.header).toMatchObject({
      format: 'IMAGE',
      handle: expect.stringMatching(/./),
      fileId: expect.any(String),
    })
    const files = await fixtures.ask('uploads.list', { query: { channel: 'whatsapp' } })
    expect(files.map(({ _id }) => _id)).toContain(
      components.header && 'fileId' in components.header && components.header.fileId,
    )
    const script = { file: { name: 'offer.png', content: '<svg onload="alert(1)"/>', type: 'image/png' } }
    expect(await call('waTemplates.create', { body: { ...body, name: 'other' }, files: script })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'file' }] },
    })
  })

  test('with an existing name is rejected, in another language it is accepted', async () => {
    const body = input()
    await create(body)
    expect(await call('waTemplates.create', { body })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'name' }] },
    })
    await create({ ...body, ...inHindi(body) })
    const page = await list({ search: body.name })
    expect(page.data.map(({ language }) => language).toSorted()).toEqual(['en', 'hi'])
  })

  test('is deleted in all its languages; the name must belong to the account', async () => {
    const body = input()
    const { _id } = await create(body)
    await create({ ...body, ...inHindi(body) })
    const query = { templateName: body.name }
    const absent = await call('waTemplates.delete', { query, body: { waba_id: '269999999999999' } })
    expect(absent).toMatchObject({ status: 404 })
    const other = await call('waTemplates.delete', {
      query: { templateName: 'no_such' },
      body: { waba_id: connection.waba_id },
    })
    expect(other).toMatchObject({ status: 400, body: { details: [{ field: 'templateName' }] } })
    expect(await fixtures.ask('waTemplates.delete', { query, body: { waba_id: connection.waba_id } })).toEqual({
      campaigns: [],
    })
    expect(await call('waTemplates.get', { path: { id: _id } })).toMatchObject({ status: 404 })
    const left = control()
      .listTemplates()
      .filter(({ name }) => name === body.name)
    expect(left.filter(({ status }) => status !== 'PENDING_DELETION')).toEqual([])
    await fixtures.ask('waTemplates.sync', { body: { waba_id: connection.waba_id } })
    expect(await list({ search: body.name })).toMatchObject({ total: 0 })
  })

  test('of another organisation is not found', async () => {
    const { _id, name } = await create(input())
    const absent = { status: 404, body: { message: 'Template not found' } }
    expect(await call('waTemplates.get', { as: fixtures.foreign, path: { id: _id } })).toMatchObject(absent)
    for (const [call_, body] of [
      ['waTemplates.save', { ...input({ name }), id: _id }],
      ['waTemplates.create', { ...input({ name }), id: _id }],
      ['waTemplates.sync', { waba_id: connection.waba_id }],
    ] as const)
      expect(await call(call_, { as: fixtures.foreign, body })).toMatchObject({
        status: 404,
        body: { message: 'WhatsApp account not found' },
      })
    expect((await call('waTemplates.list', { as: fixtures.foreign })).body).toMatchObject({ data: [], total: 0 })
  })
})

describe('the templates of an account', () => {
  test('are synchronised hourly or on request: new ones, changed ones and deleted ones', async () => {
    const sync = () => fixtures.ask('waTemplates.sync', { body: { waba_id: connection.waba_id } })
    // A template in review changes without a call meanwhile.
    await expect.poll(async () => (await list({ limit: 100, status: 'PENDING' })).data).toEqual([])
    await sync()
    expect((await list({ search: 'hello_world' })).data).toMatchObject([{ status: 'APPROVED', language: 'en_US' }])
    expect(await sync()).toMatchObject({ changed: 0 })
    const put = {
      name: 'made_elsewhere',
      language: 'en',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Our sale begins today' }],
    }
    control().putTemplate(put)
    expect(await sync()).toMatchObject({ changed: 1 })
    control().putTemplate({ ...put, components: [{ type: 'BODY', text: 'Our sale began today' }] })
    expect(await sync()).toMatchObject({ changed: 1 })
    const [found] = (await list({ search: 'made_elsewhere' })).data
    expect(found?.components.body).toBe('Our sale began today')
  })

  test('are paged forwards and back, each listed once', async () => {
    const { total } = await list({ limit: 100 })
    const names: string[] = []
    let page = await list({ limit: 3 })
    expect(page.paging.previous).toBeUndefined()
    for (;;) {
      names.push(...page.data.map(({ _id }) => _id))
      if (!page.paging.next) break
      page = await list({ limit: 3, after: page.paging.cursors.after ?? '' })
    }
    expect(new Set(names).size).toBe(total)
    expect(names).toHaveLength(total)
    const before: string[] = []
    while (page.paging.previous) {
      page = await list({ limit: 3, before: page.paging.cursors.before ?? '' })
      before.unshift(...page.data.map(({ _id }) => _id))
    }
    expect(before).toEqual(names.slice(0, before.length))
    expect(await list({ limit: 3, after: 'nonsense' })).toMatchObject({ total })
  })

  test.each([
    ['status', 'REJECTED,PAUSED'],
    ['category', 'MARKETING'],
    ['language', 'hi'],
    ['quality', 'red'],
  ])('are found by %s', async (field, value) => {
    const page = await list({ [field]: value, limit: 100 })
    for (const template of page.data)
      expect(value.split(',')).toContain(template[field as 'status' | 'category' | 'language' | 'quality'])
    if (field !== 'status') expect(page.total).toBeGreaterThan(0)
  })
})

test('media are uploaded to Meta for messages and samples, and stored locally', async () => {
  const body = { waba_id: connection.waba_id }
  const sample = await fixtures.ask('waMedia.template', {
    body,
    files: { file: picture },
  })
  expect(sample).toMatchObject({ handle: expect.stringMatching(/./), fileId: expect.any(String) })
  const media = await fixtures.ask('waMedia.campaign', {
    body,
    files: { file: picture },
  })
  expect(control().findMedia(media.mediaId)?.bytes).toEqual(pixel)
  expect(Date.parse(media.expiresAt)).toBeGreaterThan(Date.now() + 20 * 86_400_000)
  const text = { file: { name: 'page.html', content: '<script>alert(1)</script>', type: 'image/png' } }
  expect(await call('waMedia.campaign', { body, files: text })).toMatchObject({ status: 400 })
  const strange = { ...body, phone_number_id: '279999999999999' }
  expect(await call('waMedia.campaign', { body: strange, files: { file: picture } })).toMatchObject({ status: 404 })
  expect(await call('waMedia.campaign', { as: fixtures.foreign, body, files: { file: picture } })).toMatchObject({
    status: 404,
  })
})

test('a draft cannot show pictures of other accounts', async () => {
  const header = { type: 'HEADER', format: 'IMAGE', handle: 'x', fileId: newId() }
  expect(await call('waTemplates.save', { body: input({}, { header }) })).toMatchObject({ status: 404 })
})

test('concurrent synchronisations of one account add each template once', async () => {
  control().putTemplate({
    name: 'made_meanwhile',
    language: 'en',
    category: 'UTILITY' as const,
    components: [{ type: 'BODY', text: 'Your parcel waits for you at the counter' }],
  })
  const body = { waba_id: connection.waba_id }
  await Promise.all(Array.from({ length: 4 }, () => fixtures.ask('waTemplates.sync', { body })))
  const [found, ...others] = (await list({ search: 'made_meanwhile' })).data
  expect(others).toEqual([])
  expect((await get(found?._id ?? '')).events.map(({ event }) => event)).toEqual(['found'])
})
