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

type RepeatedCall = Repeatable & { noteReplay(): void }

/**
 * Makes a repeat of a call with the same `Idempotency-Key` return the first response. The key is claimed in the call's own
 * transaction: a concurrent repeat waits for it, and a failed call leaves no claim.
 */
export async function once<Result>(db: Db, call: RepeatedCall, work: () => Promise<Result>): Promise<Result> {
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
  call: RepeatedCall,
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
  if (call.key.length === 0 || call.key.length > longestKey) throw badKey()
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

async function readFirstResponse<Result>(db: Db, call: RepeatedCall): Promise<Result> {
  const first = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'answer'])
    .where((where) => where.and(placeOf(call)))
    .executeTakeFirst()
  if (first && !first.request_hash.equals(hashOf(call))) throw mismatch()
  if (first?.status == null) throw inProgress()
  if (call.answersSecret)
    throw new Problem(
      'conflict',
      'The first call with this Idempotency-Key succeeded. Its response contains a secret, which is not stored: call again with a new key',
    )
  call.noteReplay()
  // The stored value was returned by `work` of the same endpoint.
  return first.answer as Result
}

/** What the key of one of several calls says. A call without a key is new. */
export type Claim =
  | { kind: 'new' }
  /** The first call with this key was answered. */
  | { kind: 'answered'; answer: unknown }
  /** The call at this index has the same key and is answered together with this one. */
  | { kind: 'twin'; of: number }
  | { kind: 'refused'; problem: Problem }

/** Claims the keys of calls that share a transaction, as `once` does for one. Calls with the same key in other transactions wait. */
export async function claimKeys(db: Db, calls: readonly (Repeatable | undefined)[]): Promise<Claim[]> {
  const firsts = new Map<string, { call: Repeatable; index: number }>()
  const claims = calls.map((call, index): Claim | Repeatable => {
    if (!call) return { kind: 'new' }
    if (call.key.length === 0 || call.key.length > longestKey) return { kind: 'refused', problem: badKey() }
    const first = firsts.get(nameOf(call))
    if (!first) {
      firsts.set(nameOf(call), { call, index })
      return call
    }
    return hashOf(first.call).equals(hashOf(call))
      ? { kind: 'twin', of: first.index }
      : { kind: 'refused', problem: mismatch() }
  })
  const asked = claims.flatMap((claim) => ('kind' in claim ? [] : [claim]))
  const claimed = await insertClaims(db, asked)
  const known = await readAnswers(
    db,
    asked.filter((call) => !claimed.has(nameOf(call))),
  )
  return claims.map((claim): Claim => {
    if ('kind' in claim) return claim
    if (claimed.has(nameOf(claim))) return { kind: 'new' }
    const first = known.get(nameOf(claim))
    if (first && !first.hash.equals(hashOf(claim))) return { kind: 'refused', problem: mismatch() }
    return first?.status == null
      ? { kind: 'refused', problem: inProgress() }
      : { kind: 'answered', answer: first.answer }
  })
}

const nameOf = ({ endpoint, key }: Pick<Repeatable, 'endpoint' | 'key'>) => `${endpoint} ${key}`

function rowsOf(calls: readonly Repeatable[]) {
  return calls.map((call) => ({ ...placeOf(call), request_hash: hashOf(call).toString('hex') }))
}

async function insertClaims(db: Db, calls: readonly Repeatable[]): Promise<ReadonlySet<string>> {
  if (calls.length === 0) return new Set()
  // In the order of the keys, so that two processes with the same calls do not wait for each other in a circle.
  const { rows } = await sql<{ endpoint: string; key: string }>`
    insert into idempotency_keys as known (organization_id, account_id, endpoint, key, request_hash)
    select organization_id, account_id, endpoint, key, decode(request_hash, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rowsOf(calls))}::jsonb)
      as input (organization_id uuid, account_id uuid, endpoint text, key text, request_hash text)
    order by account_id, endpoint, key
    on conflict (organization_id, account_id, endpoint, key) do update set request_hash = excluded.request_hash, created_at = now()
    where known.status is null and known.created_at < now() - ${sql.lit(claimMinutes)} * interval '1 minute'
    returning endpoint, key`.execute(db)
  return new Set(rows.map(nameOf))
}

type KnownAnswer = { endpoint: string; key: string; hash: Buffer; status: number | null; answer: unknown }

async function readAnswers(db: Db, calls: readonly Repeatable[]): Promise<ReadonlyMap<string, KnownAnswer>> {
  if (calls.length === 0) return new Map()
  const { rows } = await sql<KnownAnswer>`
    select known.endpoint, known.key, known.request_hash as hash, known.status, known.answer
    from jsonb_to_recordset(${JSON.stringify(rowsOf(calls))}::jsonb) as input (organization_id uuid, account_id uuid, endpoint text, key text)
    join idempotency_keys known using (organization_id, account_id, endpoint, key)`.execute(db)
  return new Map(rows.map((row) => [nameOf(row), row]))
}

/** Stores the answers of calls whose keys were claimed in this transaction. */
export async function storeAnswers(db: Db, done: readonly { call: Repeatable; answer: unknown }[]): Promise<void> {
  if (done.length === 0) return
  const rows = done.map(({ call, answer }) => ({ ...placeOf(call), answer }))
  await sql`update idempotency_keys known set status = 200, answer = input.answer
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as input (organization_id uuid, account_id uuid, endpoint text, key text, answer jsonb)
    where known.organization_id = input.organization_id and known.account_id = input.account_id
      and known.endpoint = input.endpoint and known.key = input.key`.execute(db)
}

/** Frees keys that were claimed in this transaction. */
export async function freeKeys(db: Db, calls: readonly Repeatable[]): Promise<void> {
  if (calls.length === 0) return
  await sql`delete from idempotency_keys known
    using jsonb_to_recordset(${JSON.stringify(rowsOf(calls))}::jsonb) as input (organization_id uuid, account_id uuid, endpoint text, key text)
    where known.organization_id = input.organization_id and known.account_id = input.account_id
      and known.endpoint = input.endpoint and known.key = input.key`.execute(db)
}

function badKey(): Problem {
  return new Problem('bad_request', 'An Idempotency-Key has 1 to 255 characters')
}

function mismatch(): Problem {
  return new Problem('idempotency_mismatch', 'This Idempotency-Key was used for a different request')
}

function inProgress(): Problem {
  return new Problem('conflict', 'The first call with this Idempotency-Key is still in progress')
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
