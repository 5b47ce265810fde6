import type { AuthenticatedUser, Credentials } from '@carillon/contract/auth'
import { sql } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { getStanding } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { unmatchedHash, verifyPassword, withPasswordTurn } from './passwords.ts'
import { takeCode, type FactorOwner } from './second-factor.ts'
import { startSession } from './sessions.ts'

/** Free tries in a row for one name and for one address; every further failure doubles the wait, up to an hour. */
const freeTries = { name: 10, address: 50 }
const longestWaitSeconds = 3600

export type LoginRequest = {
  credentials: Credentials
  ip: string
  userAgent: string
  now: Date
  sessionHours: number
  /** Opens the secret of a second factor. */
  box: SecretBox
}

type Outcome = { kind: 'signed-in'; user: AuthenticatedUser } | { kind: 'refused'; problem: Problem }

/**
 * Opens a session. An unknown name costs the same time and gets the same answer as a wrong password. No connection is held
 * while the password is hashed.
 */
export async function login(asSystem: RunTransaction, request: LoginRequest): Promise<AuthenticatedUser> {
  return withPasswordTurn(`address:${request.ip}`, async () => {
    const account = await asSystem((db) => findToCheck(db, request))
    const isRight = await verifyPassword(request.credentials.password, account?.password_hash ?? unmatchedHash)
    // A refusal is an answer of the transaction, not an error, so that counting it is committed.
    const outcome = await asSystem((db) => decide(db, request, isRight ? account : undefined))
    if (outcome.kind === 'refused') throw outcome.problem
    return outcome.user
  })
}

/** The account whose password is to be checked, if the limits allow another try. */
async function findToCheck(db: Db, request: LoginRequest): Promise<AccountToCheck | undefined> {
  const limit = await findLimit(db, request)
  if (limit) throw limit
  const name = nameOf(request)
  return db
    .selectFrom('accounts')
    .select(['id', 'password_hash'])
    .where((where) => where.or([where('email', '=', name), where('username', '=', name)]))
    .executeTakeFirst()
}

type AccountToCheck = { id: string; password_hash: string }

/** `checked`: the account whose password was right. The limits count what other tries did during the check. */
async function decide(db: Db, request: LoginRequest, checked: AccountToCheck | undefined): Promise<Outcome> {
  const limit = await findLimit(db, request)
  if (limit) return refused(limit)
  const account = checked && (await findUnchanged(db, checked, request.now))
  if (!account || account.status === 'closed') {
    await countFailure(db, keysOf(request), request.now)
    return refused(new Problem('wrong_credentials', 'The email, username or password is wrong'))
  }
  const shut = await refusalOf(db, account.path)
  if (shut) return refused(shut)
  const missing = await checkFactor(db, { account, request })
  if (missing) {
    if (request.credentials.code) await countFailure(db, keysOf(request), request.now)
    return refused(missing)
  }
  await db
    .deleteFrom('login_attempts')
    .where('key', '=', `name:${nameOf(request)}`)
    .execute()
  const session = await startSession(db, {
    accountId: account.id,
    organizationId: account.organization_id,
    ip: request.ip,
    userAgent: request.userAgent,
    now: request.now,
    hours: request.sessionHours,
  })
  await recordAudit(db, {
    organizationId: account.organization_id,
    actorId: account.id,
    action: 'session.started',
    object: { type: 'session', id: session.id },
  })
  return {
    kind: 'signed-in',
    user: {
      token: session.token,
      type: account.role,
      username: account.username,
      email: account.email,
      expiresAt: Math.floor(session.expiresAt.getTime() / 1000),
      isFirstLogin: account.is_first_login,
    },
  }
}

/** The account as it is now, unless its password was changed during the check, or was a one-time password that is over. */
async function findUnchanged(db: Db, { id, password_hash }: AccountToCheck, now: Date) {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where(sql<boolean>`password_holds(accounts, ${now})`)
    .executeTakeFirst()
}

type Checked = { account: FactorOwner & { totp_confirmed_at: Date | null }; request: LoginRequest }

/** What is wrong with the second factor, if the account has one. */
async function checkFactor(db: Db, { account, request }: Checked): Promise<Problem | undefined> {
  const { code } = request.credentials
  if (!account.totp_confirmed_at) return undefined
  if (!code) return new Problem('second_factor_required', 'Enter the code of your authenticator app')
  if (await takeCode(db, { account, box: request.box, code, now: request.now })) return undefined
  return new Problem('second_factor_required', 'This code is not right: enter the one that the app shows now', {
    details: [{ field: 'code', message: 'This code is not right' }],
  })
}

/** An account may sign in when it and everyone above it may; who is suspended looks and does not send. */
async function refusalOf(db: Db, path: string): Promise<Problem | undefined> {
  const standing = await getStanding(db, path)
  if (standing === 'pending') return new Problem('forbidden', 'This account is waiting to be approved')
  if (standing === 'locked' || standing === 'closed')
    return new Problem('forbidden', 'This account is locked: contact your account manager')
  return undefined
}

function refused(problem: Problem): Outcome {
  return { kind: 'refused', problem }
}

const nameOf = ({ credentials: { email, username } }: LoginRequest) => (email ?? username ?? '').toLowerCase()
const keysOf = (request: LoginRequest) => [`name:${nameOf(request)}`, `address:${request.ip}`]

async function findLimit(db: Db, request: LoginRequest): Promise<Problem | undefined> {
  const wait = await secondsToWait(db, keysOf(request), request.now)
  if (wait === 0) return undefined
  return new Problem('too_many_requests', `Too many failed attempts: try again in ${inWords(wait)}`, {
    retryAfter: wait,
  })
}

async function secondsToWait(db: Db, keys: string[], now: Date): Promise<number> {
  const rows = await db
    .selectFrom('login_attempts')
    .select('blocked_until')
    .where('key', 'in', keys)
    .where('blocked_until', '>', now)
    .execute()
  return Math.max(
    0,
    ...rows.map(({ blocked_until }) => Math.ceil(((blocked_until?.getTime() ?? 0) - now.getTime()) / 1000)),
  )
}

async function countFailure(db: Db, [name, address]: string[], now: Date) {
  await sql`
    insert into login_attempts as attempt (key, failures, last_at)
    select key, 1, ${now} from unnest(${[name, address]}::text[]) as tried (key) order by key
    on conflict (key) do update set
      failures = case when attempt.last_at < ${now}::timestamptz - interval '15 minutes' then 1 else attempt.failures + 1 end,
      last_at = excluded.last_at,
      blocked_until = case
        when attempt.last_at >= ${now}::timestamptz - interval '15 minutes'
          and attempt.failures + 1 > case when attempt.key like 'name:%' then ${freeTries.name}::int else ${freeTries.address}::int end
        then ${now}::timestamptz + least(${longestWaitSeconds}::int, power(2, least(attempt.failures + 1 - case when attempt.key like 'name:%' then ${freeTries.name}::int else ${freeTries.address}::int end, 12))) * interval '1 second'
      end
  `.execute(db)
}

function inWords(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
