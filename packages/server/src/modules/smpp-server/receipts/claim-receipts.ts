import { sql } from 'kysely'
import { asSystem, eachAsSystem, type Database } from '../../../db/pool.ts'
import type { CredentialKey } from '../secrets.ts'

export type ClaimedReceipt = { id: string; body: Buffer }

/** Longer than a session may take to answer. */
const leaseSeconds = 60
const longestDelaySeconds = 600

const isDue = sql`due_at <= now() and (leased_until is null or leased_until <= now()) and expires_at > now()`

/** The credentials, of those given, that have receipts to send. */
export async function findDueCredentials(database: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await eachAsSystem(database, (db) =>
    sql<{ id: string }>`
      select asked.id from unnest(${[...ids]}::uuid[]) as asked (id)
      where exists (select from smpp_receipts where credential_id = asked.id and ${isDue})`.execute(db),
  )
  return rows.map(({ id }) => id)
}

/** Takes receipts for a session of this process. If it dies, another process takes them after a while. */
export async function claimReceipts(
  database: Database,
  { organizationId, id }: CredentialKey,
  limit: number,
): Promise<ClaimedReceipt[]> {
  const { rows } = await asSystem(database, (db) =>
    sql<ClaimedReceipt & { due_at: Date }>`
      update smpp_receipts receipt set leased_until = now() + ${sql.lit(leaseSeconds)} * interval '1 second',
        attempts = least(attempts + 1, 1000)
      where organization_id = ${organizationId}::uuid and credential_id = ${id}::uuid and receipt.id in (
        select due.id from smpp_receipts due where due.organization_id = ${organizationId}::uuid and due.credential_id = ${id}::uuid and ${isDue}
        order by due.due_at, due.id limit ${limit} for update skip locked)
      returning receipt.id, body, due_at`.execute(db),
  )
  return rows.toSorted((one, other) => one.due_at.getTime() - other.due_at.getTime() || (one.id < other.id ? -1 : 1))
}

export type ReceiptKey = { credential: CredentialKey; receiptId: string }

const arraysOf = (
  keys: readonly ReceiptKey[],
) => sql`unnest(${keys.map(({ credential }) => credential.organizationId)}::uuid[],
  ${keys.map(({ credential }) => credential.id)}::uuid[], ${keys.map(({ receiptId }) => receiptId)}::uuid[])
  as done (organization_id, credential_id, id)`

const isDone = sql`receipt.organization_id = done.organization_id and receipt.credential_id = done.credential_id and receipt.id = done.id`

export async function deleteReceipts(database: Database, keys: readonly ReceiptKey[]): Promise<void> {
  await asSystem(database, (db) =>
    sql`delete from smpp_receipts receipt using ${arraysOf(keys)} where ${isDone}`.execute(db),
  )
}

/** They are sent again: at once if their session ended, later if it refused them. */
export async function releaseReceipts(
  database: Database,
  keys: readonly ReceiptKey[],
  { isRefused }: { isRefused: boolean },
): Promise<void> {
  if (keys.length === 0) return
  const delay = sql`least(power(2, least(attempts, 10)) * 5, ${sql.lit(longestDelaySeconds)}) * interval '1 second'`
  await asSystem(database, (db) =>
    sql`update smpp_receipts receipt set leased_until = null, due_at = ${isRefused ? sql`now() + ${delay}` : sql`due_at`}
      from ${arraysOf(keys)} where ${isDone}`.execute(db),
  )
}
