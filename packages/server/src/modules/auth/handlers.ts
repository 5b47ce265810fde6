import type { authEndpoints } from '@carillon/contract/auth'
import type { Db } from '../../db/pool.ts'
import type { SessionActor } from '../../actor.ts'
import type { Handlers } from '../../http/handlers.ts'
import { networkOf } from '../../lib/client-address.ts'
import type { Logger } from '../../lib/logger.ts'
import { conflict } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { forgetBelow } from './end-sessions.ts'
import { createFirstAdmin } from './first-admin.ts'
import { createIncidentLog } from './incident-log.ts'
import { exitImpersonation, impersonate } from './impersonate.ts'
import { endOtherSessions, endOwnSession, listSessions } from './list-sessions.ts'
import { login } from './login.ts'
import { changePassword, checkOwnPassword, lockUnchanged } from './own-password.ts'
import { withPasswordTurn } from './passwords.ts'
import { resetPassword, sendResetLink } from './reset-password.ts'
import { clearSecondFactor } from '../accounts/index.ts'
import { beginTotp, confirmTotp } from './second-factor.ts'
import { endSession, type Sessions } from './sessions.ts'
import { issueTicket } from './tickets.ts'

export type AuthDeps = Omit<Sessions, 'database'> & {
  logger: Logger
  secretBox: SecretBox
  /** Base URL of links in mails; never derived from a request. */
  publicUrl(): string
  canMail: boolean
}

type AuthHandlers = Handlers<typeof authEndpoints>

export function authHandlers(deps: AuthDeps): AuthHandlers {
  return { ...entryHandlers(deps), ...passwordHandlers(deps), ...sessionHandlers(deps), ...factorHandlers(deps) }
}

type Entry = 'auth.login' | 'auth.reportIncident' | 'auth.logout' | 'auth.firstAdmin' | 'realtime.ticket'

function entryHandlers(deps: AuthDeps): Pick<AuthHandlers, Entry> {
  const { clock, sessionHours, secretBox: box } = deps
  const logIncident = createIncidentLog(deps)
  return {
    'auth.login': {
      withoutTransaction: ({ asSystem, input, client }) =>
        login(asSystem, { credentials: input.body, ...client, now: clock.now(), sessionHours, box }),
    },
    'auth.reportIncident': {
      withoutTransaction: async ({ input, client }) => {
        logIncident(input.body.address, client)
        return {}
      },
    },
    'auth.logout': async ({ db, actor, afterCommit }) => {
      await endSession(db, actor.sessionId, clock.now())
      await note(db, { actor, action: 'session.ended' })
      afterCommit(() => forget(deps, actor.sessionId))
      return {}
    },
    'auth.firstAdmin': {
      withoutTransaction: async ({ asSystem, input, client }) => {
        await withPasswordTurn(`address:${networkOf(client.ip)}`, () =>
          createFirstAdmin(asSystem, input.body, clock.now()),
        )
        return {}
      },
    },
    'realtime.ticket': async ({ db, actor }) => ({ ticket: await issueTicket(db, actor, clock.now()) }),
  }
}

type Password = 'auth.sendResetLink' | 'auth.resetPassword' | 'auth.changePassword'

function passwordHandlers(deps: AuthDeps): Pick<AuthHandlers, Password> {
  const { clock, sessionHours, publicUrl, canMail } = deps
  return {
    'auth.sendResetLink': {
      withoutTransaction: async ({ asSystem, input }) => {
        // Not awaited: a known address must not take longer than an unknown one.
        sendResetLink(asSystem, { ...input.body, now: clock.now(), publicUrl: publicUrl() }).catch(() => undefined)
        return { canMail }
      },
    },
    'auth.resetPassword': {
      withoutTransaction: async ({ asSystem, input, client }) => {
        const { path } = await withPasswordTurn(`address:${networkOf(client.ip)}`, () =>
          resetPassword(asSystem, { ...input.body, now: clock.now() }),
        )
        forgetBelow(deps, path)
        return {}
      },
    },
    'auth.changePassword': {
      withoutTransaction: async ({ scoped, actor, input, client }) => {
        const change = { actor, ...input.body, client, now: clock.now(), hours: sessionHours }
        const user = await changePassword(scoped, change)
        forgetBelow(deps, actor.scope.path)
        return user
      },
    },
  }
}

