import type { sendingEndpoints } from '@carillon/contract/sending'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { Handlers } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import { getSendingState } from './get-sending-state.ts'
import { resumeSending } from './resume-sending.ts'

export type RestoreDeps = {
  /** Passed in, because this module may not import campaigns. */
  cancelCampaign(db: Db, campaign: { actor: UserActor; id: string; now: Date }): Promise<unknown>
  clock: Clock
}

export function restoreHandlers({ cancelCampaign, clock }: RestoreDeps): Handlers<typeof sendingEndpoints> {
  return {
    'sending.state': ({ db, actor, input }) => getSendingState(db, { scope: actor.scope, query: input.query }),
    'sending.resume': ({ db, actor, input }) =>
      resumeSending(db, { actor, decisions: input.body, cancelCampaign, now: clock.now() }),
  }
}
