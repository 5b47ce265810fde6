import type { TopUpRequest } from '@carillon/contract/billing'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { conflict, notFound, Problem } from '../../lib/problem.ts'
import { getAccount, isFounder, type AccountRow } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { notify } from '../notifications/index.ts'
import { moveBalance } from './move-balance.ts'
import { openOwnBalance } from './own-balance.ts'
import { formatRupees, toUnits } from './rupees.ts'
import { findTopUp, presentTopUp, type TopUpRow } from './topups.queries.ts'

const mostPending = 5

type Asking = { actor: UserActor; requestedBalance: number; note: string }

/** Requests balance from the account that would transfer it. */
export async function requestTopUp(db: Db, { actor, requestedBalance, note }: Asking): Promise<TopUpRequest> {
  const account = await getAccount(db, { id: actor.accountId, scope: actor.scope })
  const answererId = isFounder(account) ? account.parent_id : account.organization_id
  if (actor.role === 'admin' || !answererId)
    throw new Problem('forbidden', 'An administrator issues balance: there is no account above to request it from')
  await assertFewPending(db, account)
  const id = newId()
  const amount = toUnits(requestedBalance)
  await db
    .insertInto('topup_requests')
    .values({
      organization_id: account.organization_id,
      id,
      account_id: account.id,
      path: account.path,
      answerer_id: answererId,
      amount,
      note,
    })
    .execute()
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: 'topup.requested',
    object: { type: 'top_up', id },
    details: { amount: formatRupees(amount) },
  })
  await notify(db, [
    {
      organizationId: await organizationAbove(db, answererId),
      accountId: answererId,
      kind: 'topup_requested',
      title: `${account.name} asks for ₹${formatRupees(amount)}`,
      description: note || 'No note was left',
      link: { type: 'top_up', id },
      eventKey: `topup_requested:${id}`,
    },
  ])
  return present(db, id)
}

/** The account's row is locked, so that concurrent requests cannot exceed the limit. */
async function assertFewPending(db: Db, { id, organization_id }: AccountRow) {
  await db.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute()
  const pending = await db
    .selectFrom('topup_requests')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('account_id', '=', id)
    .where('status', '=', 'pending')
    .execute()
  if (pending.length >= mostPending) throw conflict(`${mostPending} requests are already pending: withdraw one first`)
}

async function organizationAbove(db: Db, accountId: string): Promise<string> {
  const { rows } = await sql<{ id: string | null }>`select organization_above(${accountId}::uuid) as id`.execute(db)
  const id = rows[0]?.id
  if (!id) throw notFound('User')
  return id
}

type Answering = { actor: UserActor; id: string; approve: boolean; amount: number | undefined; note: string }

/** Approving moves the balance in the same transaction; of two concurrent decisions the second fails. */
export async function answerTopUp(db: Db, { actor, id, approve, amount, note }: Answering): Promise<TopUpRequest> {
  const request = await lockTopUp(db, id)
  if (!request || request.answerer_id !== actor.accountId) throw notFound('Request')
  assertPending(request)
  const approved = approve ? (amount === undefined ? request.amount : toUnits(amount)) : null
  await settle(db, request, {
    status: approve ? 'approved' : 'rejected',
    approved,
    answer: note || null,
    answered_by: actor.accountId,
  })
  if (approved !== null) {
    if (!request.has_own_balance)
      await openOwnBalance(db, { id: request.account_id, organizationId: request.organization_id })
    await moveBalance(db, {
      actor,
      fromAccount: actor.accountId,
      toAccount: request.account_id,
      amountUnits: approved,
      opKey: `topup:${id}`,
      kind: 'topup',
      note: note || request.note,
    })
  }
  await recordAudit(db, {
    organizationId: request.organization_id,
    ...whoActs(actor),
    action: approve ? 'topup.approved' : 'topup.rejected',
    object: { type: 'top_up', id },
    details: { asked: formatRupees(request.amount), approved: approved === null ? null : formatRupees(approved) },
  })
  await notifyDecision(db, request, { approved, note })
  return present(db, id)
}

async function notifyDecision(
  db: Db,
  { id, organization_id, account_id, amount }: TopUpRow,
  { approved, note }: { approved: number | null; note: string },
) {
  const isApproved = approved !== null
  await notify(db, [
    {
      organizationId: organization_id,
      accountId: account_id,
      kind: isApproved ? 'topup_approved' : 'topup_rejected',
      title: isApproved ? `₹${formatRupees(approved)} was added to your balance` : 'Your balance request was rejected',
      description:
        note || (isApproved ? `You asked for ₹${formatRupees(amount)}` : `It was for ₹${formatRupees(amount)}`),
      link: { type: 'top_up', id },
      eventKey: `topup_answered:${id}`,
    },
  ])
}

export async function cancelTopUp(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<TopUpRequest> {
  const request = await lockTopUp(db, id)
  if (!request || request.account_id !== actor.accountId) throw notFound('Request')
  if (request.status === 'cancelled') return presentTopUp(request)
  assertPending(request)
  await settle(db, request, { status: 'cancelled', approved: null, answer: null, answered_by: actor.accountId })
  return present(db, id)
}

async function lockTopUp(db: Db, id: string): Promise<TopUpRow | undefined> {
  await db.selectFrom('topup_requests').select('id').where('id', '=', id).forUpdate().execute()
  return findTopUp(db, id)
}

function assertPending({ status, answerer_name: by }: TopUpRow) {
  if (status === 'cancelled') throw conflict('This request was withdrawn')
  if (status !== 'pending') throw conflict(`This request was ${status} already${by ? ` by ${by}` : ''}`)
}

type Settlement = {
  status: 'approved' | 'rejected' | 'cancelled'
  approved: number | null
  answer: string | null
  answered_by: string
}

async function settle(db: Db, { organization_id, id }: TopUpRow, settlement: Settlement) {
  await db
    .updateTable('topup_requests')
    .set({ ...settlement, answered_at: sql<Date>`now()` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}

async function present(db: Db, id: string): Promise<TopUpRequest> {
  const row = await findTopUp(db, id)
  if (!row) throw notFound('Request')
  return presentTopUp(row)
}
