import { Preferences, type accountEndpoints, type AccountStatus, type Profile } from '@carillon/contract/accounts'
import type { Input } from '@carillon/contract/endpoint'
import { sql } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { badField, conflict, notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { pendingEmailOf, requestEmailChange, type MailOptions } from './email-changes.ts'
import type { AccountRow } from './find-account.ts'

/** Verifies the caller's password; returns the verified account. */
export type CheckOwnPassword = (
  scoped: RunTransaction,
  actor: UserActor,
  password: string,
) => Promise<{ password_hash: string }>

/** The account with its limits, balance, brand and related names. */
type ProfileRow = Pick<
  AccountRow,
  | 'id'
  | 'username'
  | 'email'
  | 'name'
  | 'phone'
  | 'role'
  | 'timezone'
  | 'preferences'
  | 'totp_confirmed_at'
  | 'created_at'
> & {
  /** The strictest of its own status and those above. */
  status: AccountStatus | null
  /** The organisation and the account above may be out of a user's scope; only their names are shown. */
  organization: string | null
  manager: string | null
  pending: { email: string; expires_at: string } | null
  impersonations: { name: string | null; at: string; ended_at: string | null }[]
}

/** One statement, because every page begins with it. */
export async function getProfile(db: Db, { accountId }: UserActor): Promise<Profile> {
  const { rows } = await sql<ProfileRow>`
    select id, username, email, name, phone, role, timezone, preferences, totp_confirmed_at, created_at,
      account_status_of(path) as status,
      case when id = organization_id then name else organization_name(organization_id) end as organization,
      case when parent_id is not null then name_above(parent_id) end as manager,
      ${pendingEmailOf('account')} as pending, ${impersonations} as impersonations
    from accounts account where id = ${accountId}::uuid`.execute(db)
  if (!rows[0]) throw notFound('User')
  return presentProfile(rows[0])
}

const impersonations = sql<ProfileRow['impersonations']>`(
  select coalesce(json_agg(entry order by at desc), '[]') from (
    select name_above(actor_id) as name, created_at as at,
      case when ended_at is not null or expires_at < now() then least(ended_at, expires_at) end as ended_at
    from sessions
    where organization_id = account.organization_id and account_id = account.id and actor_id is not null
      and created_at > now() - interval '24 hours'
    order by created_at desc limit 20) entry)`

function presentProfile(row: ProfileRow): Profile {
  const isAbove = row.role === 'admin' || row.role === 'reseller'
  return {
    _id: row.id,
    username: row.username,
    email: row.email,
    pendingEmail: row.pending
      ? { email: row.pending.email, expiresAt: presentInstant(row.pending.expires_at) }
      : undefined,
    name: row.name,
    phone: row.phone ?? undefined,
    type: row.role,
    status: row.status ?? 'closed',
    organization: row.organization ?? row.name,
    accountManager: row.manager ?? undefined,
    timezone: row.timezone,
    preferences: Preferences.parse(row.preferences),
    hasTotp: row.totp_confirmed_at !== null,
    shouldAddTotp: isAbove && row.totp_confirmed_at === null,
    visitedBy: row.impersonations.map(({ name, at, ended_at: endedAt }) => ({
      name: name ?? 'Your account manager',
      at: presentInstant(at),
      endedAt: endedAt === null ? undefined : presentInstant(endedAt),
    })),
    createdAt: row.created_at.toISOString(),
  }
}

/** As PostgreSQL writes it into JSON. */
function presentInstant(at: string): string {
  return new Date(at).toISOString()
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

function withoutUndefined<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  // The same fields without undefined values.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>
  }
}
