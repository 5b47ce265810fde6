import { expect } from 'vitest'
import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { asSystem } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { buildAdmin, buildDepartmentHead, buildManager, buildUser, type Account } from '../../testing/builders.ts'
import { smsLeg } from '../../testing/draft-legs.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { checkInvariants, getBalance, issue, toUnits } from '../balance/index.ts'

export let server: TestServer
export let admin: Account
export let manager: Account
export let foreign: Account
export let head: Account
export let user: Account

/** One server with a tree without resellers: an admin, two organisations, and members in one of them. */
export async function setUp() {
  server = await testServer({ clock: { now: () => new Date() } })
  admin = await buildAdmin(server.database)
  manager = await buildManager(server.database, { parent: admin })
  foreign = await buildManager(server.database, { parent: admin })
  head = await buildDepartmentHead(server.database, { parent: manager })
  user = await buildUser(server.database, { parent: head })
  await buildRates()
}

/** The ledger must add up after every test file. */
export async function tearDown() {
  expect(await asSystem(server.database, (db) => checkInvariants(db))).toEqual([])
  await server.close()
}

async function buildRates() {
  await asSystem(server.database, async (db) => {
    await db
      .insertInto('rate_cards')
      .values({ organization_id: admin.organizationId, id: newId(), name: 'Rates' })
      .execute()
    const card = await db.selectFrom('rate_cards').select('id').executeTakeFirstOrThrow()
    await db
      .insertInto('rates')
      .values({ organization_id: admin.organizationId, rate_card_id: card.id, channel: 'sms', price: 1250 })
      .execute()
  })
}

export type SmsFixtures = { smsAccountId: string; templateId: string; body: string }

/** A new organisation with an SMS account and a template, and with balance if an amount is given. */
export async function buildSmsFixtures(
  owner: Account,
  { body = 'Hello {#var#}, come to {#var#} today.', category = 'service_implicit', rupees = 0, isActive = true } = {},
): Promise<SmsFixtures> {
  const [smsAccountId, providerAccountId, templateId] = [newId(), newId(), newId()]
  const organization_id = owner.organizationId
  const variables = [...body.matchAll(/\{#(\w+)#\}/g)].map((match, index) => ({
    name: `value${index + 1}`,
    kind: match[1],
    sample: '',
  }))
  const content = {
    header: 'CARLLN',
    body,
    variables,
    entityId: '1'.repeat(19),
    dltTemplateId: '2'.repeat(19),
    encoding: 'gsm7',
    parts: 1,
    worstParts: 1,
  }
  await asSystem(server.database, async (db) => {
    await db
      .insertInto('provider_accounts')
      .values({
        organization_id,
        id: providerAccountId,
        channel: 'sms',
        provider: 'test',
        name: 'Test',
        config: '{}',
        callback_key: newId(),
      })
      .execute()
    await db
      .insertInto('senders')
      .values({
        organization_id,
        id: smsAccountId,
        provider_account_id: providerAccountId,
        channel: 'sms',
        name: 'Main',
        headers: ['CARLLN'],
        is_active: isActive,
        rate_per_second: 10,
        created_by: owner.id,
      })
      .execute()
    await db
      .insertInto('templates')
      .values({
        organization_id,
        id: templateId,
        channel: 'sms',
        sender_id: smsAccountId,
        name: `Template ${templateId}`,
        status: 'approved',
        category,
        language: 'en',
        content: JSON.stringify(content),
        created_by: owner.id,
      })
      .execute()
    if (rupees > 0)
      await issue(db, {
        issuer: { organizationId: admin.organizationId, accountId: admin.id },
        organizationId: organization_id,
        accountId: organization_id,
        amount: toUnits(rupees),
        opKey: newId(),
        reference: 'test',
      })
  })
  return { smsAccountId, templateId, body }
}

export const people = 'Mobile,Name,City\n9876543210,Asha,Pune\n9876543211,Ravi,Agra\n9876543212,Meena,\n'

async function buildAudience(as: Account, content = people): Promise<string> {
  const data = await server.ask('audience.create', { as, body: {}, files: { file: { name: 'people.csv', content } } })
  const status = async () => (await server.ask('audience.get', { as, path: { id: data._id } })).status
  await expect.poll(status, { timeout: 20_000 }).toBe('ready')
  return data._id
}

type Leg = ReturnType<typeof smsLeg>

const fromColumns = [{ column: 1 }, { column: 2, fallback: 'town' }]

export async function buildDraft(
  as: Account,
  more: Partial<Omit<CampaignDraft, 'legs'>> & { fixtures?: SmsFixtures; content?: string; variables?: object[] } = {},
): Promise<SavedDraft> {
  const { fixtures = await buildSmsFixtures(as), content, variables = fromColumns, ...draft } = more
  const body = {
    campaignName: 'Spring',
    audienceId: await buildAudience(as, content),
    ...draft,
    legs: legsOf(fixtures, variables),
  }
  const answer = await server.call('drafts.create', { as, body })
  expect(answer).toMatchObject({ status: 200 })
  return answer.data()
}

export function legsOf({ smsAccountId, templateId }: SmsFixtures, variables: object[]): [Leg] {
  return [smsLeg({ senderId: smsAccountId, templateId, variables })]
}

export const detail = (id: string, as = manager) => server.ask('campaigns.get', { as, path: { id } })

export async function validate(id: string, as: Account): Promise<CampaignDetail> {
  expect(await server.call('drafts.validate', { as, path: { id } })).toMatchObject({ status: 200 })
  await expect.poll(async () => (await detail(id, as)).status, { timeout: 20_000 }).toMatch(/ready|failed/)
  return detail(id, as)
}

/** An organisation with balance, and a ready campaign of three recipients. */
export async function buildReady({
  rupees = 100,
  ...more
}: { rupees?: number } & Parameters<typeof buildDraft>[1] = {}) {
  const owner = await buildManager(server.database, { parent: admin })
  const fixtures = more.fixtures ?? (await buildSmsFixtures(owner, { rupees }))
  const draft = await buildDraft(owner, { fixtures, ...more })
  const campaign = await validate(draft._id, owner)
  expect(campaign).toMatchObject({ status: 'ready' })
  return { owner, fixtures, id: draft._id, campaign }
}

export const balanceOf = (owner: Account) =>
  asSystem(server.database, (db) => getBalance(db, { organizationId: owner.organizationId }))

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
