import type { accountEndpoints } from '@carillon/contract/accounts'
import type { Handlers } from '../../http/handlers.ts'
import { grantPermissions, listModules } from './permissions.ts'
import { getProfile, updateProfile, type VerifyPassword } from './profile.ts'

export type AccountDeps = {
  verifyPassword: VerifyPassword
  /** Called after something about the accounts of a subtree changed: what is remembered of their sessions is out of date. */
  forget(path: string): void
}

export function accountHandlers({ verifyPassword, forget }: AccountDeps): Handlers<typeof accountEndpoints> {
  return {
    'profile.details': ({ db, actor }) => getProfile(db, actor),
    'profile.update': async ({ db, actor, input, afterCommit }) => {
      afterCommit(() => forget(actor.reach.path))
      return updateProfile(db, { actor, changes: input.body, verifyPassword })
    },
    'permissions.list': async ({ db, actor, input }) => ({
      modulePermissions: named(await listModules(db, actor, input.query.userId ?? actor.accountId)),
    }),
    'permissions.grant': async ({ db, actor, input: { body }, afterCommit }) => {
      const { account, modules } = await grantPermissions(db, {
        actor,
        accountId: body.userId,
        grants: body.modulePermissions,
      })
      afterCommit(() => forget(account.path))
      return { modulePermissions: named(modules) }
    },
  }
}

function named<Name extends string>(modules: readonly Name[]): { moduleName: Name }[] {
  return modules.map((moduleName) => ({ moduleName }))
}
