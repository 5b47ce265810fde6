import type { authEndpoints } from '@carillon/contract/auth'
import type { Handlers } from '../../http/handlers.ts'
import { asSystem } from '../../db/pool.ts'
import { recordAudit } from '../audit/index.ts'
import { createFirstAdmin } from './first-admin.ts'
import { login } from './login.ts'
import { endSession, type Sessions } from './sessions.ts'
import { issueTicket } from './tickets.ts'

export function authHandlers(sessions: Sessions): Handlers<typeof authEndpoints> {
  return {
    'auth.login': async ({ input, client }) => {
      const request = {
        credentials: input.body,
        ...client,
        now: sessions.clock.now(),
        sessionHours: sessions.sessionHours,
      }
      // A transaction of its own: a refusal is an answer here, so that counting it is committed.
      const outcome = await asSystem(sessions.database, (db) => login(db, request))
      if (outcome.kind === 'refused') throw outcome.problem
      return outcome.user
    },
    'auth.logout': async ({ db, actor, afterCommit }) => {
      await endSession(db, actor.sessionId, sessions.clock.now())
      await recordAudit(db, {
        organizationId: actor.organizationId,
        actorId: actor.accountId,
        action: 'session.ended',
        object: { type: 'session', id: actor.sessionId },
      })
      afterCommit(() => forget(sessions, actor.sessionId))
      return {}
    },
    'auth.firstAdmin': async ({ input }) => {
      await createFirstAdmin(sessions.database, input.body, sessions.clock.now())
      return {}
    },
    'realtime.ticket': async ({ db, actor }) => ({ ticket: await issueTicket(db, actor, sessions.clock.now()) }),
  }
}

function forget({ cache }: Sessions, sessionId: string) {
  for (const [token, { actor }] of cache) if (actor.sessionId === sessionId) cache.delete(token)
}
