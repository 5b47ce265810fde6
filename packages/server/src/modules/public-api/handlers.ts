import { PublicSend, type AcceptedMessage } from '@carillon/contract/public-message-records'
import type { publicMessageEndpoints } from '@carillon/contract/public-messages'
import type { z } from 'zod'
import type { UserActor } from '../../actor.ts'
import type { CallWithoutTransaction, Handlers } from '../../http/handlers.ts'
import { detailsOf } from '../../http/parse.ts'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'
import { findTooManyRecipients } from '../api-keys/index.ts'
import { getBalance, toRupees } from '../balance/index.ts'
import { cancelTestMessage, getTestMessage, listTestInbound, listTestMessages } from '../sandbox/index.ts'
import type { SendCall, CallAnswer, MessageAnswer } from './accept-calls.ts'
import { listInbound } from './list-inbound.ts'
import { cancelMessage, getMessage, listMessages } from './list-messages.ts'
import { listPublicTemplates } from './list-templates.ts'

type Deps = {
  accept(call: SendCall): Promise<CallAnswer>
  check(call: SendCall): Promise<MessageAnswer[]>
  clock: Clock
}
type Table = typeof publicMessageEndpoints

export function publicMessageHandlers({ accept, check, clock }: Deps): Handlers<Table> {
  return {
    'publicMessages.send': {
      async withoutTransaction(call) {
        const [answer] = await acceptAll(accept, call, { sends: [call.input.body], isSingle: true })
        if (!answer || answer instanceof Problem) throw answer ?? new Error('The message was not answered')
        return answer
      },
    },
    'publicMessages.check': {
      async withoutTransaction({ actor, scoped, input }) {
        const call = { actor, scoped, sends: [input.body], isSingle: true, repeatable: undefined }
        const [answer] = await check(call)
        if (!answer || answer instanceof Problem) throw answer ?? new Error('The message was not answered')
        const { id: _, status: __, ...checked } = answer
        return checked
      },
    },
    'publicMessages.sendMany': {
      async withoutTransaction(call) {
        const { messages } = call.input.body
        const tooMany = findTooManyRecipients(call.actor.apiKey?.config, messages.length)
        if (tooMany) throw tooMany
        const answers = await acceptAll(accept, call, { sends: messages.map(readSend), isSingle: false })
        const accepted = answers.filter((answer) => !(answer instanceof Problem)).length
        return { messages: answers.map(presentAnswer), accepted, refused: answers.length - accepted }
      },
    },
    'publicMessages.list': ({ db, actor, input }) => {
      const { to, since, cursor, limit, reference } = input.query
      const page = { cursor, limit, reference, ...filterOf(to, since) }
      return isTest(actor)
        ? listTestMessages(db, { scope: actor.scope, now: clock.now(), page })
        : listMessages(db, actor.scope, page)
    },
    'publicMessages.get': ({ db, actor, input }) => {
      const { id } = input.path
      return isTest(actor)
        ? getTestMessage(db, { scope: actor.scope, id, now: clock.now() })
        : getMessage(db, { scope: actor.scope, id })
    },
    'publicMessages.cancel': ({ db, actor, input }) => {
      const { id } = input.path
      return isTest(actor)
        ? cancelTestMessage(db, { scope: actor.scope, id, now: clock.now() })
        : cancelMessage(db, { scope: actor.scope, id })
    },
    'publicInbound.list': ({ db, actor, input }) => {
      const { from, since, cursor, limit } = input.query
      const page = { cursor, limit, ...filterOf(from, since) }
      return isTest(actor)
        ? listTestInbound(db, { scope: actor.scope, now: clock.now(), page })
        : listInbound(db, actor, page)
    },
    'publicTemplates.list': ({ db, actor, input }) => {
      const { channel, cursor, limit } = input.query
      return listPublicTemplates(db, { organizationId: actor.organizationId, channel, cursor, limit })
    },
    'publicBalance.get': async ({ db, actor: { organizationId, accountId } }) => {
      const { posted, available } = await getBalance(db, { organizationId, accountId })
      return { balance: toRupees(posted), available: toRupees(available), currency: 'INR' }
    },
  }
}

/** Calls of test keys concern the messages of test keys only, and those of live keys the others. */
const isTest = ({ apiKey }: UserActor) => apiKey?.environment === 'test'

function filterOf(number: string | undefined, since: string | undefined) {
  return {
    phone: number === undefined ? undefined : Number(number),
    since: since === undefined ? undefined : new Date(since),
  }
}

type Called = CallWithoutTransaction<Table['publicMessages.send'] | Table['publicMessages.sendMany']>

async function acceptAll(
  accept: Deps['accept'],
  { actor, repeatable, scoped, noteReplay }: Pick<Called, 'actor' | 'repeatable' | 'scoped' | 'noteReplay'>,
  { sends, isSingle }: Pick<SendCall, 'sends' | 'isSingle'>,
): Promise<MessageAnswer[]> {
  const { messages, isReplay } = await accept({ actor, sends, repeatable, isSingle, scoped })
  if (isReplay) noteReplay()
  return messages
}

/** A message of a batch: what is wrong with one refuses only that one. */
function readSend(message: unknown): PublicSend | Problem {
  const read = PublicSend.safeParse(message)
  return read.success ? read.data : problemOf(read.error)
}

function problemOf({ issues }: z.ZodError): Problem {
  const details = issues.slice(0, 20).flatMap(detailsOf)
  const named = details.map(({ field, message }) => ({ field: field || 'message', message }))
  return new Problem('bad_request', named[0]?.message ?? 'Invalid', { details: named })
}

function presentAnswer(answer: MessageAnswer): { accepted: AcceptedMessage } | { refused: Refused } {
  if (!(answer instanceof Problem)) return { accepted: answer }
  const { code, message, details } = answer
  return { refused: { code, message, ...(details ? { details } : {}) } }
}

type Refused = { code: Problem['code']; message: string; details?: NonNullable<Problem['details']> }
