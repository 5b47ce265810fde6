import type { Account } from './builders.ts'
import type { TestServer } from './server.ts'

/** The address of an account, in lower case. */
export async function emailOf({ database }: Pick<TestServer, 'database'>, { id }: Account): Promise<string> {
  const { rows } = await database.ownerPool.query<{ email: string }>(
    'select lower(email) as email from accounts where id = $1',
    [id],
  )
  return rows[0]?.email ?? ''
}
