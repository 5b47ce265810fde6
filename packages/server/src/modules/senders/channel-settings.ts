import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** A setting of a channel for the whole installation. */
export async function findChannelSetting(db: Db, key: string): Promise<unknown> {
  const row = await db.selectFrom('system_state').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

export async function saveChannelSetting(db: Db, key: string, value: object): Promise<void> {
  await sql`insert into system_state (key, value) values (${key}, ${JSON.stringify(value)}::jsonb)
    on conflict (key) do update set value = excluded.value`.execute(db)
}
