import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '../lib/ids.ts'
import { buildManager, type Account } from '../testing/builders.ts'
import { createDatabaseIfMissing, migrate } from './migrate.ts'
import { openDatabase, type Database } from './pool.ts'

/** The last migration before single sends were stored by day. */
const last = '0080_inbox_members.sql'
const folder = new URL('migrations/', import.meta.url)

let url: string
let client: pg.Client
let database: Database
let manager: Account

beforeAll(async () => {
  const template = new URL(inject('templateUrl'))
  template.pathname = `/before_${newId().slice(-12)}`
  url = template.href
  await createDatabaseIfMissing(url)
  client = new pg.Client({ connectionString: url })
  await client.connect()
  await runMigrations({ connectionString: url })
  await client.query(
    'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  for (const name of (await readdir(folder)).toSorted()) {
    if (!name.endsWith('.sql') || name > last) continue
    const text = await readFile(new URL(name, folder), 'utf8')
    await client.query(text)
    const checksum = createHash('sha256').update(text).digest('hex')
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
  }
  database = openDatabase(url, { app: 2, system: 2, owner: 2 })
  manager = await buildManager(database)
})
afterAll(async () => {
  await database.close()
  await client.end()
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await client.query<Row>(text, values)).rows

type Single = { id: string; holdId: string; senderId: string }

/** A message as the release before stored it. */
async function store({ days, clientId, chat }: { days: number; clientId?: string; chat?: string }): Promise<Single> {
  const { organizationId, id: accountId, path } = manager
  const [single, hold, senderId] = [newId(), newId(), newId()]
  await query(
    `insert into holds (organization_id, id, ledger_account, amount, op_key)
    select $1, $2, id, 100 + $3, 'single:' || $4::uuid from ledger_accounts where organization_id = $1 and kind = 'balance'`,
    [organizationId, hold, days, single],
  )
  await query(
    `insert into single_sends (organization_id, id, created_on, sender_id, account_id, path, kind, phone, header, text, hold_id, created_at,
      conversation_id, client_id, content)
    values ($1, $2, current_date - $3::int, $4, $5, $6, 'reply', 919800000000, 'ACMEIN', 'Text of day ' || $3, $7, now() - $3 * interval '1 day',
      $8, $9, '{"type": "text"}')`,
    [organizationId, single, days, senderId, accountId, path, hold, chat ?? null, clientId ?? null],
  )
  return { id: single, holdId: hold, senderId }
}

const readAll = () => query<{ row: object }>('select to_jsonb(single) as row from single_sends single order by id')

async function readUsed() {
  const keys = ['messages_per_day', 'messages_per_month', 'spend_per_day']
  return query(
    'select key, zone, limit_used(key, $1, zone) as used from unnest($2::text[]) as key, unnest($3::text[]) as zone order by 1, 2',
    [manager.path, keys, ['UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati']],
  )
}

test('messages of a deployed database are moved to their days, with what limits, replies and reports need of them', async () => {
  await query(
    `insert into ledger_accounts (organization_id, id, account_id, kind) values ($1, gen_random_uuid(), $1, 'balance')
    on conflict do nothing`,
    [manager.organizationId],
  )
  const chat = newId()
  const stored = [
    await store({ days: 300, chat }),
    await store({ days: 20, chat, clientId: 'of a browser' }),
    await store({ days: 1 }),
    await store({ days: 0, chat }),
    await store({ days: 0 }),
  ]
  const [before, usedBefore] = [await readAll(), await readUsed()]

  await migrate(url)

  // The new columns are empty.
  expect(await readAll()).toEqual(before.map(({ row }) => ({ row: { ...row, metadata: null, send_at: null } })))
  expect(await readUsed()).toEqual(usedBefore)
  expect(await query(`select count(distinct tableoid)::int as partitions from single_sends`)).toEqual([
    { partitions: 4 },
  ])
  expect(
    await query('select current_date - day as days from conversation_days where conversation_id = $1 order by day', [
      chat,
    ]),
  ).toEqual([{ days: 300 }, { days: 20 }, { days: 0 }])
  expect(await query('select client_id, message_id from reply_client_ids')).toEqual([
    { client_id: 'of a browser', message_id: stored[1]?.id },
  ])
  for (const { holdId, senderId } of stored)
    expect(await query('select account_id, sender_id from holds where id = $1', [holdId])).toEqual([
      { account_id: manager.id, sender_id: senderId },
    ])
})
