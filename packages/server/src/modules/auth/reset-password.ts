import { sql } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { newId, newToken, sha256 } from '../../lib/ids.ts'
import { badField } from '../../lib/problem.ts'
import { savePassword } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { queueMail } from '../mails/index.ts'
import { accountKey, clearFailures } from './attempts.ts'
import { undoHours } from './email-links.ts'
import { checkPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'

const validMinutes = 20
const linksAnHour = 3

export type ResetRequest = { email: string; now: Date; publicUrl: string }

/** Mails a reset link if an account uses the address. The response does not reveal whether one does. */
export async function sendResetLink(asSystem: RunTransaction, { email, now, publicUrl }: ResetRequest): Promise<void> {
  await asSystem(async (db) => {
    const account = await db
      .selectFrom('accounts')
      .select(['id', 'organization_id', 'email', 'password_version', 'status'])
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst()
    if (!account || account.status === 'closed' || (await isHeldBack(db, account.id, now))) return
    const { count } = await db
      .selectFrom('password_resets')
      .select((query) => query.fn.countAll<number>().as('count'))
      .where('organization_id', '=', account.organization_id)
      .where('account_id', '=', account.id)
      .where('created_at', '>', new Date(now.getTime() - 3_600_000))
      .executeTakeFirstOrThrow()
    if (count >= linksAnHour) return

    const token = newToken()
    await db
      .insertInto('password_resets')
      .values({
        organization_id: account.organization_id,
        id: newId(),
        account_id: account.id,
        token_hash: sha256(token),
        password_version: account.password_version,
        created_at: now,
        expires_at: new Date(now.getTime() + validMinutes * 60_000),
      })
      .execute()
    await queueMail(db, {
      organizationId: account.organization_id,
      to: account.email,
      subject: 'Set a new password',
      body: `Someone requested a password reset for your account. If it was you, follow the link; it works once, within ${validMinutes} minutes.\n\nIf it was not you, ignore this mail. Your password is unchanged.`,
      link: `${publicUrl}/reset-password?t=${token}`,
    })
  })
}

/** After an address change the old address can undo it for a day; until then the new one cannot reset the password. */
export async function isHeldBack(db: Db, accountId: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - undoHours * 3_600_000)
  const { rows } = await sql`
    select from email_changes where account_id = ${accountId} and ended_at is null and applied_at > ${since}`.execute(
    db,
  )
  return rows.length > 0
}

export type NewPassword = { token: string; newPassword: string; now: Date }

/** Sets a password by link: once, before expiry, and only if the password has not changed since the request. */
export async function resetPassword(asSystem: RunTransaction, reset: NewPassword): Promise<{ path: string }> {
  // Checked before as well, so that an invalid link costs no hash.
  if (!(await asSystem((db) => isValidLink(db, reset)))) throw invalidLink()
  const passwordHash = await hashPassword(reset.newPassword)
  return asSystem((db) => usePasswordLink(db, reset, passwordHash))
}

async function isValidLink(db: Db, { token, now }: NewPassword): Promise<boolean> {
  const { rows } = await sql`select from password_resets reset where ${isUsable(token, now)}`.execute(db)
  return rows.length > 0
}

const isUsable = (token: string, now: Date) =>
  sql`reset.token_hash = ${sha256(token)} and reset.used_at is null and reset.expires_at > ${now}`

const invalidLink = () => badField('token', 'This link is no longer valid: ask for a new one')

async function usePasswordLink(
  db: Db,
  { token, newPassword, now }: NewPassword,
  passwordHash: string,
): Promise<{ path: string }> {
  const { rows } = await sql<{ account_id: string }>`
    update password_resets reset set used_at = ${now}
    from accounts account
    where ${isUsable(token, now)}
      and account.id = reset.account_id and account.password_version = reset.password_version and account.status <> 'closed'
    returning reset.account_id`.execute(db)
  const accountId = rows[0]?.account_id
  if (!accountId) throw invalidLink()
  const account = await getOwner(db, accountId)
  checkPassword(newPassword, account)
  await setPassword(db, { accountId, passwordHash, now })
  await clearFailures(db, accountKey(accountId))
  await recordAudit(db, {
    organizationId: account.organizationId,
    actorId: accountId,
    action: 'password.reset',
    object: { type: 'account', id: accountId },
  })
  return { path: account.path }
}

type Owner = Parameters<typeof checkPassword>[1] & { organizationId: string; path: string }

async function getOwner(db: Db, accountId: string): Promise<Owner> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
  return {
    username: row.username,
    email: row.email,
    role: row.role,
    hasTotp: row.totp_confirmed_at !== null,
    organizationId: row.organization_id,
    path: row.path,
  }
}

/** Changes the password, ends all sessions of the account and its impersonations, and notifies the owner. */
export async function setPassword(
  db: Db,
  { accountId, passwordHash, now }: { accountId: string; passwordHash: string; now: Date },
): Promise<void> {
  const account = await savePassword(db, { accountId, passwordHash })
  await sql`update sessions set ended_at = ${now}
    where ended_at is null and (account_id = ${accountId}::uuid or actor_id = ${accountId}::uuid)`.execute(db)
  await queueMail(db, {
    organizationId: account.organization_id,
    to: account.email,
    subject: 'Your password was changed',
    body: 'The password of your account was changed, and all sessions were ended. If this was not you, contact your account manager immediately.',
  })
}
