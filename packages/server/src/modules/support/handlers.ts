import type { supportEndpoints } from '@carillon/contract/support'
import type { Handlers } from '../../http/handlers.ts'
import { answerRequest, escalateRequest, setStatus } from './answer-request.ts'
import { getRequest } from './find-request.ts'
import { listRequests } from './list-requests.ts'
import { listMessages, presentMessage } from './messages.ts'
import { openRequest } from './open-request.ts'
import { presentOne } from './present-request.ts'

export const supportHandlers: Handlers<typeof supportEndpoints> = {
  'support.list': ({ db, actor, input }) => listRequests(db, { actor, query: input.query }),
  'support.get': async ({ db, actor, input }) =>
    presentOne(db, actor, await getRequest(db, { actor, id: input.path.id })),
  // Also marks the request as read.
  'support.messages': {
    withoutTransaction: ({ scoped, actor, input }) =>
      scoped((db) => listMessages(db, { actor, id: input.path.id, query: input.query })),
  },
  'support.open': async ({ db, actor, input }) =>
    presentOne(db, actor, await openRequest(db, { actor, wanted: input.body })),
  'support.answer': async ({ db, actor, input }) =>
    presentMessage(await answerRequest(db, { actor, id: input.path.id, ...input.body })),
  'support.setStatus': async ({ db, actor, input }) =>
    presentOne(db, actor, await setStatus(db, { actor, id: input.path.id, status: input.body.status })),
  'support.escalate': async ({ db, actor, input }) =>
    presentOne(db, actor, await escalateRequest(db, { actor, id: input.path.id, note: input.body.note })),
}
