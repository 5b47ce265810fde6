import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { buildUser, type Account } from '../../../testing/builders.ts'
import {
  buildDraft,
  buildReady,
  detail,
  foreign,
  inHours,
  server,
  setUp,
  tearDown,
  type SmsFixtures,
} from '../test-fixtures.ts'

beforeAll(setUp)
afterAll(tearDown)

const deleteTemplate = (as: Account, { templateId }: SmsFixtures) =>
  server.call('smsTemplates.delete', { as, path: { id: templateId } })
const deleteAccount = (as: Account, { smsAccountId }: SmsFixtures) =>
  server.call('smsAccounts.delete', { as, path: { id: smsAccountId } })
const schedule = (as: Account, id: string) =>
  server.call('campaigns.schedule', { as, path: { id }, body: { startAt: inHours(2) } })
const templatesOf = async (as: Account) => (await server.ask('smsTemplates.list', { as, query: {} })).templates
const draftOf = (as: Account, id: string) => server.ask('drafts.get', { as, path: { id } })

test('a template that a scheduled campaign needs is not deleted, and the error names the campaign', async () => {
  const { owner, id, fixtures } = await buildReady()
  await schedule(owner, id)
  const refused = {
    status: 409,
    body: {
      message: expect.stringMatching(
        /^A campaign needs Template .*: Spring\. Wait until it has ended, or discard it first\.$/,
      ),
    },
  }
  expect(await deleteTemplate(owner, fixtures)).toMatchObject(refused)
  // The name is withheld from users who may not see the campaign.
  const colleague = await buildUser(server.database, { parent: owner })
  const { body } = await deleteTemplate(colleague, fixtures)
  expect((body as { message: string }).message).toMatch(/^A campaign needs Template [\w-]+\. Wait/)
  expect(await deleteTemplate(foreign, fixtures)).toMatchObject({ status: 404 })
  await server.call('smsCampaigns.discard', { as: owner, path: { id } })
  expect(await deleteTemplate(owner, fixtures)).toMatchObject({ status: 200 })
})

test('a deleted template is in no list and no choice, drafts lose it, past campaigns keep its name, and the name is free', async () => {
  const { owner, id: ready, fixtures } = await buildReady()
  const [template] = await templatesOf(owner)
  const draft = await buildDraft(owner, { fixtures })
  const past = await buildDraft(owner, { fixtures })
  await asSystem(server.database, (db) =>
    db
      .updateTable('campaigns')
      .set({ status: 'completed', started_at: new Date() })
      .where('id', '=', past._id)
      .execute(),
  )
  expect(await deleteTemplate(owner, fixtures)).toMatchObject({ status: 200 })
  expect(await templatesOf(owner)).toEqual([])
  expect(await server.call('smsTemplates.get', { as: owner, path: { id: fixtures.templateId } })).toMatchObject({
    status: 404,
  })
  for (const id of [ready, draft._id]) {
    expect(await draftOf(owner, id)).toMatchObject({
      legs: [{ templateId: null, values: { variables: [] } }],
      status: 'draft',
    })
    expect(await server.call('drafts.save', { as: owner, path: { id }, body: await draftOf(owner, id) })).toMatchObject(
      {
        status: 200,
      },
    )
  }
  expect(await server.call('smsCampaigns.start', { as: owner, path: { id: ready } })).toMatchObject({ status: 409 })
  expect(await detail(past._id, owner)).toMatchObject({ templateName: template?.name, status: 'completed' })
  const { smsAccountId, name, header, category, body } = template ?? ({} as SmsTemplate)
  const input = { smsAccountId, name, header, category, body }
  expect(await server.call('smsTemplates.create', { as: owner, body: input })).toMatchObject({ status: 200 })
  expect(await deleteTemplate(owner, fixtures)).toMatchObject({ status: 404 })
})

test('an account is deleted with its templates once no campaign needs it; its lane is off and it no longer counts', async () => {
  const { owner, id, fixtures } = await buildReady()
  await server.database.ownerPool.query(
    `update provider_accounts set provider = 'smpp', config = '{"host": "smsc.example"}', secrets = '\\x01', secret_names = '{password}'
    where organization_id = $1`,
    [owner.organizationId],
  )
  const past = await buildDraft(owner, { fixtures })
  await asSystem(server.database, (db) =>
    db
      .updateTable('campaigns')
      .set({ status: 'completed', started_at: new Date() })
      .where('id', '=', past._id)
      .execute(),
  )
  await schedule(owner, id)
  expect(await deleteAccount(owner, fixtures)).toMatchObject({
    status: 409,
    body: { message: 'A campaign needs Main: Spring. Wait until it has ended, or discard it first.' },
  })
  await server.call('campaigns.schedule', { as: owner, path: { id }, body: {} })
  expect(await deleteAccount(foreign, fixtures)).toMatchObject({ status: 404 })
  expect(await deleteAccount(owner, fixtures)).toMatchObject({ status: 200 })
  expect(await server.call('smsAccounts.list', { as: owner })).toMatchObject({ status: 200, body: { data: [] } })
  expect(await templatesOf(owner)).toEqual([])
  const activate = { id: fixtures.smsAccountId, isActive: true }
  expect(await server.call('smsAccounts.activate', { as: owner, body: activate })).toMatchObject({ status: 404 })
  expect(await draftOf(owner, id)).toMatchObject({ legs: [{ senderId: null, templateId: null }], status: 'draft' })
  expect(await detail(past._id, owner)).toMatchObject({ accountName: 'Main' })
  const { rows } = await server.database.ownerPool.query(
    `select sender.is_active, account.secrets, account.secret_names,
      limit_used('sms_accounts', $2::ltree, 'UTC')::int as accounts, limit_used('templates', $2::ltree, 'UTC')::int as templates
    from senders sender join provider_accounts account on account.id = sender.provider_account_id where sender.id = $1`,
    [fixtures.smsAccountId, owner.path],
  )
  expect(rows).toEqual([{ is_active: false, secrets: null, secret_names: [], accounts: 0, templates: 0 }])
})

test('of a deletion and a schedule at the same moment exactly one takes effect', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { owner, id, fixtures } = await buildReady()
    const remove = round % 2 ? deleteAccount : deleteTemplate
    const [deleted, scheduled] = await Promise.all([remove(owner, fixtures), schedule(owner, id)])
    expect([deleted.status, scheduled.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await detail(id, owner)).status).toBe(deleted.status === 200 ? 'draft' : 'scheduled')
  }
})
