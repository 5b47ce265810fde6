import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { assertMayEnter, lockBelow, recordForBoth, saveOneTimePassword } from '../accounts/index.ts'
import { accountKey, clearFailures } from './attempts.ts'
import { notifyOwner } from './notify-owner.ts'
import { hashPassword } from './passwords.ts'

const validHours = 24

export type OneTimePassword = { actor: UserActor; userId: string; now: Date }

/**
 * Sets a password for an account whose owner cannot receive mail. Requires the right to enter the account. The owner must
 * replace it at the first login; a second factor stays on.
 */
export async function setOneTimePassword(
  scoped: RunTransaction,
  request: OneTimePassword,
): Promise<{ oneTimePassword: string; expiresAt: string; path: string }> {
  // Checked before as well, so that a rejected call costs no hash.
  await scoped((db) => lockEnterable(db, request))
  const oneTimePassword = newPassword()
  const passwordHash = await hashPassword(oneTimePassword)
  const expiresAt = new Date(request.now.getTime() + validHours * 3_600_000)
  const path = await scoped((db) => replacePassword(db, request, { passwordHash, expiresAt }))
  return { oneTimePassword, expiresAt: expiresAt.toISOString(), path }
}

async function lockEnterable(db: Db, { actor, userId }: OneTimePassword) {
  const account = await lockBelow(db, { actor, id: userId })
  await assertMayEnter(db, actor, account)
  return account
}

type NewPassword = { passwordHash: string; expiresAt: Date }

async function replacePassword(db: Db, request: OneTimePassword, { passwordHash, expiresAt }: NewPassword) {
  const { actor, now } = request
  const account = await lockEnterable(db, request)
  await saveOneTimePassword(db, {
    accountId: account.id,
    passwordHash,
    setBy: actor.accountId,
    validUntil: expiresAt,
  })
  await sql`update sessions set ended_at = ${now}
    where ended_at is null and (account_id = ${account.id}::uuid or actor_id = ${account.id}::uuid)`.execute(db)
  await clearFailures(db, accountKey(account.id))
  const setter = await db.selectFrom('accounts').select('name').where('id', '=', actor.accountId).executeTakeFirst()
  await notifyOwner(db, account, {
    title: 'A one-time password was set for your account',
    description: `${setter?.name ?? actor.username} set a one-time password for the account ${account.username}, and every session was ended.`,
    advice: 'The next login asks for a new password.\n\nIf you did not expect this, contact your account manager.',
  })
  await recordForBoth(db, { actor, account, action: 'password.one_time_set', details: {} })
  return account.path
}

/** Sixteen unambiguous characters in groups of four, to be read out. */
function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const characters: string[] = []
  while (characters.length < 16)
    for (const byte of randomBytes(24))
      if (byte < letters.length * 8 && characters.length < 16) characters.push(letters.charAt(byte % letters.length))
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-')
}
