import type { AuthenticatedUser } from '@carillon/contract/auth'
import type { Db } from '../../db/pool.ts'
import type { Actor } from '../../http/handlers.ts'
import { badField } from '../../lib/problem.ts'
import { recordAudit } from '../audit/index.ts'
import { checkPassword } from './password-rules.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { setPassword } from './reset-password.ts'
import { startSession, type NewSession } from './sessions.ts'

/** What a stolen open tab must not do alone: asks for the password again. */
export async function assertOwnPassword(db: Db, actor: Actor, currentPassword: string) {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', actor.accountId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(currentPassword, account.password_hash)))
    throw badField('currentPassword', 'This is not your password')
  return account
}

type Change = {
  actor: Actor
  currentPassword: string
  newPassword: string
  client: Pick<NewSession, 'ip' | 'userAgent'>
  now: Date
  hours: number
}

/** Changes one's own password. Every session ends; the one that asked goes on with a new token. */
export async function changePassword(db: Db, change: Change): Promise<AuthenticatedUser> {
  const { actor, currentPassword, newPassword, client, now, hours } = change
  const account = await assertOwnPassword(db, actor, currentPassword)
  if (newPassword === currentPassword) throw badField('newPassword', 'Choose another password than the one you have')
  checkPassword(newPassword, { ...account, hasTotp: account.totp_confirmed_at !== null })
  await setPassword(db, { accountId: actor.accountId, passwordHash: await hashPassword(newPassword), now })
  await recordAudit(db, {
    organizationId: actor.organizationId,
    actorId: actor.accountId,
    action: 'password.changed',
    object: { type: 'account', id: actor.accountId },
  })
  const session = await startSession(db, {
    accountId: actor.accountId,
    organizationId: actor.organizationId,
    ...client,
    now,
    hours,
  })
  return {
    token: session.token,
    type: account.role,
    username: account.username,
    email: account.email,
    expiresAt: Math.floor(session.expiresAt.getTime() / 1000),
    isFirstLogin: false,
  }
}
