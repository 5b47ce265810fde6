import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { getChannel } from '../../channels/index.ts'
import { newId } from '../../lib/ids.ts'
import type { Problem } from '../../lib/problem.ts'
import { findNumberProblem, type RefuseByCost, type SingleAnswer, type SingleSend } from '../messages/index.ts'
import { enqueueTestEvents } from '../webhooks/index.ts'
import { answerTo, eventsOf, type TestAnswer, type TestMessage } from './events-of.ts'

/** A message of a test key. Its sender may be one of the sandbox, which is not stored. */
export type TestSend = { send: SingleSend; senderName: string }

type Accepted = { message: TestMessage; answer: TestAnswer | undefined }

/**
 * Accepts messages of test keys of one organization, which cost nothing: stores them, and queues the events that will occur. Service
 * windows count as open, and opt-outs are not recorded.
 */
export async function acceptTestSends(
  db: Db,
  sends: readonly TestSend[],
  { refuse, now }: { refuse: RefuseByCost; now: Date },
): Promise<SingleAnswer[]> {
  const problems = sends.map(({ send }) => findNumberProblem(send))
  const possible = sends.filter((_, index) => !problems[index])
  const refusals = await refuse(possible.map(() => 0))
  const refused = new Map(possible.map((send, index) => [send, refusals[index]]))
  const answers = sends.map((each, index): { accepted: Accepted } | { refused: Problem } => {
    const problem = problems[index] ?? refused.get(each)
    if (problem) return { refused: problem }
    const message = toTestMessage(each, now)
    return { accepted: { message, answer: answerTo(message) } }
  })
  await store(
    db,
    sends.flatMap(({ send }, index) => {
      const answer = answers[index]
      return answer && 'accepted' in answer ? [{ ...answer.accepted, send }] : []
    }),
    now,
  )
  return answers.map((answer) => {
    if ('refused' in answer) return answer
    const { id, parts } = answer.accepted.message
    return { accepted: { messageId: id, parts, cost: 0 } }
  })
}

function toTestMessage({ send, senderName }: TestSend, now: Date): TestMessage {
  const { path, channel, senderId, header, phoneNumber = '', text, reference, metadata, sendAt } = send
  const phone = Number(phoneNumber.replace('+', ''))
  const { parts } = getChannel(channel).countParts(text)
  const message = { id: newId(), path, channel, senderId, senderName, header, phone, text, parts, createdAt: now }
  return { ...message, reference, metadata, sendAt }
}

type Stored = Accepted & { send: SingleSend }

async function store(db: Db, accepted: readonly Stored[], now: Date): Promise<void> {
  const [first] = accepted
  if (!first) return
  const { organizationId } = first.send
  const deliveries = await enqueueTestEvents(db, {
    organizationId,
    objects: accepted.map(({ message, answer }) => ({ path: message.path, events: eventsOf(message, answer) })),
    now,
  })
  const rows = accepted.map(({ message, answer, send }, index) => ({
    organization_id: organizationId,
    id: message.id,
    account_id: send.accountId,
    path: message.path,
    channel: message.channel,
    sender_id: message.senderId,
    sender_name: message.senderName,
    header: message.header,
    phone: message.phone,
    text: message.text,
    parts: message.parts,
    reference: message.reference,
    metadata: message.metadata,
    created_at: message.createdAt,
    send_at: message.sendAt,
    answer_id: answer?.id,
    answer: answer?.text,
    answer_at: answer?.at,
    delivery_ids: deliveries[index] ?? [],
  }))
  await sql`
    insert into test_messages (organization_id, id, account_id, path, channel, sender_id, sender_name, header, phone, text, parts, reference,
      metadata, created_at, send_at, answer_id, answer, answer_at, delivery_ids)
    select organization_id, id, account_id, path, channel, sender_id, sender_name, header, phone, text, parts, reference,
      metadata, created_at, send_at, answer_id, answer, answer_at, delivery_ids
    from jsonb_populate_recordset(null::test_messages, ${JSON.stringify(rows)}::jsonb)`.execute(db)
}
