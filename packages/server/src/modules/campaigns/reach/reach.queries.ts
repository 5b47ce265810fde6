import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/pool.ts'
import type { Reach } from '../../../channels/management.ts'
import { createBitmap, setBit } from '../../../lib/bitmap.ts'

/** The recipients of an audience, as a sender's provider can reach them. */
export const ReachKey = z.object({ organizationId: z.string(), audienceId: z.string(), senderId: z.string() })
export type ReachKey = z.infer<typeof ReachKey>

/** Recipients [lo, hi) of one country. */
export type ReachRange = { lo: number; hi: number }

/** How long a provider's answer is used. */
const reachHours = 24

const fresh = sql<boolean>`checked_at > now() - make_interval(hours => ${reachHours})`

/** Removes answers of an earlier reading and outdated ones; returns the positions at which the fresh ones begin and end. */
export async function keepFreshBatches(db: Db, key: ReachKey, reading: number): Promise<ReachRange[]> {
  await db
    .deleteFrom('reach_batches')
    .where(ofKey(key))
    .where(sql<boolean>`(reading <> ${reading} or not ${fresh})`)
    .execute()
  return db.selectFrom('reach_batches').select(['lo', 'hi']).where(ofKey(key)).orderBy('lo').execute()
}

/** Everyone is checked again. */
export async function forgetBatches(db: Db, key: ReachKey): Promise<void> {
  await db.deleteFrom('reach_batches').where(ofKey(key)).execute()
}

/** The numbers of a range in order. */
export async function readNumbers(
  db: Db,
  { organizationId, audienceId, lo, hi }: ReachKey & ReachRange,
): Promise<string[]> {
  const { rows } = await sql<{ numbers: string[] }>`
    select array_agg('+' || phone order by seq) as numbers from recipients
    where organization_id = ${organizationId}::uuid and audience_id = ${audienceId}::uuid and seq >= ${lo} and seq < ${hi}`.execute(
    db,
  )
  return rows[0]?.numbers ?? []
}

type ReachAnswer = Awaited<ReturnType<Reach['checkMany']>>
type Batch = ReachKey & ReachRange & { reading: number; numbers: readonly string[]; answer: ReachAnswer }

/** Numbers that could not be checked count as reachable: the response to the message decides. */
export async function saveBatch(db: Db, { numbers, answer, reading, lo, hi, ...key }: Batch): Promise<void> {
  const reachable = createBitmap(numbers.length)
  const accepted = new Set([...answer.reachable, ...answer.unknown])
  let found = 0
  for (const [index, number] of numbers.entries()) {
    if (!accepted.has(number)) continue
    setBit(reachable, index)
    found += 1
  }
  const values = {
    reading,
    hi,
    reachable: Buffer.from(reachable),
    found,
    sampled: answer.sample?.total ?? 0,
    sample_reachable: answer.sample?.reachable ?? 0,
    checked_at: sql<Date>`now()`,
  }
  await db
    .insertInto('reach_batches')
    .values({
      ...values,
      organization_id: key.organizationId,
      audience_id: key.audienceId,
      sender_id: key.senderId,
      lo,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'audience_id', 'sender_id', 'lo']).doUpdateSet(values),
    )
    .execute()
}

/** `unsupported`: the provider cannot check numbers. `failed`: planned without the missing answers. */
const ReachStatus = z.enum(['checking', 'done', 'unsupported', 'failed'])

export type ReachCheck = {
  status: z.infer<typeof ReachStatus>
  reading: number
  error: string | null
  /** It ended so long ago that its answers are no longer used. */
  isOutdated: boolean
}

export async function findCheck(db: Db, key: ReachKey): Promise<ReachCheck | undefined> {
  const row = await db
    .selectFrom('reach_checks')
    .select(['status', 'reading', 'error'])
    .select(sql<boolean>`coalesce(finished_at < now() - make_interval(hours => ${reachHours}), false)`.as('isOutdated'))
    .where(ofKey(key))
    .executeTakeFirst()
  return row && { ...row, status: ReachStatus.parse(row.status) }
}

/** Begins a check, unless one is under way for this reading. Returns whether it began. */
export async function beginCheck(db: Db, key: ReachKey, reading: number): Promise<boolean> {
  const { rows } = await sql`
    insert into reach_checks (organization_id, audience_id, sender_id, reading)
    values (${key.organizationId}::uuid, ${key.audienceId}::uuid, ${key.senderId}::uuid, ${reading})
    on conflict (organization_id, audience_id, sender_id) do update
      set reading = excluded.reading, status = 'checking', failures = 0, error = null, requested_at = now(), finished_at = null
      where reach_checks.status <> 'checking' or reach_checks.reading <> excluded.reading
        or reach_checks.requested_at < now() - interval '1 hour'
    returning 1`.execute(db)
  return rows.length > 0
}

export async function endCheck(
  db: Db,
  key: ReachKey,
  { reading, status, error = null }: { reading: number; status: ReachCheck['status']; error?: string | null },
): Promise<void> {
  await db
    .updateTable('reach_checks')
    .set({ status, error, finished_at: new Date() })
    .where(ofKey(key))
    .where('reading', '=', reading)
    .execute()
}

/** Counts a failed attempt; returns how many failed in a row. */
export async function countFailure(db: Db, key: ReachKey, error: string): Promise<number> {
  const row = await db
    .updateTable('reach_checks')
    .set(({ eb }) => ({ failures: eb('failures', '+', 1), error }))
    .where(ofKey(key))
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? 0
}

export type ReachBatch = ReachRange & { reachable: Buffer; checkedAt: Date }

export async function listBatches(db: Db, key: ReachKey, reading: number): Promise<ReachBatch[]> {
  return db
    .selectFrom('reach_batches')
    .select(['lo', 'hi', 'reachable', 'checked_at as checkedAt'])
    .where(ofKey(key))
    .where('reading', '=', reading)
    .where(fresh)
    .orderBy('lo')
    .execute()
}

/** The sums of the fresh answers. */
export type ReachTotals = {
  checked: number
  found: number
  sampled: number
  sampleReachable: number
  oldest: Date | null
}

export async function sumBatches(db: Db, key: ReachKey, reading: number): Promise<ReachTotals> {
  return db
    .selectFrom('reach_batches')
    .select([
      sql<number>`coalesce(sum(hi - lo), 0)::int`.as('checked'),
      sql<number>`coalesce(sum(found), 0)::int`.as('found'),
      sql<number>`coalesce(sum(sampled), 0)::int`.as('sampled'),
      sql<number>`coalesce(sum(sample_reachable), 0)::int`.as('sampleReachable'),
      sql<Date | null>`min(checked_at)`.as('oldest'),
    ])
    .where(ofKey(key))
    .where('reading', '=', reading)
    .where(fresh)
    .executeTakeFirstOrThrow()
}

function ofKey({ organizationId, audienceId, senderId }: ReachKey) {
  return sql<boolean>`organization_id = ${organizationId}::uuid and audience_id = ${audienceId}::uuid and sender_id = ${senderId}::uuid`
}