type Session =
  | 'auth.impersonate'
  | 'auth.resellerImpersonate'
  | 'auth.exitImpersonation'
  | 'sessions.list'
  | 'sessions.end'
  | 'sessions.endOthers'

function sessionHandlers(deps: AuthDeps): Pick<AuthHandlers, Session> {
  const { clock } = deps
  return {
    'auth.impersonate': ({ db, actor, input, client }) =>
      impersonate(db, { actor, ...input.body, ...client, now: clock.now() }),
    'auth.resellerImpersonate': ({ db, actor, input, client }) =>
      impersonate(db, { actor, ...input.body, ...client, now: clock.now() }),
    'auth.exitImpersonation': async ({ db, input, afterCommit }) => {
      const ended = await exitImpersonation(db, input.body.exitToken, clock.now())
      if (ended) afterCommit(() => forget(deps, ended))
      return {}
    },
    'sessions.list': async ({ db, actor }) => ({ sessions: await listSessions(db, actor, clock.now()) }),
    'sessions.end': async ({ db, actor, input, afterCommit }) => {
      await endOwnSession(db, { actor, id: input.path.id, now: clock.now() })
      await note(db, { actor, action: 'session.ended', sessionId: input.path.id })
      afterCommit(() => forget(deps, input.path.id))
      return {}
    },
    'sessions.endOthers': async ({ db, actor, afterCommit }) => {
      const ended = await endOtherSessions(db, actor, clock.now())
      for (const id of ended) {
        await note(db, { actor, action: 'session.ended', sessionId: id })
        afterCommit(() => forget(deps, id))
      }
      return { ended: ended.length }
    },
  }
}

type Factor = 'totp.begin' | 'totp.confirm' | 'totp.remove'

function factorHandlers({ clock, secretBox: box }: AuthDeps): Pick<AuthHandlers, Factor> {
  return {
    'totp.begin': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const checked = await checkOwnPassword(scoped, actor, input.body.currentPassword)
        return scoped(async (db) => {
          const account = await lockUnchanged(db, checked)
          if (account.totp_confirmed_at) throw conflict('Turn off two-factor authentication first')
          return beginTotp(db, { account, box, issuer: 'Carillon' })
        })
      },
    },
    'totp.confirm': async ({ db, actor, input }) => {
      const account = await db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', actor.accountId)
        .forUpdate()
        .executeTakeFirstOrThrow()
      const recoveryCodes = await confirmTotp(db, { account, box, ...input.body, now: clock.now() })
      await note(db, { actor, action: 'second_factor.added' })
      return { recoveryCodes }
    },
    'totp.remove': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const checked = await checkOwnPassword(scoped, actor, input.body.currentPassword)
        return scoped(async (db) => {
          await lockUnchanged(db, checked)
          await clearSecondFactor(db, actor.accountId)
          await note(db, { actor, action: 'second_factor.removed' })
          return {}
        })
      },
    },
  }
}

type SessionAction = { actor: SessionActor; action: string; sessionId?: string }

async function note(db: Db, { actor, action, sessionId = actor.sessionId }: SessionAction) {
  const { organizationId } = actor
  await recordAudit(db, { organizationId, ...whoActs(actor), action, object: { type: 'session', id: sessionId } })
}

function forget({ cache }: Pick<Sessions, 'cache'>, sessionId: string) {
  for (const [token, { actor }] of cache) if (actor.sessionId === sessionId) cache.delete(token)
}
