import type { sendingEndpoints } from '@carillon/contract/sending'
import type { Db } from '../../db/pool.ts'
import type { Actor, Handlers } from '../../http/handlers.ts'
import { getSendingState } from './get-sending-state.ts'
import { resumeSending } from './resume-sending.ts'

export type RestoreDeps = {
  /** The campaigns' own, handed in because they lie to the right. */
  cancelCampaign(db: Db, campaign: { actor: Actor; id: string }): Promise<unknown>
}

export function restoreHandlers({ cancelCampaign }: RestoreDeps): Handlers<typeof sendingEndpoints> {
  return {
    'sending.state': ({ db, actor, input }) => getSendingState(db, { reach: actor.reach, query: input.query }),
    'sending.resume': ({ db, actor, input }) => resumeSending(db, { actor, decisions: input.body, cancelCampaign }),
  }
}
