import type { supportEndpoints } from '@carillon/contract/support'
import type { Handlers } from '../../http/handlers.ts'
import { answerRequest, escalateRequest, setStatus } from './answer-request.ts'
import { presentMessage } from './messages.ts'
import { openRequest } from './open-request.ts'
import { presentOne } from './present-request.ts'

/** `request-log` adds the calls that also answer other requests. */
export const supportHandlers: Handlers<
  Omit<typeof supportEndpoints, 'support.list' | 'support.get' | 'support.messages'>
> = {
  'support.open': async ({ db, actor, input }) =>
    presentOne(db, actor, await openRequest(db, { actor, wanted: input.body })),
  'support.answer': async ({ db, actor, input }) =>
    presentMessage(await answerRequest(db, { actor, id: input.path.id, ...input.body })),
  'support.setStatus': async ({ db, actor, input }) =>
    presentOne(db, actor, await setStatus(db, { actor, id: input.path.id, status: input.body.status })),
  'support.escalate': async ({ db, actor, input }) =>
    presentOne(db, actor, await escalateRequest(db, { actor, id: input.path.id, note: input.body.note })),
}
