import type { AuthenticatedUser, Credentials } from '@carillon/contract/auth'
import { sql } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { networkOf } from '../../lib/client-address.ts'
import { Problem } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { getAccountStatus } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import {
  accountKey,
  addressKey,
  clearFailures,
  countFailure,
  findBlock,
  unknownNameKey,
  type AttemptKey,
} from './attempts.ts'
import { unmatchedHash, verifyPassword, withPasswordTurn } from './passwords.ts'
import { consumeCode, type FactorOwner } from './second-factor.ts'
import { startSession } from './sessions.ts'

export type LoginRequest = {
  credentials: Credentials
  ip: string
  userAgent: string
  now: Date
  sessionHours: number
  /** Decrypts the secret of a second factor. */
  box: SecretBox
}

type Outcome = { kind: 'signed-in'; user: AuthenticatedUser } | { kind: 'refused'; problem: Problem }

/**
 * Opens a session. An unknown name takes the same time and gets the same response as a wrong password. No connection is held
 * while the password is hashed.
 */
export async function login(asSystem: RunTransaction, request: LoginRequest): Promise<AuthenticatedUser> {
  return withPasswordTurn(`address:${networkOf(request.ip)}`, async () => {
    const account = await asSystem((db) => findToCheck(db, request))
    const isRight = await verifyPassword(request.credentials.password, account?.password_hash ?? unmatchedHash)
    // A rejection is a return value, not an error, so that its count is committed.
    const outcome = await asSystem((db) => decide(db, request, { account, isRight }))
    if (outcome.kind === 'refused') throw outcome.problem
    return outcome.user
  })
}

type AccountToCheck = { id: string; password_hash: string; totp_confirmed_at: Date | null }

/**
 * The account whose password is to be checked, if the limits allow another attempt. A valid second-factor code always allows
 * one, so that nobody can lock out an owner by failing on purpose.
 */
async function findToCheck(db: Db, request: LoginRequest): Promise<AccountToCheck | undefined> {
  const name = nameOf(request)
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'password_hash', 'totp_confirmed_at'])
    .where((where) => where.or([where('email', '=', name), where('username', '=', name)]))
    .executeTakeFirst()
  const block = await findBlock(db, keysOf(request, account), request.now)
  if (block && !hasFactor(account, request)) throw block
  return account
}

function hasFactor(account: AccountToCheck | undefined, { credentials }: LoginRequest): boolean {
  return Boolean(account?.totp_confirmed_at && credentials.code)
}

type Checked = { account: AccountToCheck | undefined; isRight: boolean }

/** Checks the limits again, because other attempts may have been counted during the check. */
async function decide(db: Db, request: LoginRequest, { account: checked, isRight }: Checked): Promise<Outcome> {
  const keys = keysOf(request, checked)
  const block = await findBlock(db, keys, request.now)
  if (block && !hasFactor(checked, request)) return refused(block)
  const account = checked && isRight ? await findUnchanged(db, checked, request.now) : undefined
  if (!account || account.status === 'closed') {
    await countFailure(db, keys, request.now)
    return refused(block ?? new Problem('wrong_credentials', 'The email, username or password is wrong'))
  }
  const shut = await refusalOf(db, account.path)
  if (shut) return refused(shut)
  const missing = await checkFactor(db, { account, request })
  if (missing) {
    if (request.credentials.code) await countFailure(db, keys, request.now)
    return refused(block ?? missing)
  }
  await clearFailures(db, accountKey(account.id))
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

/** The current account, unless its password changed during the check, or was an expired one-time password. */
async function findUnchanged(db: Db, { id, password_hash }: AccountToCheck, now: Date) {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where(sql<boolean>`password_holds(accounts, ${now})`)
    .executeTakeFirst()
}

type Factored = { account: FactorOwner & { totp_confirmed_at: Date | null }; request: LoginRequest }

/** The error of the second factor, if the account has one. */
async function checkFactor(db: Db, { account, request }: Factored): Promise<Problem | undefined> {
  const { code } = request.credentials
  if (!account.totp_confirmed_at) return undefined
  if (!code) return new Problem('second_factor_required', 'Enter the code of your authenticator app')
  if (await consumeCode(db, { account, box: request.box, code, now: request.now })) return undefined
  return new Problem('second_factor_required', 'Wrong code: enter the current one from the app', {
    details: [{ field: 'code', message: 'Wrong code' }],
  })
}

/** All accounts up the tree must be allowed to sign in; suspended accounts can sign in but not send. */
async function refusalOf(db: Db, path: string): Promise<Problem | undefined> {
  const status = await getAccountStatus(db, path)
  if (status === 'pending') return new Problem('forbidden', 'This account is waiting to be approved')
  if (status === 'locked' || status === 'closed')
    return new Problem('forbidden', 'This account is locked: contact your account manager')
  return undefined
}

function refused(problem: Problem): Outcome {
  return { kind: 'refused', problem }
}

const nameOf = ({ credentials: { email, username } }: LoginRequest) => (email ?? username ?? '').toLowerCase()
/** Email and username of an account share a count. */
function keysOf(request: LoginRequest, account: { id: string } | undefined): AttemptKey[] {
  return [account ? accountKey(account.id) : unknownNameKey(nameOf(request)), addressKey(networkOf(request.ip))]
}
