import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { newId } from '../../../lib/ids.ts'
import { createLogger } from '../../../lib/logger.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { checkInvariants } from '../../balance/index.ts'
import { everyHour } from '../housekeeping/housekeeping.ts'
import { conversationIdOf } from '../inbound/inbound.ts'
import { getSingle } from '../reads/messages-by-number.ts'
import { findSingleOutcome } from './single-outcome.ts'
import { acceptAll, buildShop, partPrice, sendOne, singleOf, type Shop } from './test-shop.ts'

let opened: TestDatabase
let shop: Shop

beforeAll(async () => {
  opened = await testDatabase()
  shop = await buildShop(opened.database, { units: 1000 * partPrice })
})
afterAll(async () => {
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
  await opened.drop()
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await opened.database.ownerPool.query<Row>(text, values)).rows

const replyOf = (clientId: string) =>
  singleOf(shop, {
    kind: 'reply',
    reply: {
      authorId: shop.manager.id,
      impersonatedBy: undefined,
      clientId,
      inReplyTo: undefined,
      optedOutAt: undefined,
    },
  })

/** Moves messages and what is known of their days into the past. */
async function age(ids: readonly string[], days: number): Promise<void> {
  await query('select ensure_partitions(current_date - $1::int, current_date - $1::int)', [days])
  await query(
    `update single_sends set created_on = created_on - $2::int, created_at = created_at - $2 * interval '1 day' where id = any($1)`,
    [ids, days],
  )
  await query('update conversation_days set day = day - $2::int where message_id = any($1)', [ids, days])
  await query('update reply_client_ids set created_on = created_on - $2::int where message_id = any($1)', [ids, days])
}

const sweep = (retentionDays: number) =>
  everyHour({
    pool: opened.database.systemPool,
    logger: createLogger('silent'),
    onCampaignDrained: () => Promise.resolve(),
    retentionDays,
  })

test('a second reply with the client id of another is refused, also on another day and in another batch', async () => {
  const clientId = newId()
  const { messageId } = await sendOne(opened.database, shop, replyOf(clientId))
  const repeat = () => acceptAll(opened.database, shop, [replyOf(newId()), replyOf(clientId)])
  await expect(repeat()).rejects.toMatchObject({ code: '23505' })
  await age([messageId], 1)
  await expect(repeat()).rejects.toMatchObject({ code: '23505' })
  await expect(acceptAll(opened.database, shop, [replyOf('twice'), replyOf('twice')])).rejects.toMatchObject({
    code: '23505',
  })
  expect(await query('select id from single_sends where client_id = $1', [clientId])).toEqual([{ id: messageId }])
})

test('of two at the same time with one client id, one is accepted', async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 5 }, () => sendOne(opened.database, shop, replyOf('race'))),
  )
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await query(`select from single_sends where client_id = 'race'`)).toHaveLength(1)
})

test('days that are not retained are dropped with their texts, client ids and conversation days; money and results stay', async () => {
  const [old, kept] = [
    await sendOne(opened.database, shop, { ...replyOf('old'), phoneNumber: '+919876520001', text: 'An old secret' }),
    await sendOne(opened.database, shop, { ...replyOf('kept'), phoneNumber: '+919876520002' }),
  ]
  await age([old.messageId], 70)
  await age([kept.messageId], 20)
  const heldBefore = await query('select id, account_id, sender_id from holds order by id')
  await sweep(60)
  expect(await query(`select id from single_sends where id = any($1)`, [[old.messageId, kept.messageId]])).toEqual([
    { id: kept.messageId },
  ])
  expect(await query(`select from single_sends where text like '%secret%'`)).toEqual([])
  expect(await query(`select client_id from reply_client_ids where client_id in ('old', 'kept')`)).toEqual([
    { client_id: 'kept' },
  ])
  const days = `select from conversation_days where message_id = $1`
  expect(await query(days, [kept.messageId])).toHaveLength(1)
  await sweep(30)
  expect(await query(days, [old.messageId])).toEqual([])
  expect(await query('select id, account_id, sender_id from holds order by id')).toEqual(heldBefore)
})

test('a message is found by its id on its day, and on the days beside it in other time zones', async () => {
  const { organizationId, path } = shop.manager
  const read = (id: string) =>
    asSystem(opened.database, (db) => getSingle(db, { scope: { organizationId, path, descends: false }, id }))
  const { messageId } = await sendOne(opened.database, shop, singleOf(shop))
  expect(await read(messageId)).toMatchObject({ _id: messageId, status: 'queued' })
  await age([messageId], 1)
  expect(await read(messageId)).toMatchObject({ _id: messageId })
  expect(await asSystem(opened.database, (db) => findSingleOutcome(db, { organizationId, id: messageId }))).toEqual({
    kind: 'under-way',
  })
  await expect(read('ffffffff-ffff-7fff-bfff-ffffffffffff')).rejects.toMatchObject({ code: 'not_found' })
  await expect(read('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({ code: 'not_found' })
})

test('the days of a conversation are stored once, in whatever order its messages are accepted', async () => {
  const sends = Array.from({ length: 6 }, (_, index) => singleOf(shop, { phoneNumber: `+91987651000${index % 2}` }))
  await Promise.all([
    acceptAll(opened.database, shop, sends),
    acceptAll(opened.database, shop, sends.toReversed()),
    acceptAll(opened.database, shop, sends),
  ])
  await acceptAll(opened.database, shop, sends)
  const chat = conversationIdOf(
    { organizationId: shop.manager.organizationId, senderId: shop.senderId },
    '919876510000',
  )
  const rows = await query<{ day: string }>('select distinct day from conversation_days where conversation_id = $1', [
    chat,
  ])
  expect(rows).toHaveLength(1)
  expect((await query('select from single_sends where conversation_id = $1', [chat])).length).toBe(12)
})
