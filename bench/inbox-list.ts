/**
 * One organization with 100,000 conversations and 10,000,000 messages. The product runs in its own process and serves the calls of
 * an inbox: lists in each order, an opened conversation with its thread, marking as read, and the search over all messages. The
 * limit is the same functions directly on the database at the same rate. MESSAGES=n for another number of messages.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import type { UserActor } from '../packages/server/src/actor.ts'
import { withPatience } from '../packages/server/src/db/bounded-queries.ts'
import { inScope, type Database, type Db } from '../packages/server/src/db/pool.ts'
import { listConversations } from '../packages/server/src/modules/conversations/list/list-conversations.ts'
import { countConversations } from '../packages/server/src/modules/conversations/list/count-conversations.ts'
import { getConversation } from '../packages/server/src/modules/conversations/list/find-conversation.ts'
import { searchConversations } from '../packages/server/src/modules/conversations/search/search-conversations.ts'
import { readThread } from '../packages/server/src/modules/conversations/thread/read-thread.ts'
import { buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { buildManager, type Account } from '../packages/server/src/testing/builders.ts'
import { startServer } from './api.ts'
import { benchDatabase, machine, median } from './harness.ts'
import { openLoop, percentile, type Latencies, type Mix } from './open-loop.ts'

const chats = 100_000
const messages = Number(process.env['MESSAGES'] ?? 10_000_000)
const pace = { perSecond: 60, seconds: 10 }
const shares = { list: 30, counts: 15, open: 30, read: 15, search: 10 }
const wanted = { ms: 25, searchMs: 200, ratio: 0.6 }

type Seeded = { manager: Account; actor: UserActor; chatIds: string[] }

export async function benchInboxList(): Promise<void> {
  const bench = await benchDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  try {
    const seeded = await withPatience(() => seed(bench.database))
    const server = await startServer(bench.url, dataDirectory)
    try {
      await compare({ ours: httpMix(server.url, seeded), bare: bareMix(bench.database, seeded) })
      console.log(`peak memory of the product ${server.peakMemory()}`)
    } finally {
      server.process.kill('SIGTERM')
      await once(server.process, 'exit')
    }
  } finally {
    await bench.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function seed(database: Database): Promise<Seeded> {
  const manager = await buildManager(database)
  const { organizationId } = manager
  const senderId = await buildSender(database, manager)
  const begin = performance.now()
  const { ownerPool } = database
  const owned = [organizationId, senderId]
  await ownerPool.query(
    `insert into conversations (organization_id, id, sender_id, channel, identity, status, unread, window_expires_at, waiting_since, last_at, last_text)
    select $1::uuid, hashed_id($1::uuid || ':' || $2::uuid || ':' || phone), $2, 'sms', phone::text,
      case when seq % 5 = 0 then 'open' else 'resolved' end::conversation_status, case when seq % 10 = 0 then 2 else 0 end,
      case when seq % 3 > 0 then now() + (seq % 2880 - 1440) * interval '1 minute' end,
      case when seq % 5 = 0 then now() - (seq % 600) * interval '1 minute' end, now() - seq * interval '5 minutes', 'Is my order on its way?'
    from (select seq, ${phoneOf(0)} + seq as phone from generate_series(0, ${chats - 1}) seq) person`,
    owned,
  )
  await ownerPool.query(
    `insert into contact_identities (organization_id, channel, identity, phone, name, contact_id)
    select organization_id, channel, identity, identity::bigint, 'Person ' || identity, id from conversations`,
  )
  await insertMessages(database, owned)
  await ownerPool.query('vacuum analyze')
  const { rows } = await ownerPool.query<{ id: string }>(
    `select id from conversations where status = 'open' limit 5000`,
  )
  console.log(`inbox-list: seeded in ${((performance.now() - begin) / 1000).toFixed(0)} s`)
  const actor = {
    kind: 'user',
    accountId: manager.id,
    organizationId,
    role: 'manager',
    scope: { organizationId, path: manager.path, descends: false },
  } as UserActor
  return { manager, actor, chatIds: rows.map(({ id }) => id) }
}

const words = ['order', 'kurta', 'refund', 'parcel', 'invoice', 'delivery', 'size', 'colour', 'address', 'payment']

/** Indexes are built after the rows, which is many times faster. One message in ten thousand has a rare word. */
async function insertMessages({ ownerPool }: Database, owned: string[]): Promise<void> {
  const { rows: indexes } = await ownerPool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'inbound_messages'::regclass and not indisunique`,
  )
  for (const { name } of indexes) await ownerPool.query(`drop index ${name}`)
  for (let from = 0; from < messages; from += messagesAtOnce) await insertPart(ownerPool, { owned, from })
  for (const { definition } of indexes) await ownerPool.query(definition)
}

const messagesAtOnce = 1_000_000

async function insertPart(
  ownerPool: Database['ownerPool'],
  { owned, from }: { owned: string[]; from: number },
): Promise<void> {
  await ownerPool.query(
    `insert into inbound_messages (organization_id, id, channel, sender_id, phone, sent_to, text, dedupe_key, received_at, conversation_id)
    select $1::uuid, gen_random_uuid(), 'sms', $2, phone, '56161',
      'Where is my ' || ($3::text[])[1 + seq % ${words.length}] || ' number ' || seq || '? ' || ($3::text[])[1 + (seq / 7) % ${words.length}]
        || case when seq % 10000 = 0 then ' zanzibar' || seq / 10000 else '' end,
      'm' || seq, now() - (seq / ${chats}) * interval '3 days' - (seq % ${chats}) * interval '1 second',
      hashed_id($1::uuid || ':' || $2::uuid || ':' || phone)
    from (select seq, ${phoneOf(0)} + seq % ${chats} as phone from generate_series(${from}, ${Math.min(messages, from + messagesAtOnce) - 1}) seq) message`,
    [...owned, words],
  )
}

async function compare(mixes: Record<'ours' | 'bare', Mix>): Promise<void> {
  console.log(
    `inbox-list: ${chats.toLocaleString('en')} conversations, ${messages.toLocaleString('en')} messages, ${pace.perSecond} calls/s; ${machine()}`,
  )
  for (const side of ['ours', 'bare'] as const) await openLoop(mixes[side], { ...pace, seconds: 5 })
  const all = { ours: [] as Latencies[], bare: [] as Latencies[] }
  const ratios: number[] = []
  for (let round = 0; round < Number(process.env['ROUNDS'] ?? 3); round += 1) {
    for (const side of ['ours', 'bare'] as const) all[side].push(await openLoop(mixes[side], pace))
    ratios.push(middle(all.bare.at(-1)) / middle(all.ours.at(-1)))
  }
  for (const name of Object.keys(shares)) {
    const [ours, bare] = [all.ours, all.bare].map((side) => side.flatMap((latencies) => latencies.get(name) ?? []))
    console.log(
      `${name.padEnd(8)} ours p50 ${ms(ours, 0.5)}  p99 ${ms(ours, 0.99)}   bare p50 ${ms(bare, 0.5)}  p99 ${ms(bare, 0.99)}`,
    )
  }
  console.log(
    `wanted: p99 at most ${wanted.ms} ms, of the search ${wanted.searchMs} ms; ratio at least ${wanted.ratio}`,
  )
  console.log(`ratio ${median(ratios).toFixed(2)}`)
}

const ms = (values: readonly number[] = [], share: number) => `${percentile(values, share).toFixed(1).padStart(6)} ms`

/** Of all calls but searches, whose time is the database's. */
function middle(latencies: Latencies = new Map()): number {
  return percentile(
    [...latencies].flatMap(([name, values]) => (name === 'search' ? [] : values)),
    0.5,
  )
}

const orders = ['closing', 'newest', 'waiting'] as const

/** Rare words, common ones, parts of words, and parts of numbers in turn. */
function queryOf(turn: number): string {
  const kind = turn % 4
  if (kind === 0) return `zanzibar${(turn * 7) % (messages / 10_000)}`
  if (kind === 1) return words[turn % words.length] ?? ''
  return kind === 2 ? `anzibar${turn % 90}` : String(phoneOf((turn * 7919) % chats)).slice(3)
}

function httpMix(url: string, { manager, chatIds }: Seeded): Mix {
  const pool = new Pool(url, { connections: 32 })
  const ask = async (method: 'GET' | 'POST', path: string) => {
    const { statusCode, body } = await pool.request({
      path,
      method,
      headers: { authorization: `Bearer ${manager.token}`, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
  }
  const chatOf = (turn: number) => chatIds[(turn * 7919) % chatIds.length]
  return mixOf({
    list: (turn) => ask('GET', `/api/v1/conversations?order=${orders[turn % 3]}`),
    counts: () => ask('GET', '/api/v1/conversations/counts'),
    open: (turn) => ask('GET', `/api/v1/conversations/${chatOf(turn)}/items`),
    read: (turn) => ask('POST', `/api/v1/conversations/${chatOf(turn)}/read`),
    search: (turn) => ask('GET', `/api/v1/conversations/search?q=${queryOf(turn)}`),
  })
}

function bareMix(database: Database, { actor, chatIds }: Seeded): Mix {
  const read = async (work: (db: Db) => Promise<unknown>) => void (await inScope(database, actor.scope, work))
  const chatOf = (turn: number) => chatIds[(turn * 7919) % chatIds.length] ?? ''
  return mixOf({
    list: (turn) =>
      read((db) =>
        listConversations(db, {
          actor,
          query: { box: 'all', status: 'active', order: orders[turn % 3] ?? 'closing', limit: 50 },
        }),
      ),
    counts: () => read((db) => countConversations(db, { actor, query: { status: 'active' } })),
    open: (turn) => read((db) => readThread(db, { actor, id: chatOf(turn), query: { limit: 50 } })),
    read: (turn) => read((db) => getConversation(db, { actor, id: chatOf(turn) })),
    search: (turn) => read((db) => searchConversations(db, { actor, query: { q: queryOf(turn), limit: 20 } })),
  })
}

function mixOf(calls: Record<keyof typeof shares, (turn: number) => Promise<void>>): Mix {
  return Object.entries(shares).map(([name, share]) => ({ name, share, call: calls[name as keyof typeof shares] }))
}
