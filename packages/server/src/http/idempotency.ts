import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { Problem } from '../lib/problem.ts'
import type { Actor } from './handlers.ts'

const longestKey = 255

export type Repeatable = { endpoint: string; key: string | undefined; request: unknown }

/**
 * Makes a repeat of a call with the same `Idempotency-Key` answer what the first one answered. The key is claimed in the
 * call's own transaction: a concurrent twin waits for it, a failed call leaves no trace.
 */
export async function once<Result>(
  db: Db,
  actor: Actor,
  { call, work }: { call: Repeatable; work: () => Promise<Result> },
): Promise<Result> {
  const { endpoint, key } = call
  if (key === undefined) return work()
  if (key.length === 0 || key.length > longestKey)
    throw new Problem('bad_request', 'An Idempotency-Key has 1 to 255 characters')

  const request_hash = createHash('sha256')
    .update(JSON.stringify(call.request ?? null))
    .digest()
  const row = { organization_id: actor.organizationId, account_id: actor.accountId, endpoint, key }
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({ ...row, request_hash })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows === 0n) return answerOfTheFirst<Result>(db, { row, request_hash })

  const result = await work()
  await db
    .updateTable('idempotency_keys')
    .set({ status: 200, answer: sql`${JSON.stringify(result ?? null)}::jsonb` })
    .where((where) => where.and(row))
    .execute()
  return result
}

async function answerOfTheFirst<Result>(
  db: Db,
  {
    row,
    request_hash,
  }: { row: { organization_id: string; account_id: string; endpoint: string; key: string }; request_hash: Buffer },
): Promise<Result> {
  const first = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where((where) => where.and(row))
    .executeTakeFirst()
  if (!first) throw new Problem('conflict', 'The first call with this Idempotency-Key is still under way')
  if (!first.request_hash.equals(request_hash))
    throw new Problem('idempotency_mismatch', 'This Idempotency-Key was used for a different request')
  // What was stored is what `work` returned, by the same endpoint.
  return first.answer as Result
}
