import type { AuthenticatedUser } from '@carillon/contract/auth'
import type { Selectable } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import type { Accounts } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { badField, conflict } from '../../lib/problem.ts'
import { recordAudit } from '../audit/index.ts'
import { accountKey, countFailure, findBlock } from './attempts.ts'
import { checkPassword } from './password-rules.ts'
import { hashPassword, verifyPassword, withPasswordTurn } from './passwords.ts'
import { setPassword } from './reset-password.ts'
import { startSession, type NewSession } from './sessions.ts'

export type OwnAccount = Selectable<Accounts>

/**
 * Verifies the caller's password, which protects against someone else using the session. Failures count like failed logins.
 * No connection is held while it is hashed; `lockUnchanged` verifies afterwards that it has not changed.
 */
export async function checkOwnPassword(
  scoped: RunTransaction,
  { accountId }: UserActor,
  currentPassword: string,
): Promise<OwnAccount> {
  return withPasswordTurn(`account:${accountId}`, async () => {
    const keys = [accountKey(accountId)]
    const account = await scoped(async (db) => {
      const block = await findBlock(db, keys, new Date())
      if (block) throw block
      return db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
    })
    if (await verifyPassword(currentPassword, account.password_hash)) return account
    await scoped((db) => countFailure(db, keys, new Date()))
    throw badField('currentPassword', 'Wrong password')
  })
}

/** Locks an account whose password was verified; returns its current row. */
export async function lockUnchanged(db: Db, { id, password_hash }: OwnAccount): Promise<OwnAccount> {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .forUpdate()
    .executeTakeFirst()
  if (!account) throw conflict('The password was just changed: try again with the new one')
  return account
}

type Change = {
  actor: UserActor
  currentPassword: string
  newPassword: string
  client: Pick<NewSession, 'ip' | 'userAgent'>
  now: Date
  hours: number
}

/** Changes the caller's password. All sessions end; the caller's continues with a new token. */
export async function changePassword(scoped: RunTransaction, change: Change): Promise<AuthenticatedUser> {
  const { actor, currentPassword, newPassword, now } = change
  const account = await checkOwnPassword(scoped, actor, currentPassword)
  if (newPassword === currentPassword) throw badField('newPassword', 'Choose a different password')
  checkPassword(newPassword, { ...account, hasTotp: account.totp_confirmed_at !== null })
  const passwordHash = await hashPassword(newPassword)
  return scoped(async (db) => {
    await lockUnchanged(db, account)
    await setPassword(db, { accountId: actor.accountId, passwordHash, now })
    await recordAudit(db, {
      organizationId: actor.organizationId,
      actorId: actor.accountId,
      action: 'password.changed',
      object: { type: 'account', id: actor.accountId },
    })
    return signInAgain(db, change, account)
  })
}

async function signInAgain(db: Db, { client, now, hours }: Change, account: OwnAccount): Promise<AuthenticatedUser> {
  const session = await startSession(db, {
    accountId: account.id,
    organizationId: account.organization_id,
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
