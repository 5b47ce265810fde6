import type { InboundMessage } from '../../../channels/provider.ts'
import type { SenderKey } from '../reports/reports.queries.ts'
import type { StoredInbound } from './stored-inbound.ts'
import { numberArray, run, type Queryable, type Statement } from '../statements.ts'

type ReceivedMessage = Pick<StoredInbound, 'id' | 'phone' | 'at' | 'request'> & { message: InboundMessage }
type Last = { id: string; dedupeKey: string }

const findLast: Statement = {
  name: 'find-last-inbound',
  text: `
  select asked.phone, last.id, last.dedupe_key as "dedupeKey"
  from unnest($3::bigint[]) as asked (phone)
  cross join lateral (
    select id, dedupe_key from inbound_messages
    where organization_id = $1 and sender_id = $2 and phone = asked.phone
    order by received_at desc, id desc limit 1
  ) last`,
}

/** A separator that occurs in no hash and no generated id. */
const behind = ' after '

/**
 * If the provider gives no id, a repeated keyword looks like a redelivery. It is one only if nothing else was received in
 * between: stop, start, stop means stop. The key of such a keyword includes the message before it, so that two processes that
 * receive the same one store it once.
 */
export async function markRepeats<Message extends ReceivedMessage>(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  received: readonly Message[],
): Promise<Message[]> {
  const inOrder = received.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const phones = new Set(
    inOrder.flatMap((one) => (isKeywordWithoutId(one) && one.phone !== undefined ? [one.phone] : [])),
  )
  if (phones.size === 0) return inOrder
  const rows = await run<Last & { phone: number }>(db, findLast, [organizationId, senderId, numberArray([...phones])])
  const last = new Map<number | undefined, Last>(rows.map((row) => [row.phone, row]))
  return inOrder.map((one) => {
    const before = last.get(one.phone)
    const dedupeKey = isKeywordWithoutId(one) ? keyBehind(one.message.dedupeKey, before) : one.message.dedupeKey
    if (before?.dedupeKey !== dedupeKey) last.set(one.phone, { id: one.id, dedupeKey })
    return { ...one, message: { ...one.message, dedupeKey } }
  })
}

function isKeywordWithoutId({ request, message }: ReceivedMessage): boolean {
  return request !== undefined && message.isNameless === true
}

function keyBehind(words: string, before: Last | undefined): string {
  if (!before) return words
  const isRepeat = before.dedupeKey === words || before.dedupeKey.startsWith(words + behind)
  return isRepeat ? before.dedupeKey : words + behind + before.id
}
