import { sql } from 'kysely'
import { inScope, type Database, type Db } from '../../../db/pool.ts'
import { againOnCollision } from '../../../db/collisions.ts'
import type { UserActor } from '../../../actor.ts'
import type { Clock } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { createSendCalls, type MessageAnswer, type SendCall } from '../../public-api/index.ts'
import { finalStepOf } from '../../sandbox/index.ts'
import { queueReceipts, type NewReceipts, type ReportedPart } from '../receipts/queue-receipts.ts'
import type { CredentialKey } from '../secrets.ts'
import type { SubmittedMessage } from './read-submit.ts'
import { toSend } from './to-send.ts'

export type WholeMessage = {
  /** Of the message, and of its first part. */
  id: string
  credential: CredentialKey
  message: SubmittedMessage
  octets: Buffer
  parts: readonly ReportedPart[]
  submittedAt: Date
}

type SmppCall = SendCall & { submitted: WholeMessage }

/** Accepts a message, or throws the problem that refuses it. Repeated with the same id, nothing happens twice. */
export type AcceptSubmit = (actor: UserActor, submitted: WholeMessage) => Promise<void>

type Deps = { database: Database; clock: Clock; publicUrl(): string }

/** Messages are accepted as by the public API, together with what their receipts need. */
export function createAcceptSubmit(deps: Deps): AcceptSubmit {
  const accept = createSendCalls<SmppCall>({ ...deps, afterAccepting: storeSubmitted })
  return async (actor, submitted) => {
    const send = toSend(actor, submitted)
    if (send instanceof Problem) throw send
    const isLong = submitted.parts.length > 1
    const { messages } = await accept({
      actor,
      sends: [send],
      isSingle: true,
      submitted,
      scoped: (work) => againOnCollision(() => inScope(deps.database, actor.scope, work)),
      // Only what is stored before it is accepted can be accepted a second time.
      repeatable: isLong
        ? { actor, endpoint: 'smpp', key: submitted.id, request: {}, answersSecret: false }
        : undefined,
    })
    const [answer] = messages
    if (!answer || answer instanceof Problem) throw answer ?? new Error('The message was not answered')
  }
}

async function storeSubmitted(db: Db, answers: ReadonlyMap<SmppCall, MessageAnswer[]>): Promise<void> {
  const accepted = [...answers].filter(([, [answer]]) => answer && !(answer instanceof Problem)).map(([call]) => call)
  await forgetLongMessages(db, accepted)
  const [isTest, isLive] = [true, false].map((wanted) =>
    accepted.filter(({ actor }) => (actor.apiKey?.environment === 'test') === wanted),
  )
  await storeMessages(db, isLive ?? [])
  await queueReceipts(db, (isTest ?? []).flatMap(testReceipts))
}

async function forgetLongMessages(db: Db, calls: readonly SmppCall[]): Promise<void> {
  const long = calls.map(({ submitted }) => submitted).filter(({ parts }) => parts.length > 1)
  if (long.length === 0) return
  await sql`delete from smpp_long_messages
    using unnest(${long.map(({ credential }) => credential.organizationId)}::uuid[], ${long.map(({ id }) => id)}::uuid[]) as whole (organization_id, id)
    where smpp_long_messages.organization_id = whole.organization_id and smpp_long_messages.id = whole.id`.execute(db)
}

/** Until their final status. */
async function storeMessages(db: Db, calls: readonly SmppCall[]): Promise<void> {
  const rows = calls.flatMap(({ submitted: { id, credential, message, parts, submittedAt } }) => {
    const reported = parts.filter(({ registered }) => registered !== 0)
    return reported.length === 0
      ? []
      : [
          {
            organization_id: credential.organizationId,
            message_id: id,
            credential_id: credential.id,
            source: message.source,
            destination: message.destination,
            parts: reported,
            submitted_at: submittedAt,
          },
        ]
  })
  if (rows.length === 0) return
  await sql`insert into smpp_messages (organization_id, message_id, credential_id, source, destination, parts, submitted_at)
    select organization_id, message_id, credential_id, source, destination, parts, submitted_at
    from jsonb_populate_recordset(null::smpp_messages, ${JSON.stringify(rows)}::jsonb)`.execute(db)
}

/** What a test key sends has its final status from the beginning. */
function testReceipts({ submitted, sends }: SmppCall): NewReceipts[] {
  const [send] = sends
  const step = send && !(send instanceof Problem) ? finalStepOf(Number(send.to.replace('+', ''))) : undefined
  if (!step) return []
  const { credential, message, parts, submittedAt } = submitted
  const begin = Math.max(submittedAt.getTime(), message.sendAt === undefined ? 0 : Date.parse(message.sendAt))
  return [
    {
      credential,
      parts,
      source: message.source,
      destination: message.destination,
      submittedAt,
      doneAt: new Date(begin + step.afterMs),
      outcome: step.status === 'failed' ? { kind: 'failed', reason: step.reason } : { kind: 'delivered' },
    },
  ]
}
