import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId, newToken, sha256 } from '../../lib/ids.ts'
import { conflict, notFound, Problem } from '../../lib/problem.ts'
import { recordAudit } from '../audit/index.ts'
import { queueMail } from '../mails/index.ts'
import { notify } from '../notifications/index.ts'
import { assertNamesFree, getAccount, type AccountRow } from './find-account.ts'
import { endEmailChange, replacePendingEmail, saveEmail } from './write-email.ts'
import { assertMayEnter } from './may-enter.ts'

const validHours = 24
/** Maximum change requests, and mails to the new address, per hour. */
const mostAnHour = 5
const mostMails = 5

export type MailOptions = { canMail: boolean; publicUrl: string; now: Date }

export type EmailRequest = MailOptions & { actor: UserActor; account: AccountRow; newEmail: string }

/**
 * Requests a new e-mail address. The new address must confirm it, and the old one can cancel it. Neither the response nor
 * the screen reveals whether the address belongs to another account: its owner is informed by mail. Without a mail server
 * the address changes immediately.
 */
export async function requestEmailChange(db: Db, request: EmailRequest): Promise<void> {
  const { account, newEmail, canMail, now } = request
  await assertFewRequests(db, account, now)
  await replacePendingEmail(db, account, now)
  if (!canMail) return changeAtOnce(db, request)

  const [confirm, refuse] = [newToken(), newToken()]
  await db
    .insertInto('email_changes')
    .values({
      organization_id: account.organization_id,
      id: newId(),
      account_id: account.id,
      old_email: account.email,
      new_email: newEmail,
      requested_by: request.actor.accountId,
      requested_at: now,
      expires_at: new Date(now.getTime() + validHours * 3_600_000),
      confirm_hash: sha256(confirm),
      refuse_hash: sha256(refuse),
    })
    .execute()
  await mailNewAddress(db, { ...request, token: confirm })
  await mailOldAddress(db, request, refuse)
  await recordForBoth(db, { ...request, action: 'email.change_requested', details: { to: newEmail } })
}

/** Mails a new link to the new address; the previous one stops working. */
export async function resendEmailChange(db: Db, whose: Whose, options: MailOptions): Promise<void> {
  const { actor, account, change } = await lockPending(db, whose)
  if (change.mails_sent >= mostMails) throw tooMany()
  const token = newToken()
  await db
    .updateTable('email_changes')
    .set({
      confirm_hash: sha256(token),
      mails_sent: change.mails_sent + 1,
      expires_at: new Date(options.now.getTime() + validHours * 3_600_000),
    })
    .where('organization_id', '=', change.organization_id)
    .where('id', '=', change.id)
    .execute()
  await mailNewAddress(db, { ...options, actor, account, newEmail: change.new_email, token })
  await recordForBoth(db, { actor, account, action: 'email.change_resent', details: { to: change.new_email } })
}

export async function cancelEmailChange(db: Db, whose: Whose, now: Date): Promise<void> {
  const { actor, account, change } = await lockPending(db, whose)
  await endEmailChange(db, change, { now, outcome: 'cancelled' })
  await recordForBoth(db, { actor, account, action: 'email.change_cancelled', details: { to: change.new_email } })
}

/** The pending e-mail address as a column of a query on accounts; null without one. `account`: what the query calls them. */
export function pendingEmailOf(account: string): RawBuilder<{ email: string; expires_at: string } | null> {
  return sql`(select json_build_object('email', new_email, 'expires_at', expires_at) from email_changes
    where organization_id = ${sql.ref(`${account}.organization_id`)} and account_id = ${sql.ref(`${account}.id`)}
      and applied_at is null and ended_at is null and expires_at > now() limit 1)`
}

/** Whether another account has the address, or can still restore it. */
export async function isEmailTaken(db: Db, { email, accountId }: { email: string; accountId: string }) {
  const { rows } = await sql<{ taken: boolean }>`
    select email_taken(${email}::citext, ${accountId}::uuid) as taken`.execute(db)
  return rows[0]?.taken ?? true
}

export type Whose = { actor: UserActor; userId: string | undefined }

async function lockPending(db: Db, { actor, userId = actor.accountId }: Whose) {
  const account = await getAccount(db, { id: userId, scope: actor.scope })
  if (userId !== actor.accountId) await assertMayEnter(db, actor, account)
  const change = await pendingOf(db, account).forUpdate().executeTakeFirst()
  if (!change) throw notFound('Change of e-mail address')
  return { actor, account, change }
}

