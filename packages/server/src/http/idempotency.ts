import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, RunTransaction } from '../db/pool.ts'
import { Problem } from '../lib/problem.ts'
import type { UserActor } from '../actor.ts'

const longestKey = 255
/** Longer than any call takes: an older claim belongs to a process that died during the call. */
const claimMinutes = 10

export type Repeatable = {
  actor: UserActor
  endpoint: string
  key: string
  request: unknown
  /** The response contains a secret: it is not stored, and a repeat is rejected. */
  answersSecret: boolean
}

/**
 * Makes a repeat of a call with the same `Idempotency-Key` return the first response. The key is claimed in the call's own
 * transaction: a concurrent repeat waits for it, and a failed call leaves no claim.
 */
export async function once<Result>(db: Db, call: Repeatable, work: () => Promise<Result>): Promise<Result> {
  const claim = await claimKey(db, call)
  if (!claim) return readFirstResponse<Result>(db, call)
  const result = await work()
  await storeAnswer(db, call, { claim, result })
  return result
}

/**
 * The same for a call without a transaction. The claim is committed before the call begins, so a concurrent repeat is
 * rejected. A failed call releases the key.
 */
export async function onceWithoutTransaction<Result>(
  scoped: RunTransaction,
  call: Repeatable,
  work: () => Promise<Result>,
): Promise<Result> {
  const claimed = await scoped(async (db) => {
    const claim = await claimKey(db, call)
    return claim ? { claim } : { answer: await readFirstResponse<Result>(db, call) }
  })
  if (!('claim' in claimed)) return claimed.answer
  const { claim } = claimed
  let result: Result
  try {
    result = await work()
  } catch (error) {
    // If this fails as well, the claim expires.
    await scoped((db) => freeKey(db, call, claim)).catch(() => undefined)
    throw error
  }
  await scoped((db) => storeAnswer(db, call, { claim, result }))
  return result
}

/** Returns the id of the claim; undefined if the key is taken. */
async function claimKey(db: Db, call: Repeatable): Promise<string | undefined> {
  if (call.key.length === 0 || call.key.length > longestKey)
    throw new Problem('bad_request', 'An Idempotency-Key has 1 to 255 characters')
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({ ...placeOf(call), request_hash: hashOf(call) })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'account_id', 'endpoint', 'key'])
        .doUpdateSet({ request_hash: hashOf(call), created_at: sql`now()` })
        .where('idempotency_keys.status', 'is', null)
        .where('idempotency_keys.created_at', '<', sql<Date>`now() - ${claimMinutes} * interval '1 minute'`),
    )
    .returning(sql<string>`created_at::text`.as('claim'))
    .executeTakeFirst()
  return claimed?.claim
}

async function storeAnswer(db: Db, call: Repeatable, { claim, result }: { claim: string; result: unknown }) {
  await db
    .updateTable('idempotency_keys')
    .set({ status: 200, answer: call.answersSecret ? null : sql`${JSON.stringify(result ?? null)}::jsonb` })
    .where((where) => where.and(placeOf(call)))
    .where('created_at', '=', sql<Date>`${claim}::timestamptz`)
    .execute()
}

async function freeKey(db: Db, call: Repeatable, claim: string) {
  await db
    .deleteFrom('idempotency_keys')
    .where((where) => where.and(placeOf(call)))
    .where('created_at', '=', sql<Date>`${claim}::timestamptz`)
    .execute()
}

async function readFirstResponse<Result>(db: Db, call: Repeatable): Promise<Result> {
  const first = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'answer'])
    .where((where) => where.and(placeOf(call)))
    .executeTakeFirst()
  if (first && !first.request_hash.equals(hashOf(call)))
    throw new Problem('idempotency_mismatch', 'This Idempotency-Key was used for a different request')
  if (first?.status == null)
    throw new Problem('conflict', 'The first call with this Idempotency-Key is still in progress')
  if (call.answersSecret)
    throw new Problem(
      'conflict',
      'The first call with this Idempotency-Key succeeded. Its response contains a secret, which is not stored: call again with a new key',
    )
  // The stored value was returned by `work` of the same endpoint.
  return first.answer as Result
}

function placeOf({ actor, endpoint, key }: Repeatable) {
  return { organization_id: actor.organizationId, account_id: actor.accountId, endpoint, key }
}

function hashOf({ request }: Repeatable): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(request ?? null))
    .digest()
}

const keptFor = '7 days'

/** Deletes some of the keys that are too old; true if there may be more. */
export async function sweepIdempotencyKeys(db: Db, most = 10_000): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < now() - ${sql.lit(keptFor)}::interval order by created_at limit ${most}))`.execute(
    db,
  )
  return numAffectedRows === BigInt(most)
}
