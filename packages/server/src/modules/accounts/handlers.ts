import type { accountEndpoints } from '@carillon/contract/accounts'
import type { Handlers } from '../../http/handlers.ts'
import { grantPermissions, listModules } from './permissions.ts'
import { findNewEmail, getProfile, updateProfile, type CheckOwnPassword } from './profile.ts'

export type AccountDeps = {
  checkOwnPassword: CheckOwnPassword
  /** Called after something about the accounts of a subtree changed: what is remembered of their sessions is out of date. */
  forget(path: string): void
}

export function accountHandlers({ checkOwnPassword, forget }: AccountDeps): Handlers<typeof accountEndpoints> {
  return {
    'profile.details': ({ db, actor }) => getProfile(db, actor),
    'profile.update': {
      withoutTransaction: async ({ scoped, actor, input: { body } }) => {
        const proven = (await scoped((db) => findNewEmail(db, { actor, changes: body })))
          ? await checkOwnPassword(scoped, actor, body.currentPassword ?? '')
          : undefined
        const profile = await scoped((db) => updateProfile(db, { actor, changes: body, proven }))
        forget(actor.reach.path)
        return profile
      },
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
