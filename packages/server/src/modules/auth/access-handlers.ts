import type { accountAccessEndpoints } from '@carillon/contract/account-access'
import type { Handlers } from '../../http/handlers.ts'
import { confirmEmail, findEmailLink, refuseEmail } from './email-links.ts'
import { forgetBelow } from './end-sessions.ts'
import { endAccountSessions, removeSecondFactor, sendPasswordLink } from './help-account.ts'
import { setOneTimePassword } from './one-time-password.ts'
import { withPasswordTurn } from './passwords.ts'
import type { Sessions } from './sessions.ts'

type Names =
  | 'emailChange.details'
  | 'emailChange.confirm'
  | 'emailChange.refuse'
  | 'users.setOneTimePassword'
  | 'users.sendPasswordLink'
  | 'users.removeSecondFactor'
  | 'users.endSessions'

export type AccessDeps = Omit<Sessions, 'database'> & { publicUrl(): string; canMail: boolean }

export function accessHandlers(deps: AccessDeps): Pick<Handlers<typeof accountAccessEndpoints>, Names> {
  const { clock, publicUrl, canMail } = deps
  const linkOf = (token: string) => ({ token, now: clock.now(), publicUrl: publicUrl() })
  return {
    'emailChange.details': async ({ db, input }) => {
      const change = await findEmailLink(db, linkOf(input.body.token))
      if (!change) return { kind: 'gone' }
      const { kind, username, old_email: oldEmail, new_email: newEmail } = change
      return { kind, username, oldEmail, newEmail }
    },
    'emailChange.confirm': async ({ db, input, afterCommit }) => {
      const { path } = await confirmEmail(db, linkOf(input.body.token))
      afterCommit(() => forgetBelow(deps, path))
      return {}
    },
    'emailChange.refuse': async ({ db, input, afterCommit }) => {
      const { path } = await refuseEmail(db, linkOf(input.body.token))
      afterCommit(() => forgetBelow(deps, path))
      return {}
    },
    'users.setOneTimePassword': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const request = { actor, userId: input.path.userId, now: clock.now() }
        const { path, ...set } = await withPasswordTurn(`account:${actor.accountId}`, () =>
          setOneTimePassword(scoped, request),
        )
        forgetBelow(deps, path)
        return set
      },
    },
    'users.sendPasswordLink': async ({ db, actor, input }) => {
      const request = { actor, userId: input.path.userId, now: clock.now(), publicUrl: publicUrl() }
      return { ...(await sendPasswordLink(db, request)), isMailed: canMail }
    },
    'users.removeSecondFactor': async ({ db, actor, input }) => {
      await removeSecondFactor(db, { actor, userId: input.path.userId })
      return {}
    },
    'users.endSessions': async ({ db, actor, input, afterCommit }) => {
      const { ended, path } = await endAccountSessions(db, { actor, userId: input.path.userId, now: clock.now() })
      afterCommit(() => forgetBelow(deps, path))
      return { ended }
    },
  }
}
