import { KeyConfigPayload, maximumKeyConfigs } from '@carillon/contract/key-config-records'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildKey } from '../../testing/api-keys.ts'
import { buildTree, buildUser, type Account } from '../../testing/builders.ts'
import { shapeOf, type Shape } from '../../testing/call-samples.ts'
import { buildFixtures, type Fixtures } from '../../testing/fixtures.ts'
import { testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let tree: Awaited<ReturnType<typeof buildTree>>
let has: Fixtures
let foreignHas: Fixtures

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  tree = await buildTree(server.database)
  has = await buildFixtures(server.database, tree.manager)
  foreignHas = await buildFixtures(server.database, tree.foreign)
})
afterAll(() => server.close())

const rules = (blocks: object = {}) => ({ binding: { name: `Rules ${newId()}` }, ...blocks })
const create = (as: Account, body: object = rules()) => server.callUnchecked('keyConfigs.create', { as, body })

async function created(as: Account, body: object = rules()) {
  const answer = await create(as, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.data() as Awaited<ReturnType<typeof server.ask<'keyConfigs.create'>>>
}

test('a config has every block, with the values that were given', async () => {
  const config = await created(tree.manager, {
    binding: { name: 'One-time passwords', environment: 'live' },
    channels: { allowed: ['sms'], default: 'sms', senderIds: [has.smsAccount] },
    defaults: { senderId: has.smsAccount, templateId: has.template, country: 'IN', ttlSeconds: 300 },
    filters: { ipAllowlist: ['2001:db8::/32'], allowedCountries: ['IN'], allowedTemplateIds: [has.template] },
    rate: { requestsPerSecond: 20, messagesPerDay: 5000 },
    spend: { maxPerMessage: 0.25, onLimit: 'alert' },
  })
  expect(config).toEqual({
    id: expect.any(String),
    payload: {
      binding: { name: 'One-time passwords', description: '', environment: 'live' },
      channels: { allowed: ['sms'], default: 'sms', senderIds: [has.smsAccount] },
      defaults: { senderId: has.smsAccount, templateId: has.template, country: 'IN', ttlSeconds: 300, dlt: {} },
      filters: {
        ipAllowlist: ['2001:db8::/32'],
        allowedCountries: ['IN'],
        blockedPrefixes: [],
        templatesOnly: false,
        allowedTemplateIds: [has.template],
      },
      rate: { requestsPerSecond: 20, messagesPerDay: 5000 },
      spend: { maxPerMessage: 0.25, onLimit: 'alert' },
      otp: { templateIds: [] },
      privacy: { storeBody: 'masked', maskNumbers: true },
    },
    createdBy: { _id: tree.manager.id, name: `Name of ${tree.manager.username}` },
    isOwn: true,
    keys: 0,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect(await server.ask('keyConfigs.get', { as: tree.manager, path: { id: config.id } })).toEqual(config)
  // What was read can be written.
  const same = { as: tree.manager, path: { id: config.id }, body: config.payload }
  expect(await server.ask('keyConfigs.update', same)).toEqual({ ...config, updatedAt: expect.any(String) })
})

test('every field of a config is enforced', () => {
  const fieldsOf = ({ properties = {} }: Shape, before: string[] = []): string[] =>
    Object.entries(properties).flatMap(([name, shape]) =>
      shape.properties ? fieldsOf(shape, [...before, name]) : [[...before, name].join('.')],
    )
  const enforcedBy = {
    'write-key': ['binding.environment'],
    'key-state': ['filters.ipAllowlist'],
    'count-call': ['rate.requestsPerSecond', 'rate.burst'],
    'apply-config': [
      'channels.allowed',
      'channels.default',
      'channels.senderIds',
      'defaults.senderId',
      'defaults.templateId',
      'defaults.category',
      'defaults.language',
      'defaults.dlt.entityId',
      'defaults.dlt.templateId',
      'defaults.country',
      'defaults.ttlSeconds',
      'filters.allowedCountries',
      'filters.blockedPrefixes',
      'filters.templatesOnly',
      'filters.allowedTemplateIds',
      'filters.maxSegments',
      'rate.recipientsPerRequest',
    ],
    'public-api/otp': ['otp.length', 'otp.expirySeconds', 'otp.maxTries', 'otp.resendAfterSeconds', 'otp.templateIds'],
    'count-sends': [
      'rate.messagesPerSecond',
      'rate.messagesPerDay',
      'spend.maxPerMessage',
      'spend.maxPerHour',
      'spend.maxPerDay',
      'spend.maxPerMonth',
      'spend.onLimit',
    ],
    'request-log': ['privacy.storeBody', 'privacy.maskNumbers'],
  }
  const labels = ['binding.name', 'binding.description']
  expect(new Set(fieldsOf(shapeOf(KeyConfigPayload)))).toEqual(
    new Set([...labels, ...Object.values(enforcedBy).flat()]),
  )
})

describe('a config is refused', () => {
  test.each<[field: string, () => object]>([
    ['binding', () => ({})],
    ['callbacks', () => rules({ callbacks: [] })],
    ['filters.pattern', () => rules({ filters: { pattern: '.*' } })],
    ['channels.allowed.0', () => rules({ channels: { allowed: ['fax'] } })],
    ['channels.default', () => rules({ channels: { allowed: ['rcs'], default: 'sms' } })],
    ['channels.default', () => rules({ defaults: { category: 'utility' } })],
    ['channels.senderIds.1', () => rules({ channels: { senderIds: [has.smsAccount, foreignHas.smsAccount] } })],
    ['channels.senderIds.0', () => rules({ channels: { senderIds: [newId()] } })],
    ['defaults.senderId', () => rules({ channels: { default: 'sms' }, defaults: { senderId: foreignHas.smsAccount } })],
    ['defaults.senderId', () => rules({ channels: { default: 'rcs' }, defaults: { senderId: has.smsAccount } })],
    ['defaults.templateId', () => rules({ channels: { default: 'sms' }, defaults: { templateId: has.rcsTemplate } })],
    [
      'defaults.templateId',
      () =>
        rules({
          channels: { default: 'sms' },
          defaults: { templateId: has.template },
          filters: { allowedTemplateIds: [has.rcsTemplate] },
        }),
    ],
    ['filters.allowedTemplateIds.0', () => rules({ filters: { allowedTemplateIds: [foreignHas.template] } })],
    ['filters.allowedCountries.0', () => rules({ filters: { allowedCountries: ['India'] } })],
    ['filters.blockedPrefixes.0', () => rules({ filters: { blockedPrefixes: ['+91'] } })],
    ['filters.maxSegments', () => rules({ filters: { maxSegments: 0 } })],
    ['rate.messagesPerSecond', () => rules({ rate: { messagesPerSecond: 1.5 } })],
    ['rate.recipientsPerRequest', () => rules({ rate: { recipientsPerRequest: 1001 } })],
    ['spend.maxPerDay', () => rules({ spend: { maxPerDay: -1 } })],
    ['spend.maxPerDay', () => rules({ spend: { maxPerDay: 1.00001 } })],
    ['spend.onLimit', () => rules({ spend: { onLimit: 'queue' } })],
  ])('at %s', async (field, body) => {
    expect(await create(tree.manager, body())).toMatchObject({ status: 400, body: { details: [{ field }] } })
  })
})

test('managers see the configs of their organisation, others their own; only owners change and use them', async () => {
  const own = await created(tree.user, rules())
  const path = { id: own.id }
  const seenBy = async (as: Account) =>
    (await server.ask('keyConfigs.list', { as, query: { limit: 100 } })).data.some(({ id }) => id === own.id)
  const colleague = await buildUser(server.database, { parent: tree.manager })
  const seen = []
  for (const as of [tree.user, tree.head, tree.manager, tree.reseller, colleague, tree.foreign])
    seen.push(await seenBy(as))
  expect(seen).toEqual([true, true, true, true, false, false])

  const forbidden = { status: 403, body: { message: 'Only its owner can change a key config' } }
  expect(await server.call('keyConfigs.update', { as: tree.manager, path, body: rules() })).toMatchObject(forbidden)
  expect(await server.call('keyConfigs.delete', { as: tree.manager, path })).toMatchObject(forbidden)
  const unseen = { as: colleague, path }
  expect(await server.call('keyConfigs.get', unseen)).toMatchObject({ status: 404 })
  expect(await server.call('keyConfigs.update', { ...unseen, body: rules() })).toMatchObject({ status: 404 })
  expect(await server.call('keyConfigs.delete', unseen)).toMatchObject({ status: 404 })
  const wanted = { name: newId(), environment: 'live' as const, scopes: ['balance:read' as const], keyConfigId: own.id }
  expect(await server.call('apiKeys.create', { as: tree.manager, body: wanted })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'keyConfigId', message: 'Key config not found' }] },
  })
  expect(await server.call('apiKeys.create', { as: tree.user, body: wanted })).toMatchObject({ status: 200 })
})

