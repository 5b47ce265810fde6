import type { usersEndpoints, Invitation, Registered } from '@carillon/contract/users'
import type { Input } from '@carillon/contract/endpoint'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import { Module } from '@carillon/contract/roles'
import { sql, type Selectable } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { Invitations } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { newId, newToken, sha256 } from '../../lib/ids.ts'
import { badField, conflict, notFound } from '../../lib/problem.ts'
import {
  assertHas,
  assertOrganizationHas,
  assertWithinLimits,
  createAccount,
  findTakenNames,
  getAccountStatus,
  usesEveryModule,
  type AccountRow,
} from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { checkPassword, hashPassword } from '../auth/index.ts'
import { openOwnBalance } from '../balance/index.ts'
import { queueMail } from '../mails/index.ts'
import { notify } from '../notifications/index.ts'
import { joins, placeFor, placeOf } from './create-user.ts'
import { notifyOwner } from './register.ts'

const validMs = 7 * 86_400_000

type InvitationRow = Selectable<Invitations>

export type NewInvitation = {
  actor: UserActor
  input: Input<(typeof usersEndpoints)['invitations.create']>['body']
  canMail: boolean
  publicUrl: string
  now: Date
}

/** Invites a person by mail. Role and modules are fixed now; limits are checked on acceptance. */
export async function createInvitation(
  db: Db,
  { actor, input, canMail, publicUrl, now }: NewInvitation,
): Promise<Invitation & { link?: string | undefined }> {
  const { email, type: role } = input
  const parent = await placeFor(db, { actor, role, parentId: input.parentId })
  const modules = usesEveryModule(role) ? [] : input.modules
  assertHas(actor, modules)
  if (joins(role)) await assertOrganizationHas(db, { id: '', organization_id: parent.organization_id }, modules)
  if ((await findTakenNames(db, { username: undefined, email })).email)
    throw badField('email', 'This e-mail address belongs to another account')

  await revokeOpen(db, { organizationId: actor.organizationId, email, now })
  const token = newToken()
  const row = await db
    .insertInto('invitations')
    .values({
      organization_id: actor.organizationId,
      id: newId(),
      path: actor.scope.path,
      parent_id: parent.id,
      token_hash: sha256(token),
      email,
      role,
      modules: [...modules],
      own_balance: joins(role) && input.ownBalance,
      created_by: actor.accountId,
      created_at: now,
      expires_at: new Date(now.getTime() + validMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const link = await mailInvitation(db, { actor, email, at: joins(role) ? parent.name : undefined, token, publicUrl })
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'invitation.sent',
    object: { type: 'invitation', id: row.id },
    details: { email, type: role },
  })
  return { ...present({ ...row, inviter: await nameOf(db, actor) }, now), link: canMail ? undefined : link }
}

type InvitationMail = { actor: UserActor; email: string; at: string | undefined; token: string; publicUrl: string }

/** Returns the link in the mail. */
async function mailInvitation(db: Db, { actor, email, at, token, publicUrl }: InvitationMail): Promise<string> {
  const link = `${publicUrl}/register?t=${token}`
  await queueMail(db, {
    organizationId: actor.organizationId,
    to: email,
    subject: `${await nameOf(db, actor)} invites you`,
    body: `You are invited to an account${at ? ` at ${at}` : ''}. Create it with the link below; it works once, within seven days.`,
    link,
  })
  return link
}

export type Resend = Pick<NewInvitation, 'actor' | 'canMail' | 'publicUrl' | 'now'> & { id: string }

/** Resends a pending or expired invitation. The previous link stops working. */
export async function resendInvitation(
  db: Db,
  { actor, id, canMail, publicUrl, now }: Resend,
): Promise<Invitation & { link?: string | undefined }> {
  const row = await lockInvitation(db, { actor, id })
  if (row.accepted_at) throw conflict('This invitation was accepted')
  if (row.revoked_at) throw conflict('This invitation was revoked: send a new one')
  await revokeOpen(db, { organizationId: row.organization_id, email: row.email, now, except: id })
  const token = newToken()
  const renewed = await db
    .updateTable('invitations')
    .set({ token_hash: sha256(token), expires_at: new Date(now.getTime() + validMs) })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ name: string | null }>`select name_above(${row.parent_id}::uuid) as name`.execute(db)
  const at = joins(row.role) ? (rows[0]?.name ?? undefined) : undefined
  const link = await mailInvitation(db, { actor, email: row.email, at, token, publicUrl })
  await recordAudit(db, {
    organizationId: row.organization_id,
    ...whoActs(actor),
    action: 'invitation.resent',
    object: { type: 'invitation', id },
    details: { email: row.email },
  })
  return { ...present({ ...renewed, inviter: await nameOf(db, actor) }, now), link: canMail ? undefined : link }
}

