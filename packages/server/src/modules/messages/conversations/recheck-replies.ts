import type pg from 'pg'
import { againOnCollision } from '../../../db/collisions.ts'
import { inTransaction, run, type Statement } from '../statements.ts'
import { openAndCharge, replyDays } from './answer-replies.ts'

/** All transactions that may not have seen these replies have begun before this one. */
const stamp: Statement = {
  name: 'stamp-waiting-replies',
  text: `update waiting_replies set recheck_after = pg_snapshot_xmax(pg_current_snapshot()) where recheck_after is null`,
}

const isExpired = `created_at < now() - interval '${replyDays} days'`

const take: Statement = {
  name: 'take-replies-to-recheck',
  text: `
  select organization_id as "organizationId", sender_id as "senderId", phone, replied_at as "repliedAt"
  from waiting_replies
  where (rechecked_at is null and recheck_after <= pg_snapshot_xmin(pg_current_snapshot())) or ${isExpired}
  order by organization_id, sender_id, phone, replied_at
  limit 500
  for update skip locked`,
}

const finish: Statement = {
  name: 'finish-rechecked-replies',
  text: `
  with expired as (
    delete from waiting_replies where organization_id = $1 and sender_id = $2 and phone = any($3::bigint[]) and ${isExpired}
  )
  update waiting_replies set rechecked_at = now()
  where organization_id = $1 and sender_id = $2 and phone = any($3::bigint[]) and rechecked_at is null
    and recheck_after <= pg_snapshot_xmin(pg_current_snapshot()) and not (${isExpired})`,
}
