import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProviderEvent } from '../../../channels/provider.ts'
import { asSystem } from '../../../db/pool.ts'
import { buildAdmin, buildManager, buildReseller } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { checkInvariants } from '../../balance/index.ts'
import { recheckReplies } from './recheck-replies.ts'
import {
  addConversationRate,
  begunWith,
  buildConversational,
  hour,
  receiverOf,
  replyOf,
  reportOf,
  sendCampaign,
} from './test-conversations.ts'
import { findMismatches } from '../test-proof.ts'

const price = 6500
const runs = 60
const day = 24 * hour

let opened: TestDatabase
let senderId: string
/** By campaign and recipient. */
let ids: string[][]
let receive: ReturnType<typeof receiverOf>
/** Each run has a person of its own. */
let seq = -1

beforeAll(async () => {
  opened = await testDatabase({ app: 4, system: 12, owner: 3 })
  const admin = await buildAdmin(opened.database)
  const reseller = await buildReseller(opened.database, { parent: admin })
  const manager = await buildManager(opened.database, { parent: reseller })
  await addConversationRate(opened.database, reseller, { message: 500, conversation: 4000 })
  await addConversationRate(opened.database, manager, { message: 1000, conversation: price })
  senderId = await buildConversational(opened.database, manager)
  const send = () => sendCampaign(opened, { owner: manager, senderId, total: 3 * runs, price: 10_000 })
  ids = [await send(), await send(), await send()]
  receive = receiverOf(opened.database, manager, senderId)
})
afterAll(async () => {
  expect(await findMismatches(opened.database)).toEqual([])
  await opened.drop()
})

/** Hours after the first; 24 and 48 are exact edges. */
const hours = fc.oneof(fc.integer({ min: 0, max: 80 }), fc.constantFrom(0, 24, 48, 72))
/** When each of up to three messages was delivered, and when the person wrote. */
const histories = fc.record({
  deliveries: fc.uniqueArray(hours, { minLength: 0, maxLength: 3 }),
  replies: fc.uniqueArray(hours, { minLength: 1, maxLength: 5 }),
})
type History = { deliveries: number[]; replies: number[] }

const start = Math.floor(Date.now() / 1000) * 1000 - 5 * day

type Step = { at: number; event: ProviderEvent; isReply: boolean }

function stepsOf({ deliveries, replies }: History): Step[] {
  const instant = (hoursAfter: number) => start + hoursAfter * hour
  return [
    ...deliveries.map((after, campaign) => ({
      at: instant(after),
      event: reportOf(ids[campaign]?.[seq] ?? '', new Date(instant(after))),
      isReply: false,
    })),
    ...replies.map((after) => ({ at: instant(after), event: replyOf(seq, new Date(instant(after))), isReply: true })),
  ]
}

/** A message that arrives at the instant of a reply is replied to. */
const inOrder = (steps: readonly Step[]) =>
  steps.toSorted((one, other) => one.at - other.at || Number(one.isReply) - Number(other.isReply))

/** When conversations begin if everything becomes known in order. */
function expectBeginnings(steps: readonly Step[]): number[] {
  const begun: number[] = []
  const delivered: number[] = []
  let waiting: number[] = []
  const isWithin = (reply: number) => begun.some((began) => Math.abs(reply - began) < day)
  for (const { at, isReply } of inOrder(steps)) {
    if (!isReply) {
      delivered.push(at)
      if (waiting.some((reply) => at - reply < day)) begun.push(at)
    } else if (!isWithin(at)) {
      if (delivered.some((earlier) => at - earlier < day)) begun.push(at)
      else waiting.push(at)
    }
    waiting = waiting.filter((reply) => !isWithin(reply))
  }
  return begun
}

const begun = async () => (await begunWith(opened.database, senderId, seq)).map((at) => at.getTime())

async function settle(): Promise<void> {
  const { systemPool } = opened.database
  await until(async () => {
    await recheckReplies(systemPool)
    const { rowCount } = await systemPool.query('select from waiting_replies where rechecked_at is null')
    return rowCount === 0
  }, 'the comparison')
}

/** What is charged equals the conversations, person by person and in the ledger. */
async function expectCharged(): Promise<void> {
  const { rows } = await opened.database.systemPool.query(
    `select (select count(*) from charged_conversations where sender_id = $1)::int as conversations,
      (select coalesce(sum(conversations), 0) from conversation_charges where sender_id = $1)::int as counted,
      (select coalesce(sum(amount), 0) from ledger_entries where op_key ~ '^conversation:[^:]+$')::int as charged`,
    [senderId],
  )
  const [{ conversations }] = rows
  expect(rows).toEqual([{ conversations, counted: conversations, charged: conversations * price }])
}

test('in order, one conversation for a person and a day', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      seq += 1
      const steps = stepsOf(history)
      for (const { event } of inOrder(steps)) await receive(event)
      expect(await begun()).toEqual(expectBeginnings(steps))
    }),
    // Each run needs a person, so a failure is not shrunk.
    { numRuns: runs, endOnFailure: true },
  )
  await expectCharged()
})

/** A history in any order, with repeats, in batches that two processes receive at the same time. */
const shuffled = histories.chain((history) => {
  const count = history.deliveries.length + history.replies.length
  const step = fc.integer({ min: 0, max: count - 1 })
  return fc.record({
    history: fc.constant(history),
    order: fc.shuffledSubarray([...Array(count).keys()], { minLength: count }),
    repeats: fc.array(step, { maxLength: 3 }),
    batch: fc.integer({ min: 1, max: 3 }),
    other: fc.array(step, { maxLength: 4 }),
  })
})

test('in any order, repeated and by two processes, none is charged twice and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(shuffled, async ({ history, order, repeats, batch, other }) => {
      seq += 1
      const steps = stepsOf(history)
      const eventsAt = (indexes: readonly number[]) => indexes.flatMap((index) => steps[index]?.event ?? [])
      const events = eventsAt([...order, ...repeats])
      const process = async () => {
        for (let from = 0; from < events.length; from += batch) await receive(...events.slice(from, from + batch))
      }
      await Promise.all([process(), receive(...eventsAt(other)), receive(...eventsAt(other.toReversed()))])
      await settle()
      const began = await begun()
      await receive(...events)
      await settle()
      expect(await begun()).toEqual(began)
      expectRules(steps, began)
    }),
    { numRuns: 2 * runs, endOnFailure: true },
  )
  await expectCharged()
  expect(await asSystem(opened.database, checkInvariants)).toEqual([])
}, 120_000)

function expectRules(steps: readonly Step[], began: readonly number[]): void {
  const replies = steps.filter(({ isReply }) => isReply).map(({ at }) => at)
  const deliveries = steps.filter(({ isReply }) => !isReply).map(({ at }) => at)
  const pairs = replies.flatMap((reply) =>
    deliveries
      .filter((at) => Math.abs(at - reply) < day)
      .map((delivered) => ({ reply, beginning: Math.max(delivered, reply) })),
  )
  for (const [index, at] of began.entries()) {
    expect(pairs.map(({ beginning }) => beginning)).toContain(at)
    expect(at - (began[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(day)
  }
  // Every reply to a message, or to which one was sent, is in a conversation or would open one that overlaps another.
  for (const { reply, beginning } of pairs)
    expect(began.some((at) => Math.abs(at - reply) < day || Math.abs(at - beginning) < day)).toBe(true)
}