type Open = { organizationId: string; email: string; now: Date; except?: string }

/** An address has one pending invitation: a new one replaces earlier ones. */
async function revokeOpen(db: Db, { organizationId, email, now, except }: Open): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ revoked_at: now })
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
    .execute()
}

async function lockInvitation(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<InvitationRow> {
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .where(within(actor.scope))
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Invitation')
  return row
}

export async function listInvitations(
  db: Db,
  { actor, page, now }: { actor: UserActor; page: PageQuery; now: Date },
): Promise<{ invitations: Invitation[]; total: number; totalPages: number; currentPage: number }> {
  const { count } = await db
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(within(actor.scope))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.id', 'invitations.created_by')
    .selectAll('invitations')
    .select('accounts.name as inviter')
    .where(within(actor.scope, 'invitations.path'))
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id', 'desc')
    .limit(page.limit)
    .offset((page.page - 1) * page.limit)
    .execute()
  return {
    invitations: rows.map((row) => present(row, now)),
    total: count,
    totalPages: paginate(page, count).totalPages,
    currentPage: page.page,
  }
}

/** Idempotent; an accepted invitation cannot be revoked. */
export async function revokeInvitation(db: Db, { actor, id, now }: { actor: UserActor; id: string; now: Date }) {
  const row = await lockInvitation(db, { actor, id })
  if (row.accepted_at) throw conflict('This invitation was accepted: suspend or close the account instead')
  if (row.revoked_at) return
  await db
    .updateTable('invitations')
    .set({ revoked_at: now })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', id)
    .execute()
  await recordAudit(db, {
    organizationId: row.organization_id,
    ...whoActs(actor),
    action: 'invitation.revoked',
    object: { type: 'invitation', id },
    details: { email: row.email },
  })
}

/** The invitation of a link; undefined if it was used, revoked or has expired. */
export async function findInvitation(
  db: Db,
  { token, now }: { token: string; now: Date },
): Promise<{ invitation: InvitationRow; parent: AccountRow } | undefined> {
  const invitation = await db
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', sha256(token))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  if (!invitation) return undefined
  const parent = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', invitation.parent_id)
    .forShare()
    .executeTakeFirst()
  if (!parent) return undefined
  const status = await getAccountStatus(db, parent.path)
  return status === 'active' || status === 'suspended' ? { invitation, parent } : undefined
}

/** Called with the new account in the transaction that creates it. */
export type OnInvitationAccepted = (
  db: Db,
  accepted: { invitationId: string; organizationId: string; accountId: string },
) => Promise<void>

export type Acceptance = {
  input: Input<(typeof usersEndpoints)['invitations.accept']>['body']
  now: Date
  publicUrl: string
  onAccepted: OnInvitationAccepted
}

/** Creates the account. The invitation is locked, so that of two concurrent requests one fails. */
export async function acceptInvitation(asSystem: RunTransaction, acceptance: Acceptance): Promise<Registered> {
  const { input, now } = acceptance
  // Checked before as well, so that an invalid invitation costs no hash.
  if (!(await asSystem((db) => findInvitation(db, { token: input.token, now })))) throw invalidLink()
  const passwordHash = await hashPassword(input.password)
  return asSystem((db) => createInvited(db, acceptance, passwordHash))
}

const invalidLink = () => badField('token', 'This invitation is no longer valid: ask for a new one')

async function createInvited(db: Db, acceptance: Acceptance, passwordHash: string): Promise<Registered> {
  const { input, now, publicUrl, onAccepted } = acceptance
  const found = await findInvitation(db, { token: input.token, now })
  if (!found) throw invalidLink()
  const { invitation, parent } = found
  const owner = { username: input.username, email: invitation.email, role: invitation.role, hasTotp: false }
  checkPassword(input.password, owner, 'password')
  const taken = await findTakenNames(db, { username: input.username, email: invitation.email })
  if (taken.username) throw badField('username', 'This username is taken: choose another')
  const answer = { type: invitation.role, username: input.username, email: invitation.email, status: 'active' } as const
  if (taken.email) {
    // The response is the same, so that it does not reveal whether the address has an account. Its owner is informed by
    // mail.
    await notifyOwner(db, { email: invitation.email, publicUrl })
    await db
      .updateTable('invitations')
      .set({ revoked_at: now })
      .where('organization_id', '=', invitation.organization_id)
      .where('id', '=', invitation.id)
      .execute()
    return { _id: newId(), ...answer }
  }
  await assertWithinLimits(db, parent.path, joins(invitation.role) ? { users: 1 } : { sub_accounts: 1 })

  const account = await createAccount(db, {
    parent: placeOf(parent),
    role: invitation.role,
    username: input.username,
    email: invitation.email,
    name: joins(invitation.role) ? input.name : (input.organization ?? input.name),
    passwordHash,
    modules: await stillGiven(db, invitation, parent),
  })
  if (invitation.own_balance) await openOwnBalance(db, account)
  await db
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('organization_id', '=', invitation.organization_id)
    .where('id', '=', invitation.id)
    .execute()
  await onAccepted(db, {
    invitationId: invitation.id,
    organizationId: account.organizationId,
    accountId: account.id,
  })
  await recordAudit(db, {
    organizationId: account.organizationId,
    actorId: account.id,
    action: 'invitation.accepted',
    object: { type: 'account', id: account.id },
  })
  await notify(db, [
    {
      organizationId: invitation.organization_id,
      accountId: invitation.created_by,
      kind: 'account_registered',
      title: `${input.name} accepted your invitation`,
      description: `${input.username} is active now.`,
      link: { type: 'account', id: account.id },
      eventKey: `account_registered:${account.id}`,
    },
  ])
  return { _id: account.id, ...answer }
}

/** Drops modules the organisation has lost since the invitation. */
async function stillGiven(db: Db, { role, modules }: InvitationRow, parent: AccountRow): Promise<Module[]> {
  const wanted = modules.map((module) => Module.parse(module))
  if (!joins(role)) return wanted
  const rows = await db
    .selectFrom('account_modules')
    .select('module')
    .where('organization_id', '=', parent.organization_id)
    .where('account_id', '=', parent.organization_id)
    .execute()
  return wanted.filter((module) => rows.some((row) => row.module === module))
}

async function nameOf(db: Db, { accountId }: UserActor): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from accounts where id = ${accountId}::uuid`.execute(db)
  return rows[0]?.name ?? ''
}

function present(row: InvitationRow & { inviter: string }, now: Date): Invitation {
  return {
    _id: row.id,
    email: row.email,
    type: row.role,
    modules: row.modules.map((module) => Module.parse(module)),
    status: row.accepted_at ? 'accepted' : row.revoked_at ? 'revoked' : row.expires_at <= now ? 'expired' : 'open',
    invitedBy: row.inviter,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}
