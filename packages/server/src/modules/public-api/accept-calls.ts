import type { AcceptedMessage } from '@carillon/contract/public-message-records'
import type { UserActor } from '../../actor.ts'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { claimKeys, freeKeys, storeAnswers, type Repeatable } from '../../http/idempotency.ts'
import type { Clock } from '../../lib/clock.ts'
import { coalesce } from '../../lib/coalesce.ts'
import { failPoint } from '../../lib/fail-points.ts'
import { Problem } from '../../lib/problem.ts'
import { countSends } from '../api-keys/index.ts'
import { toRupees } from '../balance/index.ts'
import { acceptSingles, type AcceptedSingle, type RefuseByCost } from '../messages/index.ts'
import { acceptTestSends } from '../sandbox/index.ts'
import { composeSends, type ComposedSend, type ConfiguredSend } from './compose-sends.ts'
import { inPublicTerms } from './in-public-terms.ts'

/** One call with one or many messages. Messages whose input is invalid are given as their problem. */
export type SendCall = {
  actor: UserActor
  sends: readonly (ConfiguredSend | Problem)[]
  /** The call for its `Idempotency-Key`, if it has one. */
  repeatable: Repeatable | undefined
  /** Its only message was refused: nothing is stored, and a repeat is a new call. */
  isSingle: boolean
  scoped: RunTransaction
}

export type MessageAnswer = AcceptedMessage | Problem

/** An answer for each message, or the problem of the whole call. */
export type CallAnswer = { messages: MessageAnswer[]; isReplay: boolean }

/** How long a call waits for others of the same account and key, and how many messages are accepted together. */
const together = { size: 1000, waitMs: 10, quietMs: 2 }

export type SendDeps = { publicUrl(): string; clock: Clock }

type GroupDeps<Call extends SendCall> = SendDeps & {
  /** Stores what else belongs to new messages, in the transaction that accepts them. */
  afterAccepting?(db: Db, answers: ReadonlyMap<Call, MessageAnswer[]>): Promise<void>
}

type Context = { publicUrl: string; now: Date }

type Waiting<Call extends SendCall> = { call: Call; answer: CallAnswer | Problem | undefined }

/**
 * Accepts calls of an account and key that arrive within milliseconds in one transaction, each under its own `Idempotency-Key`. A call is answered
 * after the commit.
 */
export function createSendCalls<Call extends SendCall = SendCall>(
  deps: GroupDeps<Call>,
): (call: Call) => Promise<CallAnswer> {
  const callers = new Map<string, (entries: readonly Waiting<Call>[]) => Promise<void>>()
  return async (call) => {
    const { accountId, apiKey } = call.actor
    const caller = `${accountId} ${apiKey?.id ?? ''}`
    let add = callers.get(caller)
    if (!add) {
      add = coalesce<Waiting<Call>>((waiting) => answerAll(deps, waiting), together)
      callers.set(caller, add)
    }
    const waiting: Waiting<Call> = { call, answer: undefined }
    await add([waiting])
    const { answer } = waiting
    if (answer === undefined) throw new Error('The call was not answered')
    if (answer instanceof Problem) throw answer
    return answer
  }
}

class RolledBack extends Error {}