test('a config for one environment is used by its keys only', async () => {
  const test = await created(tree.manager, { binding: { name: 'Tests', environment: 'test' } })
  const wanted = {
    name: newId(),
    environment: 'live' as const,
    scopes: ['balance:read' as const],
    keyConfigId: test.id,
  }
  expect(await server.call('apiKeys.create', { as: tree.manager, body: wanted })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'keyConfigId', message: 'This key config is for test keys' }] },
  })
  const key = await buildKey(server.database, tree.manager, { name: 'Till', config: {} })
  const body = { binding: { name: 'Rules', environment: 'test' as const } }
  const change = { as: tree.manager, path: { id: key.configId ?? '' }, body }
  expect(await server.call('keyConfigs.update', change)).toMatchObject({
    status: 400,
    body: { details: [{ field: 'binding.environment', message: 'The API key Till uses it, and is not a test key' }] },
  })
})

test('a config that keys use is not deleted, one of deactivated keys is', async () => {
  const key = await buildKey(server.database, tree.manager, { config: {} })
  const deletion = { as: tree.manager, path: { id: key.configId ?? '' } }
  expect(await server.ask('keyConfigs.get', deletion)).toMatchObject({ keys: 1 })
  expect(await server.call('keyConfigs.delete', deletion)).toMatchObject({
    status: 409,
    body: { message: 'An API key uses this key config' },
  })
  await server.ask('apiKeys.deactivate', { as: tree.manager, path: { id: key.id } })
  expect(await server.ask('keyConfigs.delete', deletion)).toEqual({ id: key.configId })
  expect(await server.call('keyConfigs.get', deletion)).toMatchObject({ status: 404 })
})

