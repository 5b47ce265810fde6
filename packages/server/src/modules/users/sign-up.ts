import type { SignUpSettings } from '@carillon/contract/users'
import { Module, type Role } from '@carillon/contract/roles'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { badField } from '../../lib/problem.ts'
import { assertHas, getAccount, lockBelow, type Parent, updateAccount } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'

/** Stored settings; defaults: open, with approval. */
const StoredSignUp = z.object({
  allowRegistration: z.boolean().default(true),
  autoApprove: z.boolean().default(false),
  defaultModules: z.array(Module).default([]),
})
export type SignUp = z.infer<typeof StoredSignUp>

export type Registrar = Parent & { signUp: SignUp; name: string }

export async function getSignUp(db: Db, actor: UserActor): Promise<SignUpSettings> {
  const account = await getAccount(db, { id: actor.accountId, scope: actor.scope })
  return { ...StoredSignUp.parse(account.sign_up), mayImpersonate: account.role === 'admin' || account.may_impersonate }
}

export async function setSignUp(
  db: Db,
  { actor, settings }: { actor: UserActor; settings: SignUp },
): Promise<SignUpSettings> {
  assertHas(actor, settings.defaultModules)
  await updateAccount(db, actor.accountId, { sign_up: JSON.stringify(settings) })
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'sign_up.changed',
    object: { type: 'account', id: actor.accountId },
    details: { allowRegistration: settings.allowRegistration, autoApprove: settings.autoApprove },
  })
  return getSignUp(db, actor)
}

export async function allowImpersonation(
  db: Db,
  { actor, accountId, mayImpersonate }: { actor: UserActor; accountId: string; mayImpersonate: boolean },
): Promise<void> {
  const account = await lockBelow(db, { actor, id: accountId })
  if (account.role !== 'reseller') throw badField('userId', 'Only resellers can impersonate accounts')
  await updateAccount(db, account.id, { may_impersonate: mayImpersonate })
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: 'impersonation.allowed',
    object: { type: 'account', id: account.id },
    details: { mayImpersonate },
  })
}

/**
 * The account above a self-registration: the reseller of the requested host name's brand, else the first admin. Undefined if
 * there is none or registration is closed.
 */
export async function findRegistrar(db: Db, host: string): Promise<Registrar | undefined> {
  const branded = await db
    .selectFrom('brand_hosts')
    .select('organization_id')
    .where('host', '=', host)
    .where('is_for_links', '=', false)
    .executeTakeFirst()
  const candidates = db
    .selectFrom('accounts')
    .select(['id', 'organization_id', 'path', 'role', 'name', 'sign_up', 'status'])
  const account = await (
    branded
      ? candidates.where('id', '=', branded.organization_id)
      : candidates.where('role', '=', 'admin').where('parent_id', 'is', null).orderBy('created_at').orderBy('id')
  )
    .limit(1)
    .forShare()
    .executeTakeFirst()
  if (!account || account.status !== 'active' || !takesRegistrations(account.role)) return undefined
  const signUp = StoredSignUp.parse(account.sign_up)
  if (!signUp.allowRegistration) return undefined
  return { ...account, organizationId: account.organization_id, signUp }
}

function takesRegistrations(role: Role): boolean {
  return role === 'admin' || role === 'reseller'
}
