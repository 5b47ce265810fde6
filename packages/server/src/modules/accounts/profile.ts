import { Preferences, type accountEndpoints, type Profile } from '@carillon/contract/accounts'
import type { Input } from '@carillon/contract/endpoint'
import { sql } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { badField, conflict } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { findPendingEmail, requestEmailChange, type MailOptions } from './email-changes.ts'
import type { AccountRow } from './find-account.ts'
import { getAccountStatus } from './account-status.ts'

/** Verifies the caller's password; returns the verified account. */
export type CheckOwnPassword = (
  scoped: RunTransaction,
  actor: UserActor,
  password: string,
) => Promise<{ password_hash: string }>

export async function getProfile(db: Db, actor: UserActor): Promise<Profile> {
  const account = await ownAccount(db, actor)
  const { organization, manager } = await namesAbove(db, account)
  const isAbove = account.role === 'admin' || account.role === 'reseller'
  return {
    _id: account.id,
    username: account.username,
    email: account.email,
    pendingEmail: await findPendingEmail(db, account),
    name: account.name,
    phone: account.phone ?? undefined,
    type: account.role,
    // The strictest of its own status and those above.
    status: await getAccountStatus(db, account.path),
    organization: organization ?? account.name,
    accountManager: manager ?? undefined,
    timezone: account.timezone,
    preferences: Preferences.parse(account.preferences),
    hasTotp: account.totp_confirmed_at !== null,
    shouldAddTotp: isAbove && account.totp_confirmed_at === null,
    visitedBy: await listImpersonations(db, actor),
    createdAt: account.created_at.toISOString(),
  }
}

type Changes = Input<(typeof accountEndpoints)['profile.update']>['body']

type Update = {
  actor: UserActor
  changes: Changes
  /** The verified account, required for a new e-mail address. */
  proven: { password_hash: string } | undefined
  mail: MailOptions
}

export async function updateProfile(db: Db, { actor, changes, proven, mail }: Update): Promise<Profile> {
  const account = await ownAccount(db, actor)
  const { currentPassword: _, email: __, preferences, phone, ...plain } = changes
  const newEmail = await findNewEmail(db, { actor, changes })
  if (newEmail) {
    if (proven?.password_hash !== account.password_hash) throw conflict('The account was just changed: try again')
    await requestEmailChange(db, { ...mail, actor, account, newEmail })
  }

  const set = {
    ...withoutUndefined(plain),
    ...(phone === undefined ? {} : { phone: phone || null }),
    ...(preferences
      ? { preferences: JSON.stringify({ ...Preferences.parse(account.preferences), ...withoutUndefined(preferences) }) }
      : {}),
  }
  if (Object.keys(set).length > 0) {
    await db.updateTable('accounts').set(set).where('id', '=', account.id).execute()
    await recordAudit(db, {
      organizationId: account.organization_id,
      ...whoActs(actor),
      action: 'account.updated',
      object: { type: 'account', id: account.id },
      details: { fields: Object.keys(set).join(', ') },
    })
  }
  return getProfile(db, actor)
}

/**
 * The requested e-mail address, if it differs. Its owner could take over the account, so only the account owner can change
 * it, with the password.
 */
export async function findNewEmail(
  db: Db,
  { actor, changes: { email, currentPassword } }: Pick<Update, 'actor' | 'changes'>,
): Promise<string | undefined> {
  const account = await ownAccount(db, actor)
  if (email === undefined || email.toLowerCase() === account.email.toLowerCase()) return undefined
  if (actor.impersonatedBy) throw badField('email', 'The address of another account cannot be changed from inside it')
  if (!currentPassword) throw badField('currentPassword', 'Enter your password to change the e-mail address')
  return email
}

async function ownAccount(db: Db, { accountId }: UserActor): Promise<AccountRow> {
  return db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
}

/** The organisation and the account above may be out of a user's scope; only their names are shown. */
async function namesAbove(
  db: Db,
  account: AccountRow,
): Promise<{ organization: string | null; manager: string | null }> {
  const { rows } = await sql<{ organization: string | null; manager: string | null }>`
    select organization_name(${account.organization_id}::uuid) as organization, name_above(${account.parent_id}::uuid) as manager`.execute(
    db,
  )
  return rows[0] ?? { organization: null, manager: null }
}

async function listImpersonations(db: Db, { organizationId, accountId }: UserActor): Promise<Profile['visitedBy']> {
  const { rows } = await sql<{ name: string | null; at: Date; ended_at: Date | null }>`
    select name_above(actor_id) as name, created_at as at,
      case when ended_at is not null or expires_at < now() then least(ended_at, expires_at) end as ended_at
    from sessions
    where organization_id = ${organizationId}::uuid and account_id = ${accountId}::uuid and actor_id is not null
      and created_at > now() - interval '24 hours'
    order by created_at desc limit 20`.execute(db)
  return rows.map(({ name, at, ended_at }) => ({
    name: name ?? 'Your account manager',
    at: at.toISOString(),
    endedAt: ended_at?.toISOString(),
  }))
}

function withoutUndefined<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  // The same fields without undefined values.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>
  }
}
