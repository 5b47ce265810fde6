import type { Input } from '@carillon/contract/endpoint'
import type { usersEndpoints } from '@carillon/contract/users'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict } from '../../lib/problem.ts'
import {
  assertMayEnter,
  assertNamesFree,
  findTakenNames,
  getAccount,
  lockBelow,
  requestEmailChange,
  type AccountRow,
  type MailOptions,
  updateAccount,
} from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'

type Changes = Input<(typeof usersEndpoints)['users.update']>['body']

export type UserUpdate = { actor: UserActor; changes: Changes; mail: MailOptions }

/**
 * Updates an account below. Control of the e-mail address means control of the account, so changing it requires the right to
 * enter the account, and takes effect only when confirmed.
 */
export async function updateUser(db: Db, { actor, changes, mail }: UserUpdate): Promise<AccountRow> {
  const account = await lockBelow(db, { actor, id: changes.userId })
  if (account.status === 'closed') throw conflict('This account is closed')
  const { email: newEmail, ...set } = changed(account, changes)
  if (newEmail) {
    await assertMayEnter(db, actor, account)
    await requestEmailChange(db, { ...mail, actor, account, newEmail })
  }
  const fields = Object.keys(set)
  if (fields.length === 0) return getAccount(db, { id: account.id, scope: actor.scope })
  assertNamesFree(await findTakenNames(db, { username: otherThan(account.email, set.username), email: undefined }))

  const updated = await updateAccount(db, account.id, set)
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: 'account.updated',
    object: { type: 'account', id: account.id },
    details: { fields: fields.join(', ') },
  })
  return updated
}

type Details = {
  name?: string | undefined
  username?: string | undefined
  email?: string | undefined
  phone?: string | null
  timezone?: string | undefined
}

/** The changed fields. Case changes of a login are not conflicts. */
function changed(account: AccountRow, { name, username, email, phone, timezone }: Changes): Details {
  return {
    ...(differs(name, account.name) ? { name } : {}),
    ...(differs(username?.toLowerCase(), account.username.toLowerCase()) ? { username } : {}),
    ...(differs(email?.toLowerCase(), account.email.toLowerCase()) ? { email } : {}),
    ...(differs(phone, account.phone ?? '') ? { phone: phone || null } : {}),
    ...(differs(timezone, account.timezone) ? { timezone } : {}),
  }
}

function differs(wanted: string | undefined, present: string): boolean {
  return wanted !== undefined && wanted !== present
}

/** Excludes the account's own other login from the uniqueness check. */
function otherThan(own: string, name: string | undefined): string | undefined {
  return name?.toLowerCase() === own.toLowerCase() ? undefined : name
}
