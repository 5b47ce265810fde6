/**
 * One campaign to 200,000 recipients: two variables, hold, charge, counters, 1 % opted out; through a
 * provider that accepts immediately. The limit is what the database alone allows for the same plan: leasing chunks of 1,000
 * and appending their results, four at a time.
 */
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { newId } from '../packages/server/src/lib/ids.ts'
import { createAccount } from '../packages/server/src/modules/accounts/index.ts'
import { checkInvariants } from '../packages/server/src/modules/balance/index.ts'
import type { FrozenLink } from '../packages/server/src/modules/links/link-cells.ts'
import { completeFinished } from '../packages/server/src/modules/messages/housekeeping/complete-finished.ts'
import { foldCounters } from '../packages/server/src/modules/messages/housekeeping/fold-counters.ts'
import {
  buildCampaign,
  buildSender,
  fakeProvider,
  phoneOf,
  startTestSender,
} from '../packages/server/src/modules/messages/test-lane.ts'
import { assertEqual, benchDatabase, contest, measure, type BenchDatabase } from './harness.ts'

export const people = 200_000
const chunkSize = 1000
const connections = 4

export async function benchDispatch(): Promise<void> {
  const bench = await benchDatabase()
  try {
    await contest({
      name: 'dispatch',
      unit: 'messages',
      count: people,
      target: 0.5,
      database: bench.database,
      ours: () => sendCampaign(bench),
      limit: () => leaseAndAppend(bench.database),
    })
  } finally {
    await bench.drop()
  }
}

/** With a link, its addresses are the second variable. */
export async function sendCampaign(
  { database, url }: BenchDatabase,
  links: readonly FrozenLink[] = [],
): Promise<number> {
  const owner = await createOwner(database)
  const senderId = await buildSender(database, owner, { ratePerSecond: 1000 })
  const body = 'Dear {#var#}, your parcel to {#var#} is on its way and arrives tomorrow.'
  const variables = [
    { column: 0, fallback: '' },
    { column: links[0]?.column ?? 1, fallback: '' },
  ]
  const campaignId = await buildCampaign(database, {
    owner,
    senderId,
    total: people,
    body,
    variables,
    links,
    chunkSize,
    status: 'paused',
  })
  await database.ownerPool.query(
    `insert into opt_outs (organization_id, channel, phone, keyword) select $1, 'sms', ${phoneOf(0)} + n * 100, 'STOP' from generate_series(0, $2::int / 100 - 1) n`,
    [owner.organizationId, people],
  )
  await database.ownerPool.query('analyze')

  const provider = fakeProvider({ window: 2000 })
  const sender = await startTestSender({ database, url }, { provider })
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const seconds = await measure(async () => {
    await database.ownerPool.query(`update campaigns set status = 'queued', run_epoch = run_epoch + 1 where id = $1`, [
      campaignId,
    ])
    sender.wake()
    while (!(await isComplete(database, campaignId))) await new Promise((resolve) => setTimeout(resolve, 10))
  })
  await sender.stop()

  assertEqual(provider.handedOver.length, (people / 100) * 99, 'handed over')
  assertEqual(new Set(provider.handedOver.map(({ to }) => to)).size, provider.handedOver.length, 'handed over once')
  await foldCounters(database.systemPool)
  const { rows } = await database.ownerPool.query('select sent, skipped, cost from counters where campaign_id = $1', [
    campaignId,
  ])
  assertEqual(rows, [{ sent: (people / 100) * 99, skipped: people / 100, cost: people * 990 }], 'counters')
  const counted = await database.ownerPool.query(
    'select status, count(*) from messages where campaign_id = $1 group by status order by status',
    [campaignId],
  )
  assertEqual(
    counted.rows,
    [
      { status: 'skipped', count: people / 100 },
      { status: 'sent', count: (people / 100) * 99 },
    ],
    'messages',
  )
  assertEqual(await asSystem(database, checkInvariants), [], 'ledger')
  return seconds
}

async function isComplete(database: Database, campaignId: string): Promise<boolean> {
  const { rows } = await database.ownerPool.query(
    'select from chunks where campaign_id = $1 and done_at is null limit 1',
    [campaignId],
  )
  return rows.length === 0 && (await completeFinished(database.systemPool)).length > 0
}