/** Accepts the messages in a transaction that is rolled back, so every rule of accepting them applies. */
export async function checkCall({ publicUrl, clock }: SendDeps, call: SendCall): Promise<MessageAnswer[]> {
  const context = { publicUrl: publicUrl(), now: clock.now() }
  let answers: MessageAnswer[] = []
  try {
    await call.scoped(async (db) => {
      answers = (await acceptAll(db, context, [call])).get(call) ?? []
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  return answers
}

async function answerAll<Call extends SendCall>(
  deps: GroupDeps<Call>,
  waiting: readonly Waiting<Call>[],
): Promise<void> {
  const [first] = waiting
  if (!first) return
  // A retried transaction answers again.
  const context = { publicUrl: deps.publicUrl(), now: deps.clock.now() }
  const answers = await first.call.scoped(async (db) => {
    const answered = await answerCalls(db, { ...deps, ...context }, waiting)
    failPoint('accept-before-commit')
    return answered
  })
  failPoint('accept-after-commit')
  for (const [index, each] of waiting.entries()) each.answer = answers[index]
}

async function answerCalls<Call extends SendCall>(
  db: Db,
  context: Context & Omit<GroupDeps<Call>, 'publicUrl'>,
  waiting: readonly Waiting<Call>[],
): Promise<(CallAnswer | Problem)[]> {
  const calls = waiting.map(({ call }) => call)
  const claims = await claimKeys(
    db,
    calls.map(({ repeatable }) => repeatable),
  )
  const isNew = calls.map((_, index) => claims[index]?.kind === 'new')
  const news = calls.filter((_, index) => isNew[index])
  const accepted = await acceptAll(db, context, news)
  await context.afterAccepting?.(db, accepted)
  const answers = calls.map((call, index): CallAnswer | Problem => {
    const claim = claims[index]
    if (claim?.kind === 'refused') return claim.problem
    if (claim?.kind === 'answered') return { messages: readStored(claim.answer), isReplay: true }
    return { messages: accepted.get(call) ?? [], isReplay: false }
  })
  await keep(db, calls, { answers, isNew })
  return calls.map((_, index) => {
    const claim = claims[index]
    // The same key twice at once: the later call gets the answer of the earlier one.
    const answer = claim?.kind === 'twin' ? answers[claim.of] : answers[index]
    if (!answer) throw new Error('A call without an answer')
    return claim?.kind === 'twin' && !(answer instanceof Problem) ? { ...answer, isReplay: true } : answer
  })
}

/** The answers of each call, in the order of its messages. */
async function acceptAll<Call extends SendCall>(
  db: Db,
  { publicUrl, now }: Context,
  calls: readonly Call[],
): Promise<ReadonlyMap<Call, MessageAnswer[]>> {
  const actor = calls[0]?.actor
  if (!actor) return new Map()
  const valid = calls.flatMap(({ sends }) => sends.flatMap((send) => (send instanceof Problem ? [] : [send])))
  const composed = await composeSends(db, { actor, publicUrl }, valid)
  const sendable = composed.flatMap((one) => (one instanceof Problem ? [] : [one]))
  const refuse: RefuseByCost = (costs) => countSends(db, actor, costs)
  const results =
    actor.apiKey?.environment === 'test'
      ? await acceptTestSends(db, sendable, { refuse, now })
      : await acceptSingles(
          db,
          sendable.map(({ send }) => send),
          refuse,
        )
  const answerOf = new Map<ComposedSend, MessageAnswer>(
    sendable.map((one, index) => {
      const result = results[index]
      if (!result) throw new Error('A message without an answer')
      return [one, 'refused' in result ? inPublicTerms(result.refused) : present(one, result.accepted)]
    }),
  )
  let next = 0
  return new Map(
    calls.map((call) => [
      call,
      call.sends.map((send): MessageAnswer => {
        if (send instanceof Problem) return send
        const one = composed[next]
        next += 1
        if (!one) throw new Error('A message was not composed')
        return one instanceof Problem ? one : (answerOf.get(one) ?? new Problem('unavailable', 'Try again'))
      }),
    ]),
  )
}

function present(
  { send, senderName, legSenders }: ComposedSend,
  { messageId, parts, cost, legs }: AcceptedSingle,
): AcceptedMessage {
  const { phoneNumber = '', channel, senderId, reference, sendAt } = send
  return {
    id: messageId,
    status: sendAt === undefined ? 'queued' : 'scheduled',
    to: phoneNumber,
    channel,
    from: { _id: senderId, name: senderName },
    parts,
    cost: toRupees(cost),
    ...(send.legs && {
      legs: send.legs.map((leg, index) => ({
        channel: leg.send.channel,
        from: { _id: leg.send.senderId, name: legSenders[index] ?? '' },
        parts: legs[index]?.parts ?? 1,
        cost: toRupees(legs[index]?.cost ?? 0),
      })),
    }),
    ...(reference === undefined ? {} : { reference }),
    ...(sendAt === undefined ? {} : { sendAt: sendAt.toISOString() }),
  }
}

type Answered = { answers: readonly (CallAnswer | Problem)[]; isNew: readonly boolean[] }

/** Stores the answers of new calls under their keys. A call whose only message was refused leaves no key behind. */
async function keep(db: Db, calls: readonly SendCall[], { answers, isNew }: Answered): Promise<void> {
  const done: { call: Repeatable; answer: unknown }[] = []
  const failed: Repeatable[] = []
  for (const [index, { repeatable, isSingle }] of calls.entries()) {
    const answer = answers[index]
    if (!repeatable || !isNew[index] || !answer || answer instanceof Problem) continue
    if (isSingle && answer.messages.some((message) => message instanceof Problem)) failed.push(repeatable)
    else done.push({ call: repeatable, answer: answer.messages.map(writeStored) })
  }
  await storeAnswers(db, done)
  await freeKeys(db, failed)
}

type Stored =
  | { accepted: AcceptedMessage }
  | { refused: { code: Problem['code']; message: string; details?: Problem['details'] } }

function writeStored(answer: MessageAnswer): Stored {
  if (!(answer instanceof Problem)) return { accepted: answer }
  const { code, message, details } = answer
  return { refused: { code, message, details } }
}

function readStored(stored: unknown): MessageAnswer[] {
  // Written by `writeStored`.
  return (stored as Stored[]).map((one) =>
    'accepted' in one
      ? one.accepted
      : new Problem(one.refused.code, one.refused.message, one.refused.details ? { details: one.refused.details } : {}),
  )
}
