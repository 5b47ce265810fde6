import type pg from 'pg'
import { againOnCollision } from '../../../db/collisions.ts'
import type { SenderKey } from '../reports/reports.queries.ts'
import { inTransaction, numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'
import { openAndCharge } from './charge-replies.ts'
import { replyDays } from './reply-days.ts'

/** All transactions that may not have seen these replies have begun before this one. */
const stamp: Statement = {
  name: 'stamp-waiting-replies',
  text: `update waiting_replies set recheck_after = pg_snapshot_xmax(pg_current_snapshot()) where recheck_after is null`,
}

const isExpired = `created_at < now() - interval '${replyDays} days'`

const isDue = `((rechecked_at is null and recheck_after <= pg_snapshot_xmin(pg_current_snapshot())) or ${isExpired})`

/** Some of one sender. */
const take: Statement = {
  name: 'take-replies-to-recheck',
  text: `
  with first as (select organization_id, sender_id from waiting_replies where ${isDue} limit 1)
  select organization_id as "organizationId", sender_id as "senderId", phone, replied_at::text as "repliedAt"
  from waiting_replies join first using (organization_id, sender_id)
  where ${isDue}
  order by phone, replied_at
  limit 500
  for update of waiting_replies skip locked`,
}

/** Of those that still wait: an expired one had its last comparison. */
const finish: Statement = {
  name: 'finish-rechecked-replies',
  text: `
  with expired as (
    delete from waiting_replies using unnest($3::bigint[], $4::timestamptz[]) as taken (person, at)
    where organization_id = $1 and sender_id = $2 and phone = person and replied_at = at and ${isExpired}
  )
  update waiting_replies set rechecked_at = now()
  from unnest($3::bigint[], $4::timestamptz[]) as taken (person, at)
  where organization_id = $1 and sender_id = $2 and phone = person and replied_at = at and not (${isExpired})`,
}

type Waiting = SenderKey & { phone: number; repliedAt: string }

/**
 * Compares waiting replies with deliveries once more: after every transaction has ended that ran beside the one which stored
 * the reply, because neither saw the other; and before they expire, for deliveries reported later than the status they changed.
 */
export async function recheckReplies(pool: pg.Pool): Promise<void> {
  await run(pool, stamp, [])
  while ((await againOnCollision(() => inTransaction(pool, recheckSome))) > 0);
}

async function recheckSome(db: Queryable): Promise<number> {
  const waiting = await run<Waiting>(db, take, [])
  const [first] = waiting
  if (!first) return 0
  const phones = waiting.map(({ phone }) => phone)
  await openAndCharge(db, first, [...new Set(phones)])
  const { organizationId, senderId } = first
  const times = textArray(waiting.map(({ repliedAt }) => repliedAt))
  await run(db, finish, [organizationId, senderId, numberArray(phones), times])
  return waiting.length
}

/** Charged conversations are kept longer than replies may be late. */
export async function forgetConversations(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from charged_conversations where began_at < now() - interval '30 days'`)
}
