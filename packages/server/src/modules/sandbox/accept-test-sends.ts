import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { getChannel } from '../../channels/index.ts'
import { newId } from '../../lib/ids.ts'
import { withinField, type Problem } from '../../lib/problem.ts'
import { findNumberProblem, type RefuseByCost, type SingleAnswer, type SingleSend } from '../messages/index.ts'
import { enqueueTestEvents } from '../webhooks/index.ts'
import { answerTo, eventsOf, type TestAnswer, type TestMessage } from './events-of.ts'
import { findNextLeg } from './follow-legs.ts'

/** A message of a test key. Its sender may be one of the sandbox, which is not stored. */
export type TestSend = { send: SingleSend; senderName: string; legSenders: readonly string[] }

type Accepted = { message: TestMessage; answer: TestAnswer | undefined; followers: TestMessage[] }

/**
 * Accepts messages of test keys of one organization, which cost nothing: stores them, and queues the events that will occur. Service
 * windows count as open, and opt-outs are not recorded.
 */
export async function acceptTestSends(
  db: Db,
  sends: readonly TestSend[],
  { refuse, now }: { refuse: RefuseByCost; now: Date },
): Promise<SingleAnswer[]> {
  const problems = sends.map(({ send }) => findNumberProblem(send) ?? findLegProblem(send))
  const possible = sends.filter((_, index) => !problems[index])
  const refusals = await refuse(possible.map(() => 0))
  const refused = new Map(possible.map((send, index) => [send, refusals[index]]))
  const answers = sends.map((each, index): { accepted: Accepted } | { refused: Problem } => {
    const problem = problems[index] ?? refused.get(each)
    if (problem) return { refused: problem }
    const message = toTestMessage(each, { createdAt: now })
    return { accepted: { message, answer: answerTo(message), followers: findFollowers(message, each) } }
  })
  await store(
    db,
    sends.flatMap(({ send }, index) => {
      const answer = answers[index]
      if (!answer || 'refused' in answer) return []
      const { message, answer: text, followers } = answer.accepted
      return [{ message, answer: text, send }, ...followers.map((leg) => ({ message: leg, answer: undefined, send }))]
    }),
    now,
  )
  return answers.map((answer, index) => {
    if ('refused' in answer) return answer
    const { id, parts } = answer.accepted.message
    const legs = sends[index]?.send.legs ?? []
    return {
      accepted: { messageId: id, parts, cost: 0, legs: legs.map(({ send }) => ({ parts: partsOf(send), cost: 0 })) },
    }
  })
}

function findLegProblem({ legs = [] }: SingleSend): Problem | undefined {
  for (const [index, { send }] of legs.entries()) {
    const problem = findNumberProblem(send)
    if (problem) return withinField(problem, `legs.${index}`)
  }
  return undefined
}

const partsOf = ({ channel, text }: SingleSend) => getChannel(channel).countParts(text).parts

/** The legs that will be sent, each created when that happens. */
function findFollowers(first: TestMessage, { send, legSenders }: TestSend): TestMessage[] {
  const legs = (send.legs ?? []).map((leg, index) => ({ ...leg, senderName: legSenders[index] ?? '' }))
  const followers: TestMessage[] = []
  let last = first
  let begin = 0
  for (;;) {
    const later = legs.slice(begin)
    const next = findNextLeg(
      last,
      later.map(({ entrance }) => entrance),
    )
    const chosen = next && later[next.leg]
    if (!chosen || (send.expiresAt && next.at >= send.expiresAt)) return followers
    const { sendAt: _, ...sent } = chosen.send
    const leg = { legOf: first.id, enteredFor: next.reason }
    last = toTestMessage({ send: sent, senderName: chosen.senderName }, { createdAt: next.at, leg })
    followers.push(last)
    begin += next.leg + 1
  }
}

type Occasion = { createdAt: Date; leg?: TestMessage['leg'] }

function toTestMessage(
  { send, senderName }: Pick<TestSend, 'send' | 'senderName'>,
  { createdAt, leg }: Occasion,
): TestMessage {
  const { path, channel, senderId, header, phoneNumber = '', text, reference, metadata, sendAt } = send
  const phone = Number(phoneNumber.replace('+', ''))
  const parts = partsOf(send)
  const message = { id: send.id ?? newId(), path, channel, senderId, senderName, header, phone, text, parts, createdAt }
  return { ...message, reference, metadata, sendAt, leg }
}

type Stored = { message: TestMessage; answer: TestAnswer | undefined; send: SingleSend }

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
    leg_of: message.leg?.legOf,
    entered_for: message.leg?.enteredFor,
  }))
  await sql`
    insert into test_messages (organization_id, id, account_id, path, channel, sender_id, sender_name, header, phone, text, parts, reference,
      metadata, created_at, send_at, answer_id, answer, answer_at, delivery_ids, leg_of, entered_for)
    select organization_id, id, account_id, path, channel, sender_id, sender_name, header, phone, text, parts, reference,
      metadata, created_at, send_at, answer_id, answer, answer_at, delivery_ids, leg_of, entered_for
    from jsonb_populate_recordset(null::test_messages, ${JSON.stringify(rows)}::jsonb)`.execute(db)
}
