/**
 * 10,000 people answer campaigns of two lines with 50,000 messages, which arrive in batches of 500: they are stored with their
 * contacts, counted for their campaign, and moved in the inbox. The limit is the same without the inbox, so the ratio is what the
 * inbox leaves of the rate.
 */
import type { ProviderEvent } from '../packages/server/src/channels/provider.ts'
import type { Database } from '../packages/server/src/db/pool.ts'
import { openConversations } from '../packages/server/src/modules/conversations/index.ts'
import { applyProviderEvents, type OnInbound } from '../packages/server/src/modules/messages/index.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import type { Account } from '../packages/server/src/testing/builders.ts'
import { createOwner } from './dispatch.ts'
import { assertEqual, benchDatabase, contest, measure } from './harness.ts'

const lines = 2
const people = 10_000
const messages = 50_000
const batchSize = 500

export async function benchInbound(): Promise<void> {
  const bench = await benchDatabase()
  try {
    await contest({
      name: 'inbound',
      unit: 'messages',
      count: messages,
      target: 0.85,
      database: bench.database,
      ours: () => receiveAll(bench.database, openConversations),
      limit: () => receiveAll(bench.database),
    })
  } finally {
    await bench.drop()
  }
}

async function receiveAll(database: Database, onInbound?: OnInbound): Promise<number> {
  const owner = await createOwner(database)
  const senders: string[] = []
  for (let line = 0; line < lines; line += 1) senders.push(await buildSent(database, owner))
  await database.ownerPool.query('analyze')
  const received = senders.map((senderId, line) => ({
    key: { organizationId: owner.organizationId, senderId },
    events: eventsOf(line),
  }))
  const seconds = await measure(async () => {
    await Promise.all(
      received.map(async ({ key, events }) => {
        for (let next = 0; next < events.length; next += batchSize)
          await applyProviderEvents(
            database.systemPool,
            { ...key, ...(onInbound && { onInbound }) },
            events.slice(next, next + batchSize),
          )
      }),
    )
  })
  const { rows } = await database.ownerPool.query(
    `select (select count(*) from inbound_messages where organization_id = $1) as messages,
      (select coalesce(sum(unread), 0) from conversations where organization_id = $1) as unread`,
    [owner.organizationId],
  )
  assertEqual(rows, [{ messages, unread: onInbound ? messages : 0 }], 'messages')
  return seconds
}

/** A line whose campaign reached everybody. */
async function buildSent(database: Database, owner: Account): Promise<string> {
  const senderId = await buildSender(database, owner)
  const campaignId = await buildCampaign(database, { owner, senderId, total: people, status: 'paused' })
  await database.ownerPool.query(
    `insert into messages (organization_id, created_on, campaign_id, seq, leg, sender_id, phone, status, parts, price, billable_on, provider_message_id, sent_at)
    select $1, current_date, $2, seq, 1, $3, ${phoneOf(0)} + seq, 'sent', 1, 1000, 'delivered', 'p' || seq, now()
    from generate_series(0, ${people - 1}) seq`,
    [owner.organizationId, campaignId, senderId],
  )
  return senderId
}

/** A number below `count` for each index, as if at random. The same people never meet again in a batch, and so on a page of a table. */
function scatter(index: number, count: number): number {
  let mixed = Math.imul(index ^ (index >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return ((mixed ^ (mixed >>> 16)) >>> 0) % count
}

/** Of a line: each person writes several times. */
function eventsOf(line: number): ProviderEvent[] {
  const begin = Date.now()
  return Array.from({ length: messages / lines }, (_, index) => ({
    kind: 'inbound-message',
    from: String(phoneOf(scatter(index, people / lines) * lines + line)),
    to: '56161',
    text: `Is order ${index} on its way? It should have been here yesterday.`,
    dedupeKey: `${line}-${index}`,
    at: new Date(begin + index),
    raw: `message ${index}`,
  }))
}
