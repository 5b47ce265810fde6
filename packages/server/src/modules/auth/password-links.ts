import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { newToken, sha256 } from '../../lib/ids.ts'

/** A token for a link that sets the account's password, once; undefined for an account outside the scope. */
export async function issuePasswordLink(
  db: Db,
  { accountId, validUntil }: { accountId: string; validUntil: Date },
): Promise<string | undefined> {
  const token = newToken()
  const { rows } = await sql<{ added: boolean }>`
    select add_password_link(${accountId}::uuid, ${sha256(token)}, ${validUntil}) as added`.execute(db)
  return rows[0]?.added ? token : undefined
}
