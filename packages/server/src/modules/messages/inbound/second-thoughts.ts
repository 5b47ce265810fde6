import type { InboundMessage } from '../../../channels/provider.ts'
import type { StoredInbound } from './stored-inbound.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'

type ReceivedMessage = Pick<StoredInbound, 'organizationId' | 'senderId' | 'id' | 'phone' | 'at' | 'request'> & {
  message: InboundMessage
}
type Last = { id: string; dedupeKey: string }

const findLast: Statement = {
  name: 'find-last-inbound',
  text: `
  select asked.sender_id as "senderId", asked.phone, last.id, last.dedupe_key as "dedupeKey"
  from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as asked (organization_id, sender_id, phone)
  cross join lateral (
    select id, dedupe_key from inbound_messages
    where organization_id = asked.organization_id and sender_id = asked.sender_id and phone = asked.phone
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
  received: readonly Message[],
): Promise<Message[]> {
  const inOrder = received.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const asked = inOrder.filter((one) => isKeywordWithoutId(one) && one.phone !== undefined)
  if (asked.length === 0) return inOrder
  const rows = await run<Last & Author>(db, findLast, [
    textArray(asked.map(({ organizationId }) => organizationId)),
    textArray(asked.map(({ senderId }) => senderId)),
    numberArray(asked.map(({ phone }) => phone)),
  ])
  const last = new Map<string, Last>(rows.map((row) => [authorOf(row), row]))
  return inOrder.map((one) => {
    const before = last.get(authorOf(one))
    const dedupeKey = isKeywordWithoutId(one) ? keyBehind(one.message.dedupeKey, before) : one.message.dedupeKey
    if (before?.dedupeKey !== dedupeKey) last.set(authorOf(one), { id: one.id, dedupeKey })
    return { ...one, message: { ...one.message, dedupeKey } }
  })
}

type Author = { senderId: string; phone: number | undefined }

const authorOf = ({ senderId, phone }: Author) => `${senderId}:${phone}`

function isKeywordWithoutId({ request, message }: ReceivedMessage): boolean {
  return request !== undefined && message.isNameless === true
}

function keyBehind(words: string, before: Last | undefined): string {
  if (!before) return words
  const isRepeat = before.dedupeKey === words || before.dedupeKey.startsWith(words + behind)
  return isRepeat ? before.dedupeKey : words + behind + before.id
}
