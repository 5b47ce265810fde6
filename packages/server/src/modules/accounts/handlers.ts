import type { accountAccessEndpoints } from '@carillon/contract/account-access'
import type { accountEndpoints } from '@carillon/contract/accounts'
import type { Db } from '../../db/pool.ts'
import type { Handlers } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import { grantPermissions, listModules } from './permissions.ts'
import { cancelEmailChange, resendEmailChange, type MailOptions } from './email-changes.ts'
import { findNewEmail, getProfile, updateProfile, type CheckOwnPassword } from './profile.ts'

export type AccountDeps = {
  checkOwnPassword: CheckOwnPassword
  clock: Clock
  /** Whether mail is configured. */
  canMail: boolean
  publicUrl(): string
  /** Invalidates cached sessions of a subtree after its accounts changed. */
  forget(path: string): void
  /** Modules of an account were revoked, which it and the accounts below cannot use any more. Called in the same transaction. */
  onModulesRevoked(db: Db, path: string): Promise<void>
}

type Names = 'emailChange.resend' | 'emailChange.cancel'
type AccountHandlers = Handlers<typeof accountEndpoints> & Pick<Handlers<typeof accountAccessEndpoints>, Names>

export function accountHandlers({
  checkOwnPassword,
  forget,
  onModulesRevoked,
  clock,
  ...mail
}: AccountDeps): AccountHandlers {
  const mailOptions = (): MailOptions => ({
    canMail: mail.canMail,
    publicUrl: mail.publicUrl(),
    now: clock.now(),
  })
  return {
    'profile.details': ({ db, actor }) => getProfile(db, actor),
    'profile.update': {
      withoutTransaction: async ({ scoped, actor, input: { body } }) => {
        const proven = (await scoped((db) => findNewEmail(db, { actor, changes: body })))
          ? await checkOwnPassword(scoped, actor, body.currentPassword ?? '')
          : undefined
        const profile = await scoped((db) => updateProfile(db, { actor, changes: body, proven, mail: mailOptions() }))
        forget(actor.scope.path)
        return profile
      },
    },
    'emailChange.resend': async ({ db, actor, input }) => {
      await resendEmailChange(db, { actor, userId: input.body.userId }, mailOptions())
      return {}
    },
    'emailChange.cancel': async ({ db, actor, input }) => {
      await cancelEmailChange(db, { actor, userId: input.body.userId }, clock.now())
      return {}
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
      if (body.modulePermissions.some(({ granted }) => !granted)) await onModulesRevoked(db, account.path)
      afterCommit(() => forget(account.path))
      return { modulePermissions: named(modules) }
    },
  }
}

function named<Name extends string>(modules: readonly Name[]): { moduleName: Name }[] {
  return modules.map((moduleName) => ({ moduleName }))
}
