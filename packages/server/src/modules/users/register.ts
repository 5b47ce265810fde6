import type { Registered, Registration } from '@carillon/contract/users'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { badField, Problem } from '../../lib/problem.ts'
import { assertWithinLimits, createAccount, findTakenNames } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { checkPassword, hashPassword } from '../auth/index.ts'
import { queueMail } from '../mails/index.ts'
import { notify } from '../notifications/index.ts'
import { findRegistrar, type Registrar } from './sign-up.ts'
import { inventUsername } from './usernames.ts'

export type PublicRegistration = { registration: Registration; host: string; publicUrl: string }

/**
 * Self-registration: creates a user with an organisation of their own and the lowest rights, whatever was requested. The
 * response does not reveal whether the address has an account; its owner is informed by mail.
 */
export async function register(asSystem: RunTransaction, request: PublicRegistration): Promise<Registered> {
  const { password } = request.registration
  if (!password) throw badField('password', 'Choose a password')
  // Checked before as well, so that a closed registration costs no hash.
  if (!(await asSystem((db) => findRegistrar(db, request.host)))) throw closed()
  // Before any lookup, so that a known address takes the same time.
  const passwordHash = await hashPassword(password)
  return asSystem((db) => createRegistered(db, request, { password, passwordHash }))
}

async function createRegistered(
  db: Db,
  { registration, host, publicUrl }: PublicRegistration,
  { password, passwordHash }: { password: string; passwordHash: string },
): Promise<Registered> {
  const { email } = registration
  const registrar = await findRegistrar(db, host)
  if (!registrar) throw closed()
  const username = registration.username ?? (await inventUsername(db, email))
  checkPassword(password, { username, email, role: 'user', hasTotp: false }, 'password')
  const taken = await findTakenNames(db, { username, email })
  if (taken.username) throw badField('username', 'This username is taken: choose another')

  const status = registrar.signUp.autoApprove ? 'active' : 'pending'
  const answer = { type: 'user', username, email, status } as const
  if (taken.email) {
    await notifyOwner(db, { email, publicUrl })
    return { _id: newId(), ...answer }
  }
  await assertRoom(db, registrar)
  const account = await createAccount(db, {
    parent: registrar,
    role: 'user',
    isFounder: true,
    username,
    email,
    name: registration.organization ?? registration.name,
    phone: registration.phone || undefined,
    timezone: registration.timezone,
    passwordHash,
    modules: status === 'active' ? registrar.signUp.defaultModules : [],
    status,
  })
  await notifyRegistrar(db, {
    registrar,
    accountId: account.id,
    name: registration.organization ?? registration.name,
    status,
  })
  await recordAudit(db, {
    organizationId: account.organizationId,
    actorId: account.id,
    action: 'account.registered',
    object: { type: 'account', id: account.id },
    details: { status },
  })
  return { _id: account.id, ...answer }
}

export function closed(): Problem {
  return new Problem('forbidden', 'Registration is closed: ask your account manager')
}

/** The response does not reveal the limits of the account above. */
async function assertRoom(db: Db, registrar: Registrar) {
  try {
    await assertWithinLimits(db, registrar.path, { sub_accounts: 1 })
  } catch (error) {
    throw error instanceof Problem ? closed() : error
  }
}

/** Informs the owner of an address that someone tried to register with it. */
export async function notifyOwner(db: Db, { email, publicUrl }: { email: string; publicUrl: string }) {
  const owner = await db
    .selectFrom('accounts')
    .select(['organization_id', 'email', 'username'])
    .where((where) => where.or([where('email', '=', email), where('username', '=', email)]))
    .executeTakeFirst()
  // The address is reserved for an account that can still restore it.
  if (!owner) return
  await queueMail(db, {
    organizationId: owner.organization_id,
    to: owner.email,
    subject: 'You already have an account',
    body: `Someone tried to register with this e-mail address. It already belongs to the account ${owner.username}: sign in with it, or set a new password if you forgot yours.\n\nIf it was not you, ignore this mail.`,
    link: `${publicUrl}/forget-password`,
  })
}

type CreatedAccount = { registrar: Registrar; accountId: string; name: string; status: 'active' | 'pending' }

async function notifyRegistrar(db: Db, { registrar, accountId, name, status }: CreatedAccount) {
  await notify(db, [
    {
      organizationId: registrar.organizationId,
      accountId: registrar.id,
      kind: 'account_registered',
      title: `${name} registered`,
      description: status === 'pending' ? 'Needs approval: accept or reject it.' : 'The account is active.',
      link: { type: 'account', id: accountId },
      eventKey: `account_registered:${accountId}`,
    },
  ])
}
