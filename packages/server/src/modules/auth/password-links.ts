import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { newToken, sha256 } from '../../lib/ids.ts'

/** A single-use token for a password reset link; undefined for an account out of scope. */
export async function issuePasswordLink(
  db: Db,
  { accountId, validUntil }: { accountId: string; validUntil: Date },
): Promise<string | undefined> {
  const token = newToken()
  const { rows } = await sql<{ added: boolean }>`
    select add_password_link(${accountId}::uuid, ${sha256(token)}, ${validUntil}) as added`.execute(db)
  return rows[0]?.added ? token : undefined
}
