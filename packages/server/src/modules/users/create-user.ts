import { randomBytes } from 'node:crypto'
import type { Registered, Registration } from '@carillon/contract/users'
import type { Module, Role } from '@carillon/contract/roles'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { badField } from '../../lib/problem.ts'
import {
  assertFits,
  assertHas,
  assertMayCreate,
  assertNamesFree,
  assertOrganizationHas,
  assertWithinLimits,
  createAccount,
  findTakenNames,
  lockParent,
  usesEveryModule,
  type AccountRow,
  type CreatedAccount,
} from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { checkPassword, hashPassword, issuePasswordLink } from '../auth/index.ts'
import { moveBalance, openOwnBalance, toUnits } from '../balance/index.ts'
import { queueMail } from '../mails/index.ts'
import { inventUsername } from './usernames.ts'

const linkValidMs = 7 * 86_400_000

export type Creation = {
  actor: UserActor
  registration: Registration
  secret: FirstSecret
  publicUrl: string
  now: Date
}

/** Creates an account below the actor's, within the actor's own permissions. */
export async function createUser(db: Db, creation: Creation): Promise<Registered> {
  const { actor, registration, secret } = creation
  const { role, parent, modules, username, opening } = await settleTerms(db, creation)
  if (registration.password)
    checkPassword(registration.password, { username, email: registration.email, role, hasTotp: false }, 'password')
  const account = await createAccount(db, {
    parent: placeOf(parent),
    role,
    username,
    email: registration.email,
    name: joins(role) ? registration.name : (registration.organization ?? registration.name),
    phone: registration.phone || undefined,
    timezone: registration.timezone,
    passwordHash: secret.hash,
    modules,
    isFirstLogin: secret.isFirstLogin,
  })
  await giveBalance(db, { actor, account, opening })
  if (secret.byLink) await mailPasswordLink(db, creation, account)
  await recordAudit(db, {
    organizationId: account.organizationId,
    ...whoActs(actor),
    action: 'account.created',
    object: { type: 'account', id: account.id },
    details: { type: role, modules: modules.join(', ') },
  })
  return {
    _id: account.id,
    type: role,
    username,
    email: registration.email,
    status: 'active',
    temporaryPassword: secret.temporaryPassword,
  }
}

type Terms = { role: Role; parent: AccountRow; modules: readonly Module[]; username: string; opening: Opening }

/** The terms of the new account, after checking them against the actor's permissions. */
async function settleTerms(db: Db, { actor, registration }: Creation): Promise<Terms> {
  const role = registration.type ?? (actor.role === 'manager' ? 'user' : 'manager')
  const parent = await placeFor(db, { actor, role, parentId: registration.parentId })
  const modules = usesEveryModule(role) ? [] : (registration.modules ?? [])
  assertHas(actor, modules)
  if (joins(role)) await assertOrganizationHas(db, { id: '', organization_id: parent.organization_id }, modules)
  const opening = openingOf(role, registration)
  const username = registration.username ?? (await inventUsername(db, registration.email))
  assertNamesFree(await findTakenNames(db, { username, email: registration.email }))
  return { role, parent, modules, username, opening }
}

/** `isOwn`: a separate balance in addition to the organisation's. */
type Opening = { isOwn: boolean; amount: number }

function openingOf(role: Role, { ownBalance, balance = 0 }: Registration): Opening {
  const isOwn = joins(role) && ownBalance === true
  const amount = toUnits(balance)
  if (amount > 0 && joins(role) && !isOwn)
    throw badField('balance', 'This account uses its organisation’s balance: give it a separate balance first')
  return { isOwn, amount }
}

type Gift = { actor: UserActor; account: CreatedAccount; opening: Opening }

async function giveBalance(db: Db, { actor, account, opening }: Gift) {
  if (opening.isOwn) await openOwnBalance(db, account)
  if (opening.amount > 0)
    await moveBalance(db, {
      actor,
      fromAccount: actor.accountId,
      toAccount: account.id,
      amountUnits: opening.amount,
      opKey: `register:${account.id}`,
      note: 'Opening balance',
    })
}

/** Whether accounts of this role join an organisation instead of founding one. */
export function joins(role: Role): boolean {
  return role === 'user' || role === 'department_head'
}

/** The parent of a new account: by default the actor, within its scope, if role and limits allow it. */
export async function placeFor(
  db: Db,
  { actor, role, parentId = actor.accountId }: { actor: UserActor; role: Role; parentId?: string | undefined },
): Promise<AccountRow> {
  const parent = await lockParent(db, { id: parentId, scope: actor.scope })
  assertMayCreate(actor.role, role)
  assertFits({ role, isFounder: false }, parent.role)
  await assertWithinLimits(db, parent.path, joins(role) ? { users: 1 } : { sub_accounts: 1 })
  return parent
}

export function placeOf(parent: AccountRow) {
  return { id: parent.id, organizationId: parent.organization_id, path: parent.path, role: parent.role }
}

export type FirstSecret = { hash: string; isFirstLogin: boolean; byLink: boolean; temporaryPassword?: string }

/** `canMail`: whether mail is configured; otherwise a temporary password is returned. */
export async function firstSecret({ password }: Registration, canMail: boolean): Promise<FirstSecret> {
  if (password) return { hash: await hashPassword(password), isFirstLogin: true, byLink: false }
  // Sixteen letters and digits; not shown to anyone if a link is mailed.
  const temporaryPassword = randomBytes(12).toString('base64url').replaceAll(/[-_]/g, 'x')
  const hash = await hashPassword(temporaryPassword)
  return canMail
    ? { hash, isFirstLogin: false, byLink: true }
    : { hash, isFirstLogin: true, byLink: false, temporaryPassword }
}

async function mailPasswordLink(
  db: Db,
  { registration, publicUrl, now }: Creation,
  account: { id: string; organizationId: string },
) {
  const token = await issuePasswordLink(db, {
    accountId: account.id,
    validUntil: new Date(now.getTime() + linkValidMs),
  })
  await queueMail(db, {
    organizationId: account.organizationId,
    to: registration.email,
    subject: 'Your account is ready: choose a password',
    body: `Hello ${registration.name},\n\nan account was created for you. Choose a password with the link below; it works once, within seven days.`,
    link: `${publicUrl}/reset-password?t=${token ?? ''}`,
  })
}
