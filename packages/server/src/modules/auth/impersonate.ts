import type { Impersonation } from '@carillon/contract/auth'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { SessionActor } from '../../actor.ts'
import { newToken, sha256 } from '../../lib/ids.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import { assertMayEnter } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { notify } from '../notifications/index.ts'
import { startSession } from './sessions.ts'

const lastsHours = 1

export type ImpersonationRequest = {
  actor: SessionActor
  userId: string
  reason: string
  ip: string
  userAgent: string
  now: Date
}

/**
 * Impersonates an account strictly below the actor's for an hour at most. The session names both accounts and ends with the
 * session it was opened from. Its exit token can only end it, so a script in the impersonated tab cannot take over the
 * actor's own session.
 */
export async function impersonate(db: Db, request: ImpersonationRequest): Promise<Impersonation> {
  const { actor, userId, reason, now } = request
  if (userId === actor.accountId) throw new Problem('forbidden', 'You cannot do this to your own account')
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', userId)
    .where(within(actor.scope))
    .executeTakeFirst()
  if (!account) throw notFound('User')
  await assertMayEnter(db, actor, account)

  const exitToken = newToken()
  const session = await startSession(db, {
    accountId: account.id,
    organizationId: account.organization_id,
    ip: request.ip,
    userAgent: request.userAgent,
    now,
    hours: lastsHours,
    impersonator: { actorId: actor.accountId, sessionId: actor.sessionId, reason, exitHash: sha256(exitToken) },
  })
  const line = {
    actorId: actor.accountId,
    subjectId: account.id,
    action: 'impersonation.started',
    object: { type: 'session', id: session.id },
    details: { reason, actor: actor.username, subject: account.username },
  }
  for (const organizationId of new Set([actor.organizationId, account.organization_id]))
    await recordAudit(db, { ...line, organizationId })
  const impersonator = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', actor.accountId)
    .executeTakeFirst()
  const impersonatorName = impersonator?.name ?? actor.username
  await notify(db, [
    {
      organizationId: account.organization_id,
      accountId: account.id,
      kind: 'account_visited',
      title: `${impersonatorName} opened your account`,
      description: reason || 'No reason was given.',
      link: { type: 'account', id: account.id },
      eventKey: `account_visited:${session.id}`,
    },
  ])
  return {
    impersonatedUser: {
      token: session.token,
      type: account.role,
      username: account.username,
      email: account.email,
      expiresAt: Math.floor(session.expiresAt.getTime() / 1000),
      // An impersonator does not set the account's password.
      isFirstLogin: false,
    },
    impersonationMode: true,
    impersonatedBy: impersonatorName,
    exitToken,
  }
}

/** Ends the impersonation of the token. */
export async function exitImpersonation(db: Db, exitToken: string, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; organization_id: string; account_id: string; actor_id: string }>`
    update sessions set ended_at = ${now} where exit_hash = ${sha256(exitToken)} and ended_at is null
    returning id, organization_id, account_id, actor_id`.execute(db)
  const session = rows[0]
  if (!session) return undefined
  await recordAudit(db, {
    organizationId: session.organization_id,
    actorId: session.actor_id,
    subjectId: session.account_id,
    action: 'impersonation.ended',
    object: { type: 'session', id: session.id },
  })
  return session.id
}
