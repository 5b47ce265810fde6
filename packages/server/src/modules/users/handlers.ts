import type { usersEndpoints } from '@carillon/contract/users'
import type { Db } from '../../db/pool.ts'
import type { Handlers } from '../../http/handlers.ts'
import { networkOf } from '../../lib/client-address.ts'
import type { Clock } from '../../lib/clock.ts'
import { getAccount, listLimits } from '../accounts/index.ts'
import { isFirstAdminOffer, withPasswordTurn, throttleRegistrations } from '../auth/index.ts'
import { createUser, firstSecret } from './create-user.ts'
import {
  acceptInvitation,
  createInvitation,
  findInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  type OnInvitationAccepted,
} from './invitations.ts'
import { listAudit } from './list-audit.ts'
import { getUser, listUsers } from './list-users.ts'
import { moveUser } from './move-user.ts'
import { presentUser } from './present-users.ts'
import { register } from './register.ts'
import { setLimits } from './set-limits.ts'
import { setStatus, type Sending } from './set-status.ts'
import { allowImpersonation, findRegistrar, getSignUp, setSignUp } from './sign-up.ts'
import { updateUser } from './update-user.ts'

export type UsersDeps = {
  clock: Clock
  publicUrl(): string
  /** Whether mail is configured. */
  canMail: boolean
  sending: Sending
  /** Invalidates cached sessions of a subtree after its accounts changed. */
  forget(path: string): void
  onInvitationAccepted: OnInvitationAccepted
  /** An account moved, and has the modules and limits of those above it now. Called in the same transaction. */
  onMoved(db: Db, path: string): Promise<void>
}

export function usersHandlers(deps: UsersDeps): Handlers<typeof usersEndpoints> {
  return { ...waysIn(deps), ...management(deps), ...rules(deps) }
}

type WaysIn =
  | 'auth.register'
  | 'auth.registerDefault'
  | 'auth.registration'
  | 'invitations.create'
  | 'invitations.list'
  | 'invitations.resend'
  | 'invitations.revoke'
  | 'invitations.accept'

type Part<Names extends keyof typeof usersEndpoints> = Pick<Handlers<typeof usersEndpoints>, Names>

function waysIn(deps: UsersDeps): Part<WaysIn> {
  const { clock, canMail, publicUrl } = deps
  return {
    'auth.register': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const secret = await withPasswordTurn(`account:${actor.accountId}`, () => firstSecret(input.body, canMail))
        const creation = { actor, registration: input.body, secret, publicUrl: publicUrl(), now: clock.now() }
        return scoped((db) => createUser(db, creation))
      },
    },
    'auth.registerDefault': {
      withoutTransaction: ({ asSystem, input, client: { ip, host } }) =>
        withPasswordTurn(`address:${networkOf(ip)}`, async () => {
          await throttleRegistrations(asSystem, ip, clock.now())
          return register(asSystem, { registration: input.body, host, publicUrl: publicUrl() })
        }),
    },
    'auth.registration': async ({ db, input, client }) =>
      whatLinkIsGoodFor(db, { token: input.body.token, host: client.host, now: clock.now() }),
    'invitations.create': ({ db, actor, input }) =>
      createInvitation(db, { actor, input: input.body, canMail, publicUrl: publicUrl(), now: clock.now() }),
    'invitations.list': ({ db, actor, input }) => listInvitations(db, { actor, page: input.query, now: clock.now() }),
    'invitations.resend': ({ db, actor, input }) =>
      resendInvitation(db, { actor, id: input.path.id, canMail, publicUrl: publicUrl(), now: clock.now() }),
    'invitations.revoke': async ({ db, actor, input }) => {
      await revokeInvitation(db, { actor, id: input.path.id, now: clock.now() })
      return {}
    },
    'invitations.accept': {
      withoutTransaction: ({ asSystem, input, client: { ip } }) =>
        withPasswordTurn(`address:${networkOf(ip)}`, async () => {
          await throttleRegistrations(asSystem, ip, clock.now())
          return acceptInvitation(asSystem, {
            input: input.body,
            now: clock.now(),
            publicUrl: publicUrl(),
            onAccepted: deps.onInvitationAccepted,
          })
        }),
    },
  }
}

async function whatLinkIsGoodFor(db: Db, { token, host, now }: { token: string | undefined; host: string; now: Date }) {
  if (token === undefined) {
    const registrar = await findRegistrar(db, host)
    return registrar ? { kind: 'open' as const } : { kind: 'closed' as const }
  }
  if (await isFirstAdminOffer(db, token, now)) return { kind: 'first_admin' as const }
  const found = await findInvitation(db, { token, now })
  if (!found) return { kind: 'closed' as const }
  const { invitation, parent } = found
  return { kind: 'invitation' as const, email: invitation.email, organization: parent.name, type: invitation.role }
}

type Management = 'users.list' | 'users.get' | 'users.update' | 'users.setStatus' | 'users.move'

function management({ clock, sending, forget, onMoved, publicUrl, canMail }: UsersDeps): Part<Management> {
  return {
    'users.list': ({ db, actor, input }) => listUsers(db, { actor, query: input.query }),
    'users.get': ({ db, actor, input }) => getUser(db, { actor, id: input.path.userId }),
    'users.update': async ({ db, actor, input, afterCommit }) => {
      const mail = { canMail, publicUrl: publicUrl(), now: clock.now() }
      const account = await updateUser(db, { actor, changes: input.body, mail })
      afterCommit(() => forget(account.path))
      return presentUser(db, actor, account)
    },
    'users.setStatus': async ({ db, actor, input, afterCommit }) => {
      const account = await setStatus(db, {
        actor,
        accountId: input.path.userId,
        wanted: input.body,
        sending,
        now: clock.now(),
        publicUrl: publicUrl(),
      })
      afterCommit(() => forget(account.path))
      if (input.body.status !== 'active') afterCommit(() => sending.waitForSilence(account.path))
      return presentUser(db, actor, account)
    },
    'users.move': async ({ db, actor, input, afterCommit }) => {
      const { before, after } = await moveUser(db, {
        actor,
        accountId: input.path.userId,
        parentId: input.body.parentId,
        now: clock.now(),
      })
      await onMoved(db, after.path)
      afterCommit(() => forget(before.path))
      return presentUser(db, actor, after)
    },
  }
}

type Rules = 'limits.list' | 'limits.set' | 'signUp.get' | 'signUp.set' | 'signUp.allowImpersonation' | 'audit.list'

function rules({ forget }: UsersDeps): Part<Rules> {
  return {
    'limits.list': async ({ db, actor, input }) => {
      const { id } = await getAccount(db, { id: input.query.userId ?? actor.accountId, scope: actor.scope })
      return { limits: await listLimits(db, id) }
    },
    'limits.set': async ({ db, actor, input: { body } }) => ({
      limits: await setLimits(db, { actor, accountId: body.userId, wanted: body.limits }),
    }),
    'signUp.get': ({ db, actor }) => getSignUp(db, actor),
    'signUp.set': ({ db, actor, input }) => setSignUp(db, { actor, settings: input.body }),
    'signUp.allowImpersonation': async ({ db, actor, input, afterCommit }) => {
      const accountId = input.path.userId
      await allowImpersonation(db, { actor, accountId, mayImpersonate: input.body.mayImpersonate })
      afterCommit(() => forget(actor.scope.path))
      return {}
    },
    'audit.list': ({ db, actor, input }) => listAudit(db, { actor, query: input.query }),
  }
}
