import type pg from 'pg'
import { run, type Statement } from '../statements.ts'

const most = 10_000

const forget: Statement = {
  name: 'forget-client-ids',
  text: `
  delete from reply_client_ids where ctid = any(array(
    select ctid from reply_client_ids where created_on < current_date - $1::int limit ${most}))
  returning 1 as forgotten`,
}

/** Client ids are kept as long as their messages. */
export async function forgetClientIds(pool: pg.Pool, keepDays: number): Promise<void> {
  while ((await run(pool, forget, [keepDays])).length === most);
}
