import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { newToken, sha256 } from '../../lib/ids.ts'
import { badField } from '../../lib/problem.ts'
import {
  endEmailChange,
  isEmailTaken,
  markEmailChanged,
  recordForBoth,
  replacePendingEmail,
  saveEmail,
  savePassword,
} from '../accounts/index.ts'
import { queueMail } from '../mails/index.ts'
import { issuePasswordLink } from './password-links.ts'
import { unmatchedHash } from './passwords.ts'

/** How long the old address can undo a change, and password resets by mail are withheld. */
export const undoHours = 24

export type EmailLink = { token: string; now: Date; publicUrl: string }

type Change = {
  id: string
  account_id: string
  organization_id: string
  old_email: string
  new_email: string
  requested_by: string
  username: string
  email: string
  path: string
  kind: 'confirm' | 'refuse' | 'undo'
}

/** The current action of a link; undefined if it was used or has expired, or the requester may no longer enter the account. */
export async function findEmailLink(db: Db, { token, now }: Pick<EmailLink, 'token' | 'now'>) {
  const hash = sha256(token)
  const undoableSince = new Date(now.getTime() - undoHours * 3_600_000)
  const { rows } = await sql<Change>`
    select change.id, change.account_id, change.organization_id, change.old_email::text, change.new_email::text,
      change.requested_by, account.username::text, account.email::text, account.path::text,
      case when change.applied_at is not null then 'undo' when change.confirm_hash = ${hash} then 'confirm' else 'refuse' end as kind
    from email_changes change
    join accounts account on account.organization_id = change.organization_id and account.id = change.account_id
    where change.ended_at is null and account.status <> 'closed' and (
      (change.applied_at is null and change.expires_at > ${now} and (change.refuse_hash = ${hash}
        or (change.confirm_hash = ${hash}
          and (change.requested_by = change.account_id or may_enter(change.requested_by, change.account_id)))))
      or (change.applied_at > ${undoableSince} and (change.refuse_hash = ${hash} or change.undo_hash = ${hash})))
    for update of change`.execute(db)
  return rows[0]
}

/** Applies the new address. Links mailed to the old one stop working. */
export async function confirmEmail(db: Db, link: EmailLink): Promise<{ path: string }> {
  const change = await findEmailLink(db, link)
  const { now } = link
  if (change?.kind !== 'confirm') throw invalidLink()
  if (await isEmailTaken(db, { email: change.new_email, accountId: change.account_id })) throw invalidLink()
  await setEmail(db, change, change.new_email)
  await dropPasswordLinks(db, change, now)
  const undo = newToken()
  await markEmailChanged(db, change, { now, undoHash: sha256(undo) })
  await queueMail(db, {
    organizationId: change.organization_id,
    to: change.old_email,
    subject: 'Your e-mail address was changed',
    body: `The account ${change.username} now uses ${change.new_email}.\n\nIf this is not right, undo it with the link within ${undoHours} hours. Every session is then ended, and you choose a new password.`,
    link: `${link.publicUrl}/reset-password?e=${undo}`,
  })
  await queueMail(db, {
    organizationId: change.organization_id,
    to: change.new_email,
    subject: 'Your e-mail address was changed',
    body: `The account ${change.username} now uses this address. For ${undoHours} hours its password cannot be reset by mail.`,
  })
  await audit(db, change, { action: 'email.changed', from: change.old_email, to: change.new_email })
  return { path: change.path }
}

/** Cancels a pending change, or undoes an applied one. */
export async function refuseEmail(db: Db, link: EmailLink): Promise<{ path: string }> {
  const change = await findEmailLink(db, link)
  if (!change || change.kind === 'confirm') throw invalidLink()
  if (change.kind === 'undo') await undoChange(db, link, change)
  const outcome = change.kind === 'undo' ? 'undone' : 'refused'
  await endEmailChange(db, change, { now: link.now, outcome })
  await audit(db, change, { action: `email.change_${outcome}`, from: change.old_email, to: change.new_email })
  return { path: change.path }
}

/** Whoever changed the address may know the password too: it is disabled, and the old address gets a reset link. */
async function undoChange(db: Db, { now, publicUrl }: EmailLink, change: Change) {
  // A later change is undone by its own link.
  if (change.email !== change.new_email) throw invalidLink()
  if (await isEmailTaken(db, { email: change.old_email, accountId: change.account_id })) throw invalidLink()
  await setEmail(db, change, change.old_email)
  await savePassword(db, { accountId: change.account_id, passwordHash: unmatchedHash })
  await replacePendingEmail(db, { organization_id: change.organization_id, id: change.account_id }, now)
  await sql`update sessions set ended_at = ${now}
    where ended_at is null and (account_id = ${change.account_id} or actor_id = ${change.account_id})`.execute(db)
  const token = await issuePasswordLink(db, {
    accountId: change.account_id,
    validUntil: new Date(now.getTime() + undoHours * 3_600_000),
  })
  await queueMail(db, {
    organizationId: change.organization_id,
    to: change.old_email,
    subject: 'The change of your e-mail address was undone',
    body: `The account ${change.username} uses this address again. All sessions were ended, and the password no longer works. Choose a new one with the link, within ${undoHours} hours.`,
    link: `${publicUrl}/reset-password?t=${token ?? ''}`,
  })
}

async function setEmail(db: Db, change: Change, email: string) {
  if (!(await saveEmail(db, { accountId: change.account_id, from: change.email, to: email }))) throw invalidLink()
}

async function dropPasswordLinks(db: Db, change: Change, now: Date) {
  await sql`update password_resets set used_at = ${now}
    where organization_id = ${change.organization_id} and account_id = ${change.account_id} and used_at is null`.execute(
    db,
  )
}

async function audit(db: Db, change: Change, { action, ...details }: { action: string; from: string; to: string }) {
  const { rows } = await sql<{ username: string; organization_id: string }>`
    select username::text, organization_id from accounts where id = ${change.requested_by}`.execute(db)
  await recordForBoth(db, {
    // The owner acts through the link; the entry names the requester.
    actor: { accountId: change.account_id, username: change.username, organizationId: change.organization_id },
    account: { id: change.account_id, username: change.username, organization_id: change.organization_id },
    action,
    details: { ...details, requestedBy: rows[0]?.username ?? '' },
  })
}

const invalidLink = () => badField('token', 'This link is no longer valid')