export async function createOwner(database: Database) {
  const name = `bench-${newId().slice(-8)}`
  const account = await asSystem(database, (db) =>
    createAccount(db, {
      parent: undefined,
      role: 'manager',
      username: name,
      email: `${name}@bench.example`,
      name,
      passwordHash: '',
      modules: [],
    }),
  )
  return { ...account, token: '', username: name }
}

/**
 * Seconds for leasing chunks and appending their results, with nothing else running. Reports of neighbours are quickest where
 * the pages have room for them (`fillfactor`), appending where they are filled.
 */
export async function leaseAndAppend(database: Database, count = people, fillfactor = 70): Promise<number> {
  const pool = database.ownerPool
  await pool.query(`
    drop table if exists bare_chunks, bare_people, bare_messages;
    create table bare_chunks (organization_id uuid, campaign_id uuid, lo int, hi int, lease_until timestamptz, done boolean default false,
      primary key (organization_id, campaign_id, lo));
    create table bare_people (organization_id uuid, campaign_id uuid, seq int, phone bigint, variables text[], primary key (organization_id, campaign_id, seq));
    create table bare_messages (organization_id uuid, created_on date, campaign_id uuid, seq int, leg smallint, sender_id uuid, phone bigint,
      status message_status, provider_message_id text, primary key (organization_id, campaign_id, seq, leg, created_on)) with (fillfactor = ${fillfactor});
    create index on bare_messages (organization_id, sender_id, provider_message_id)`)
  const [organization, campaign, sender] = [newId(), newId(), newId()]
  await pool.query(
    `insert into bare_people select $1, $2, seq, ${phoneOf(0)} + seq, array['Name ' || seq, 'City ' || seq] from generate_series(0, ${count - 1}) seq`,
    [organization, campaign],
  )
  await pool.query(
    `insert into bare_chunks select $1, $2, n, n + ${chunkSize} from generate_series(0, ${count - 1}, ${chunkSize}) n`,
    [organization, campaign],
  )
  await pool.query('analyze')
  const seconds = await measure(async () => {
    await Promise.all(
      Array.from({ length: connections }, () => appendChunks(database, [organization, campaign, sender])),
    )
  })
  const { rows } = await pool.query('select count(*) from bare_messages')
  assertEqual(rows, [{ count }], 'bare results')
  return seconds
}

async function appendChunks(
  database: Database,
  [organization, campaign, sender]: [string, string, string],
): Promise<void> {
  for (;;) {
    const { rows: chunks } = await database.systemPool.query<{ lo: number; hi: number }>({
      name: 'bare-lease',
      text: `update bare_chunks set lease_until = now() + interval '60 s' where (organization_id, campaign_id, lo) = (
        select organization_id, campaign_id, lo from bare_chunks where organization_id = $1 and campaign_id = $2 and not done and lease_until is null
        order by lo limit 1 for update skip locked) returning lo, hi`,
      values: [organization, campaign],
    })
    const [chunk] = chunks
    if (!chunk) return
    const { rows } = await database.systemPool.query<{ seq: number; phone: number }>({
      name: 'bare-read',
      text: 'select seq, phone, variables from bare_people where organization_id = $1 and campaign_id = $2 and seq >= $3 and seq < $4 order by seq',
      values: [organization, campaign, chunk.lo, chunk.hi],
    })
    await database.systemPool.query({
      name: 'bare-append',
      text: `with appended as (
        insert into bare_messages select $1, current_date, $2, seq, 1, $3, phone, 'sent', id from unnest($4::int[], $5::bigint[], $6::text[]) as result (seq, phone, id)
        on conflict do nothing)
        update bare_chunks set done = true where organization_id = $1 and campaign_id = $2 and lo = $7`,
      values: [
        organization,
        campaign,
        sender,
        `{${rows.map(({ seq }) => seq).join(',')}}`,
        `{${rows.map(({ phone }) => phone).join(',')}}`,
        `{${rows.map(({ seq }) => `p-${campaign.replaceAll('-', '')}.1.${seq}`).join(',')}}`,
        chunk.lo,
      ],
    })
  }
}
