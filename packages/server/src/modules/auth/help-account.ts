import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict } from '../../lib/problem.ts'
import { clearSecondFactor, lockBelow, recordForBoth, type AccountRow } from '../accounts/index.ts'
import { queueMail } from '../mails/index.ts'
import { notifyOwner } from './notify-owner.ts'
import { issuePasswordLink } from './password-links.ts'
import { isHeldBack } from './reset-password.ts'

const linkValidHours = 24

type Help = { actor: UserActor; userId: string; now: Date }

/** Mails a password reset link to an account below; returns the address. */
export async function sendPasswordLink(db: Db, { actor, userId, now, publicUrl }: Help & { publicUrl: string }) {
  const account = await lockOpen(db, { actor, userId })
  if (await isHeldBack(db, account.id, now))
    throw conflict('The email address was changed within the last 24 hours: set a one-time password instead')
  const validUntil = new Date(now.getTime() + linkValidHours * 3_600_000)
  const token = await issuePasswordLink(db, { accountId: account.id, validUntil })
  if (!token) throw new Error('An account below is in scope')
  await queueMail(db, {
    organizationId: account.organization_id,
    to: account.email,
    subject: 'Set a new password',
    body: `${await nameOf(db, actor)} sends you a link to set a new password for the account ${account.username}. It works once, within ${linkValidHours} hours. Until you use it, your password is unchanged.`,
    link: `${publicUrl}/reset-password?t=${token}`,
  })
  await recordForBoth(db, { actor, account, action: 'password.link_sent', details: {} })
  return { email: account.email }
}

/** For owners who lost phone and recovery codes: the next login requires only the password. */
export async function removeSecondFactor(db: Db, { actor, userId }: Omit<Help, 'now'>): Promise<void> {
  const account = await lockOpen(db, { actor, userId })
  if (!account.totp_confirmed_at) throw conflict('This account does not use two-factor authentication')
  await clearSecondFactor(db, account.id)
  await notifyOwner(db, account, {
    title: 'Two-factor authentication was removed from your account',
    description: `${await nameOf(db, actor)} turned off two-factor authentication of the account ${account.username}. The next login requires only the password.`,
    advice:
      'You can set it up again under Settings, Security.\n\nIf you did not expect this, contact your account manager.',
  })
  await recordForBoth(db, { actor, account, action: 'second_factor.removed', details: {} })
}

/** Ends all sessions of an account, including its impersonations of other accounts. */
export async function endAccountSessions(
  db: Db,
  { actor, userId, now }: Help,
): Promise<{ ended: number; path: string }> {
  const account = await lockOpen(db, { actor, userId })
  const { numAffectedRows } = await sql`update sessions set ended_at = ${now}
    where ended_at is null and expires_at > ${now}
      and (account_id = ${account.id}::uuid or actor_id = ${account.id}::uuid)`.execute(db)
  const ended = Number(numAffectedRows ?? 0)
  await recordForBoth(db, { actor, account, action: 'sessions.ended', details: { ended: String(ended) } })
  return { ended, path: account.path }
}

async function lockOpen(db: Db, { actor, userId }: Pick<Help, 'actor' | 'userId'>): Promise<AccountRow> {
  const account = await lockBelow(db, { actor, id: userId })
  if (account.status === 'closed') throw conflict('This account is closed')
  return account
}

async function nameOf(db: Db, actor: UserActor): Promise<string> {
  const row = await db.selectFrom('accounts').select('name').where('id', '=', actor.accountId).executeTakeFirst()
  return row?.name ?? actor.username
}
