import { messages } from '@carillon/contract/errors'
import type { supportEndpoints } from '@carillon/contract/support'
import type { Handlers } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'
import { getPresented, listMessages, listRequests } from '../support/index.ts'
import { findApiSend, listApiSends, presentDetails } from './find-requests.ts'
import { listSent } from './list-sent.ts'

type Table = Pick<typeof supportEndpoints, 'support.list' | 'support.get' | 'support.messages'>

/** These calls answer support requests as well as calls of API keys, whose ids differ. */
export function requestHandlers({ clock }: { clock: Clock }): Handlers<Table> {
  return {
    'support.list': ({ db, actor, input: { query } }) => {
      if (query.kind !== 'api_send') return listRequests(db, { actor, query })
      if (!actor.modules.has('api')) throw new Problem('module_forbidden', messages.notAuthorized)
      return listApiSends(db, { actor, query, now: clock.now() })
    },
    'support.get': async ({ db, actor, input: { path } }) => {
      const request = await findApiSend(db, { actor, id: path.id })
      return request ? presentDetails(db, request, clock.now()) : getPresented(db, { actor, id: path.id })
    },
    // Also marks a support request as read.
    'support.messages': {
      withoutTransaction: ({ scoped, actor, input: { path, query } }) =>
        scoped(async (db) => {
          const request = await findApiSend(db, { actor, id: path.id })
          return request
            ? listSent(db, { request, query, now: clock.now() })
            : listMessages(db, { actor, id: path.id, query })
        }),
    },
  }
}
