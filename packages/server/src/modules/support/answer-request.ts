import type { SupportStatus } from '@carillon/contract/support'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { SupportMessages } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { conflict, Problem } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { lockRequest, mayAnswer, sideOf, type RequestRow } from './find-request.ts'
import { addMessage, markRead } from './messages.ts'
import { findNextAnswerer } from './open-request.ts'
import { assertMayBecome, statusAfterMessage, describeStatus } from './request-states.ts'
import { notifyAnswerer, notifyOpener, whoSpeaks } from './notify.ts'

type Answering = { actor: UserActor; id: string; body: string; isInternal: boolean }

/** Adds a message or note. A note changes nothing; a message changes the status and notifies the other side. */
export async function answerRequest(
  db: Db,
  { actor, id, body, isInternal }: Answering,
): Promise<Selectable<SupportMessages>> {
  const request = await lockRequest(db, { actor, id })
  const side = sideOf(request, actor)
  if (isInternal && side === 'customer') throw new Problem('forbidden', 'Only support can add notes')
  const author = await whoSpeaks(db, actor)
  if (isInternal) {
    await markRead(db, request, actor)
    return addMessage(db, request, { body, direction: 'staff', visibility: 'internal', author })
  }
  assertTurn(request, actor)
  const status = statusAfterMessage(request.status, side)
  const message = await addMessage(db, request, { body, direction: side, author })
  const changed = await touch(db, request, { status })
  await markRead(db, request, actor)
  if (side === 'customer') await notifyAnswerer(db, changed, { title: `Reply to request ${changed.number}`, author })
  else await notifyOpener(db, changed, { title: 'Your request was answered', author })
  return message
}

export async function setStatus(
  db: Db,
  { actor, id, status }: { actor: UserActor; id: string; status: SupportStatus },
): Promise<RequestRow> {
  const request = await lockRequest(db, { actor, id })
  assertTurn(request, actor)
  if (request.status === status) return request
  const side = sideOf(request, actor)
  assertMayBecome(request.status, status, side)
  const author = await whoSpeaks(db, actor)
  await addMessage(db, request, { body: describeStatus(status, author.name), direction: 'system', author })
  const changed = await touch(db, request, { status })
  await recordAudit(db, {
    organizationId: request.organization_id,
    ...whoActs(actor),
    action: `support.${status}`,
    object: { type: 'support_request', id },
    details: { before: request.status },
  })
  const title = `Request ${request.number} is ${status.replaceAll('_', ' ')}`
  if (side === 'customer') await notifyAnswerer(db, changed, { title, author })
  else await notifyOpener(db, changed, { title, author })
  return changed
}

/** Escalates a request to the account above. The escalating account can still read it. */
export async function escalateRequest(
  db: Db,
  { actor, id, note }: { actor: UserActor; id: string; note: string },
): Promise<RequestRow> {
  const request = await lockRequest(db, { actor, id })
  if (!mayAnswer(request, actor))
    throw conflict(
      request.account_id === actor.accountId
        ? 'This request is already with the account above'
        : 'This request has already been escalated',
    )
  if (request.status === 'closed') throw conflict('This request is closed: reopen it before escalating it')
  const above = await findNextAnswerer(db, actor.scope.path)
  if (!above) throw conflict('There is no account above this one to escalate it to')
  const author = await whoSpeaks(db, actor)
  await addMessage(db, request, { body: `${author.name} escalated the request`, direction: 'system', author })
  if (note) await addMessage(db, request, { body: note, direction: 'staff', visibility: 'internal', author })
  const escalated = await touch(db, request, {
    answerer_id: above,
    put_to: [...request.put_to, above],
    escalated_at: new Date(),
    status: request.status === 'resolved' ? 'reopened' : request.status,
  })
  await recordAudit(db, {
    organizationId: request.organization_id,
    ...whoActs(actor),
    action: 'support.escalated',
    object: { type: 'support_request', id },
    details: { to: above },
  })
  await notifyAnswerer(db, escalated, { title: 'A support request was escalated to you', author })
  await notifyOpener(db, escalated, { title: 'Your request was escalated', author })
  return escalated
}

/** Accounts that escalated a request can still read it and add notes. */
function assertTurn(request: RequestRow, actor: UserActor): void {
  if (sideOf(request, actor) === 'staff' && !mayAnswer(request, actor))
    throw new Problem('forbidden', 'This request was escalated: only the account it was escalated to can answer')
}

type Change = Partial<Pick<RequestRow, 'status' | 'answerer_id' | 'put_to' | 'escalated_at'>>

async function touch(db: Db, request: RequestRow, change: Change): Promise<RequestRow> {
  return db
    .updateTable('support_requests')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('organization_id', '=', request.organization_id)
    .where('id', '=', request.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