test('a config is not deleted while a key begins to use it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await created(tree.manager)
    const wanted = { name: newId(), environment: 'live' as const, scopes: ['balance:read' as const], keyConfigId: id }
    const [deleted, used] = await Promise.all([
      server.call('keyConfigs.delete', { as: tree.manager, path: { id } }),
      server.call('apiKeys.create', { as: tree.manager, body: wanted }),
    ])
    expect([
      [200, 400],
      [409, 200],
    ]).toContainEqual([deleted.status, used.status])
  }
})

test('names are unique, and the configs of an account are limited', async () => {
  const member = await buildUser(server.database, { parent: tree.manager })
  await created(member, { binding: { name: 'Rules' } })
  const taken = { field: 'binding.name', message: 'Another of your key configs has this name' }
  expect(await create(member, { binding: { name: 'RULES' } })).toMatchObject({
    status: 400,
    body: { details: [taken] },
  })
  for (let count = 1; count < maximumKeyConfigs - 1; count += 1) await created(member)
  const answers = await Promise.all(Array.from({ length: 4 }, () => create(member)))
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409', '409'])
})

test('changes are in the audit log', async () => {
  const { id } = await created(tree.head, { binding: { name: 'Old' } })
  const path = { id }
  await server.ask('keyConfigs.update', { as: tree.head, path, body: { binding: { name: 'New' } } })
  await server.ask('keyConfigs.delete', { as: tree.head, path })
  const lines = await asSystem(server.database, (db) =>
    db.selectFrom('audit_log').select(['action', 'details']).where('object_id', '=', id).orderBy('seq').execute(),
  )
  expect(lines).toEqual([
    { action: 'key_config.created', details: { name: 'Old' } },
    { action: 'key_config.updated', details: { name: 'New' } },
    { action: 'key_config.deleted', details: { name: 'New' } },
  ])
})