function pendingOf(db: Db, account: Pick<AccountRow, 'id' | 'organization_id'>) {
  return db
    .selectFrom('email_changes')
    .selectAll()
    .where('organization_id', '=', account.organization_id)
    .where('account_id', '=', account.id)
    .where('applied_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
}

async function assertFewRequests(db: Db, account: AccountRow, now: Date) {
  const { count } = await db
    .selectFrom('email_changes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', account.organization_id)
    .where('account_id', '=', account.id)
    .where('requested_at', '>', new Date(now.getTime() - 3_600_000))
    .executeTakeFirstOrThrow()
  if (count >= mostAnHour) throw tooMany()
}

function tooMany(): Problem {
  return new Problem('too_many_requests', 'The address was changed too often: try again in an hour', {
    retryAfter: 3600,
  })
}

async function changeAtOnce(db: Db, request: EmailRequest): Promise<void> {
  const { account, newEmail } = request
  const email = await isEmailTaken(db, { email: newEmail, accountId: account.id })
  assertNamesFree({ username: false, email })
  if (!(await saveEmail(db, { accountId: account.id, from: account.email, to: newEmail })))
    throw conflict('This e-mail address was just taken: choose another')
  await queueMail(db, {
    organizationId: account.organization_id,
    to: account.email,
    subject: 'Your e-mail address was changed',
    body: `The account ${account.username} now uses ${newEmail}.\n\nIf this is not right, contact your account manager.`,
  })
  await notifyAccount(db, request, `The e-mail address is now ${newEmail}.`)
  await recordForBoth(db, { ...request, action: 'email.changed', details: { from: account.email, to: newEmail } })
}

async function mailNewAddress(db: Db, { account, newEmail, publicUrl, token }: EmailRequest & { token: string }) {
  const taken = await isEmailTaken(db, { email: newEmail, accountId: account.id })
  await queueMail(db, {
    organizationId: account.organization_id,
    to: newEmail,
    ...(taken
      ? {
          subject: 'This address already has an account',
          body: 'Someone asked to use this e-mail address for another account. It already belongs to an account, so nothing was changed.\n\nIf it was you, sign in to the account that has this address.',
        }
      : {
          subject: 'Confirm your new e-mail address',
          body: `Confirm that the account ${account.username} should use this e-mail address. The link works once, within ${validHours} hours.\n\nIf you do not know this account, ignore this mail.`,
          link: `${publicUrl}/reset-password?e=${token}`,
        }),
  })
}

async function mailOldAddress(db: Db, request: EmailRequest, token: string) {
  const { actor, account, newEmail, publicUrl } = request
  const isOwn = actor.accountId === account.id
  const who = isOwn ? 'You' : await nameOf(db, actor)
  await queueMail(db, {
    organizationId: account.organization_id,
    to: account.email,
    subject: 'Your e-mail address will change',
    body: `${who} asked to change the e-mail address of the account ${account.username} to ${newEmail}. It changes when the new address is confirmed.\n\nIf this is not right, refuse it with the link. The link also undoes the change for ${validHours} hours after it took effect.${isOwn ? ' If it was not you, someone knows your password: change it.' : ''}`,
    link: `${publicUrl}/reset-password?e=${token}`,
  })
  await notifyAccount(db, request, `${newEmail} is the new e-mail address, pending confirmation.`)
}

/** A notification for changes made by another account. */
async function notifyAccount(db: Db, { actor, account }: EmailRequest, description: string) {
  if (actor.accountId === account.id) return
  await notify(db, [
    {
      organizationId: account.organization_id,
      accountId: account.id,
      kind: 'account_security',
      title: `${await nameOf(db, actor)} changed your e-mail address`,
      description,
      link: { type: 'account', id: account.id },
      eventKey: `account_security:${newId()}`,
    },
  ])
}

async function nameOf(db: Db, { accountId, username }: UserActor): Promise<string> {
  const row = await db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirst()
  return row?.name ?? username
}

type TwoNames = {
  actor: Pick<UserActor, 'accountId' | 'username' | 'organizationId'>
  account: Pick<AccountRow, 'id' | 'username' | 'organization_id'>
  action: string
  details: Record<string, string>
}

/** An audit entry in each of the two organisations, with both names. */
export async function recordForBoth(db: Db, { actor, account, action, details }: TwoNames): Promise<void> {
  for (const organizationId of new Set([account.organization_id, actor.organizationId]))
    await recordAudit(db, {
      organizationId,
      actorId: actor.accountId,
      subjectId: account.id === actor.accountId ? undefined : account.id,
      action,
      object: { type: 'account', id: account.id },
      details: { ...details, actor: actor.username, subject: account.username },
    })
}
