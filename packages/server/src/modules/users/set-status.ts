import type { AccountStatus } from '@carillon/contract/accounts'
import type { Input } from '@carillon/contract/endpoint'
import type { usersEndpoints } from '@carillon/contract/users'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { badField, conflict } from '../../lib/problem.ts'
import {
  assertHas,
  getAccount,
  lockBelow,
  lockAccountStatus,
  setModules,
  type AccountRow,
  updateAccount,
} from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { endSessionsBelow } from '../auth/index.ts'
import { queueMail } from '../mails/index.ts'

type NewStatus = Input<(typeof usersEndpoints)['users.setStatus']>['body']

const nextStatuses: Record<AccountStatus, readonly AccountStatus[]> = {
  pending: ['active', 'closed'],
  active: ['suspended', 'locked', 'closed'],
  suspended: ['active', 'locked', 'closed'],
  locked: ['active', 'suspended', 'closed'],
  closed: [],
}

/** Effects of a status change on sending, injected because accounts do not depend on sending. */
export type Sending = {
  /** Stops sending in the subtree; permanently, if holds are to be released as well. */
  stop(db: Db, stop: { actor: UserActor; path: string; now: Date; isFinal: boolean }): Promise<void>
  /** Resumes what was stopped because of the status, unless an account above forbids it. */
  resume(db: Db, resume: { actor: UserActor; path: string }): Promise<void>
  /** Waits, after the commit, until in-flight messages have results. */
  waitForSilence(path: string): Promise<void>
}

export type StatusChange = {
  actor: UserActor
  accountId: string
  wanted: NewStatus
  sending: Sending
  now: Date
  publicUrl: string
}

/** Accepts, rejects, suspends, locks, reactivates or closes an account and its subtree. */
export async function setStatus(db: Db, change: StatusChange): Promise<AccountRow> {
  const { actor, accountId, wanted, now } = change
  await lockAccountStatus(db, (await getAccount(db, { id: accountId, scope: actor.scope })).path)
  const account = await lockBelow(db, { actor, id: accountId })
  const accepts = account.status === 'pending' && wanted.status === 'active'
  if (!accepts) refuseTerms(wanted)
  if (account.status === wanted.status) return account
  if (!nextStatuses[account.status].includes(wanted.status)) throw conflict(refusalFor(account.status))

  if (accepts) await accept(db, { actor, account, wanted })
  const changed = await updateAccount(db, account.id, {
    status: wanted.status,
    status_reason: wanted.reason || null,
    ...(accepts ? { role: wanted.type ?? 'user' } : {}),
  })
  await applyStatus(db, change, account)
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: `account.${actions[wanted.status]}`,
    object: { type: 'account', id: account.id },
    details: { before: account.status, reason: wanted.reason },
  })
  await notifyAccount(db, change, account)
  if (wanted.status === 'locked' || wanted.status === 'closed') await endSessionsBelow(db, account.path, now)
  return changed
}

function refuseTerms({ type, modules }: NewStatus) {
  if (type !== undefined || modules !== undefined)
    throw badField('type', 'Type and modules are given when a registration is accepted')
}

async function accept(
  db: Db,
  { actor, account, wanted }: { actor: UserActor; account: AccountRow; wanted: NewStatus },
): Promise<void> {
  const modules = wanted.modules ?? []
  assertHas(actor, modules)
  await setModules(db, { id: account.id, organizationId: account.organization_id }, modules)
}

async function applyStatus(db: Db, { actor, wanted, sending, now }: StatusChange, { path, status }: AccountRow) {
  if (status === 'pending') return
  if (wanted.status === 'active') await sending.resume(db, { actor, path })
  else await sending.stop(db, { actor, path, now, isFinal: wanted.status === 'closed' })
}

const actions: Record<NewStatus['status'], string> = {
  active: 'activated',
  suspended: 'suspended',
  locked: 'locked',
  closed: 'closed',
}

function refusalFor(status: AccountStatus): string {
  return status === 'closed'
    ? 'This account is closed permanently'
    : 'This registration needs approval: accept or reject it first'
}

async function notifyAccount(db: Db, { wanted, publicUrl }: StatusChange, account: AccountRow) {
  const { subject, body } = letterFor(account.status, wanted.status)
  await queueMail(db, {
    organizationId: account.organization_id,
    to: account.email,
    subject,
    body: `Hello ${account.name},\n\n${body}${wanted.reason ? `\n\n${wanted.reason}` : ''}`,
    ...(wanted.status === 'active' ? { link: `${publicUrl}/` } : {}),
  })
}

function letterFor(before: AccountStatus, after: NewStatus['status']): { subject: string; body: string } {
  if (before === 'pending')
    return after === 'active'
      ? { subject: 'Your account is ready', body: 'Your registration was accepted. You can now sign in.' }
      : { subject: 'Your registration was not accepted', body: 'Your registration was not accepted.' }
  return letters[after]
}

const letters: Record<NewStatus['status'], { subject: string; body: string }> = {
  active: { subject: 'Your account is active again', body: 'Your account is active again. Paused campaigns resume.' },
  suspended: {
    subject: 'Your account is suspended',
    body: 'Your account is suspended: you can sign in but not send. Contact your account manager.',
  },
  locked: {
    subject: 'Your account is locked',
    body: 'Your account is locked: sign-in and sending are blocked. Contact your account manager.',
  },
  closed: { subject: 'Your account is closed', body: 'Your account is closed.' },
}
