import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DeliveryReport } from '../../../channels/provider.ts'
import { asSystem } from '../../../db/pool.ts'
import { subscribe } from '../../../events/event-queue.ts'
import { newId } from '../../../lib/ids.ts'
import { buildAdmin, buildManager, type Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { issueTo, setSmsPrice } from '../../../testing/money.ts'
import { until } from '../../../testing/until.ts'
import { accept, buildCampaign, buildSender, fakeProvider, startTestSender } from '../test-lane.ts'
import { sendSingle } from '../single-sends/send-single.ts'
import { applyProviderEvents } from './apply-provider-events.ts'
import { findMismatches } from '../test-proof.ts'

let opened: TestDatabase
let manager: Account
let senderId: string

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 30, owner: 3 })
})
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})
beforeEach(async () => {
  manager = await buildManager(opened.database)
  senderId = await buildSender(opened.database, manager)
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

const want = () =>
  asSystem(opened.database, (db) =>
    subscribe(db, {
      organizationId: manager.organizationId,
      subscriber: 'webhooks',
      target: newId(),
      types: ['message.status'],
    }),
  )

/** The statuses that were published for each position of a campaign, or for a single send, in their order. */
async function published(id: string): Promise<Record<number, string[]>> {
  const rows = await query<{ seq: number; status: string }>(
    `select seq::int, payload ->> 'status' as status from event_queue, jsonb_array_elements_text(payload -> 'seqs') as seq
    where organization_id = $1 and type = 'message.status' and $2 = any(subject_ids) order by id`,
    [manager.organizationId, id],
  )
  const statuses: Record<number, string[]> = {}
  for (const { seq, status } of rows) (statuses[seq] ??= []).push(status)
  return statuses
}

const report = (id: string, status: 'delivered' | 'failed'): DeliveryReport & { raw: string } => ({
  kind: 'delivery-report',
  providerMessageIds: [id],
  status,
  at: new Date(),
  raw: status,
  ...(status === 'failed' ? { reason: 'number_unreachable', code: '1' } : {}),
})

const sendAll = async () => {
  const fake = fakeProvider()
  fake.answer = (message) =>
    message.reference.endsWith('.3')
      ? { kind: 'rejected', reason: 'operator_rejected', code: '9', detail: 'No', scope: 'message' }
      : accept(message)
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 6, chunkSize: 6 })
  const sender = await startTestSender(opened, { provider: fake })
  await until(
    async () => (await query('select from messages where campaign_id = $1', [campaignId])).length === 6,
    'the end',
  )
  await sender.stop()
  const key = { organizationId: manager.organizationId, senderId }
  const ids = await query<{ seq: number; id: string }>(
    `select seq, provider_message_id as id from messages where campaign_id = $1 and status = 'sent' order by seq`,
    [campaignId],
  )
  const [first, second] = ids
  if (!first || !second) throw new Error('Nothing was sent')
  const reports = [report(first.id, 'delivered'), report(second.id, 'failed')]
  // Repeated reports change nothing, so they are published once.
  await applyProviderEvents(opened.database.systemPool, key, reports)
  await applyProviderEvents(opened.database.systemPool, key, reports)
  return { campaignId, delivered: first.seq, failed: second.seq }
}

test('each new status of a message of a campaign is published once', async () => {
  await want()
  const { campaignId, delivered, failed } = await sendAll()
  const statuses = await published(campaignId)
  expect(Object.keys(statuses)).toHaveLength(6)
  expect(statuses[delivered]).toEqual(['sent', 'delivered'])
  expect(statuses[failed]).toEqual(['sent', 'failed'])
  expect(Object.values(statuses).filter((each) => each.join() === 'failed')).toHaveLength(1)
  expect(Object.values(statuses).filter((each) => each.join() === 'sent')).toHaveLength(3)
})

test('without a subscription nothing is queued', async () => {
  await sendAll()
  expect(await query('select from event_queue where organization_id = $1', [manager.organizationId])).toEqual([])
})

test('the statuses of a single send are published', async () => {
  await want()
  const admin = await buildAdmin(opened.database)
  await setSmsPrice(opened.database, manager, 1500)
  await issueTo(opened.database, { admin, account: manager, units: 10_000_000 })
  const fake = fakeProvider()
  const { messageId } = await asSystem(opened.database, (db) =>
    sendSingle(db, {
      organizationId: manager.organizationId,
      accountId: manager.id,
      path: manager.path,
      senderId,
      kind: 'api',
      channel: 'sms',
      phoneNumber: '+919812300001',
      header: 'ACMEIN',
      text: 'Your code is 123456',
      category: 'service_implicit',
    }),
  )
  const sender = await startTestSender(opened, { provider: fake })
  await until(async () => (await published(messageId))[0] !== undefined, 'the result')
  await sender.stop()
  const [message] = await query<{ id: string }>(
    'select provider_message_id as id from messages where campaign_id = $1',
    [messageId],
  )
  const reports = [report(message?.id ?? '', 'delivered')]
  await applyProviderEvents(opened.database.systemPool, { organizationId: manager.organizationId, senderId }, reports)
  expect(await published(messageId)).toEqual({ 0: ['sent', 'delivered'] })
})
