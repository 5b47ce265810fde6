import type { UserActor } from '../../../actor.ts'
import { asSystem, type Database } from '../../../db/pool.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Logger } from '../../../lib/logger.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Place } from '../../../lib/smpp/parts.ts'
import { statuses } from '../../../lib/smpp/statuses.ts'
import type { CredentialKey } from '../secrets.ts'
import type { AcceptSubmit, WholeMessage } from './accept-submits.ts'
import { dropPart, failLong, storePart } from './long-messages.ts'
import { readSubmit, type Submit } from './read-submit.ts'
import { statusOf } from './refusal-status.ts'

export type SubmitAnswer = { status: number; messageId?: string }

export type SubmitDeps = {
  database: Database
  clock: Clock
  logger: Logger
  accept: AcceptSubmit
  /** Whether there is enough space on the disk to accept messages. */
  hasRoom(): Promise<boolean>
}

type Submitting = {
  credential: CredentialKey
  actor: UserActor
  body: Buffer
}

/** The response of a submit_sm. It is sent after the message, or the part of a long one, was stored. Never rejects. */
export async function answerSubmit(deps: SubmitDeps, { credential, actor, body }: Submitting): Promise<SubmitAnswer> {
  const submit = readSubmit(body, deps.clock.now())
  if (typeof submit === 'number') return { status: submit }
  try {
    if (!(await deps.hasRoom())) return { status: statuses.queueFull }
    const { place } = submit
    return place
      ? await acceptPart(deps, { credential, actor, submit: { ...submit, place } })
      : await acceptWhole(deps, { credential, actor, submit })
  } catch (error) {
    if (error instanceof Problem) return { status: statusOf(error) }
    deps.logger.error({ err: error }, 'a message submitted by SMPP could not be accepted')
    return { status: statuses.systemError }
  }
}

type Accepting = { credential: CredentialKey; actor: UserActor; submit: Submit }

async function acceptWhole({ accept, clock }: SubmitDeps, { credential, actor, submit }: Accepting) {
  const { message, octets, registered } = submit
  const id = newId()
  await accept(actor, {
    id,
    credential,
    message,
    octets,
    parts: [{ id, registered }],
    submittedAt: clock.now(),
  })
  return { status: statuses.ok, messageId: id }
}

type AcceptingPart = Accepting & { submit: { place: Place } }

/** A part is answered once it is stored, because many clients send the next one only then. The last one is answered as the message. */
async function acceptPart({ database, accept }: SubmitDeps, { credential, actor, submit }: AcceptingPart) {
  const { id, whole } = await storePart(database, { credential, submit })
  if (whole) {
    try {
      await accept(actor, whole)
    } catch (error) {
      if (error instanceof Problem) await settleRefused(database, { error, whole, id, number: submit.place.number })
      throw error
    }
  }
  return { status: statuses.ok, messageId: id }
}

type Refused = { error: Problem; whole: WholeMessage; id: string; number: number }

/** A part that was only throttled can be submitted again; then the message is complete. */
async function settleRefused(database: Database, { error, whole, id, number }: Refused): Promise<void> {
  await asSystem(database, (db) =>
    error.code === 'too_many_requests'
      ? dropPart(db, whole, number)
      : failLong(db, whole, { reason: 'bad_request', refused: id }),
  )
}
