import { failPoint } from '../../../lib/fail-points.ts'
import { countryOf } from '../../../lib/phone.ts'
import type { SenderKey } from '../reports/reports.queries.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'
import { chargeBalances, passCharges } from './charge-conversations.ts'
import { openConversationsWith } from './open-conversations.ts'
import { replyDays } from './reply-days.ts'

/** Replies within a conversation belong to it. */
const wait: Statement = {
  name: 'keep-waiting-replies',
  text: `
  insert into waiting_replies (organization_id, sender_id, phone, replied_at, country)
  select $1, $2, phone, at, country from unnest($3::bigint[], $4::timestamptz[], $5::text[]) as reply (phone, at, country)
  where at > now() - interval '${replyDays} days' and not exists (
    select from charged_conversations open where open.organization_id = $1 and open.sender_id = $2 and open.phone = reply.phone
      and open.began_at > at - interval '24 hours' and open.began_at < at + interval '24 hours')
  order by phone, at
  on conflict do nothing
  returning phone`,
}

/**
 * Charges the conversations that replies to a sender open. Replies to which nothing was delivered yet wait: the delivery opens
 * the conversation.
 */
export async function chargeReplies(
  db: Queryable,
  key: SenderKey,
  replies: readonly { phone: number; at: Date }[],
): Promise<void> {
  if (replies.length === 0) return
  const waiting = await run<{ phone: number }>(db, wait, [
    key.organizationId,
    key.senderId,
    numberArray(replies.map(({ phone }) => phone)),
    textArray(replies.map(({ at }) => at.toISOString())),
    textArray(replies.map(({ phone }) => countryOf(phone))),
  ])
  if (waiting.length === 0) return
  await openAndCharge(
    db,
    key,
    waiting.map(({ phone }) => phone),
  )
}

/** Opens and charges the conversations of these people for which a message was delivered. */
export async function openAndCharge(db: Queryable, key: SenderKey, phones: readonly number[]): Promise<void> {
  const charges = await openConversationsWith(db, key, phones)
  if (charges.length === 0) return
  failPoint('conversation-opened')
  await chargeBalances(db, key.organizationId, charges)
  failPoint('conversation-charged')
  await passCharges(db, key.organizationId, charges)
}
