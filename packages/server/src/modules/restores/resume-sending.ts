import type { Input } from '@carillon/contract/endpoint'
import type { sendingEndpoints } from '@carillon/contract/sending'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { listUndecidedIds } from './restored-campaigns.queries.ts'

type Decisions = Input<(typeof sendingEndpoints)['sending.resume']>['body']

export type ResumeSending = {
  actor: UserActor
  decisions: Decisions
  cancelCampaign(db: Db, campaign: { actor: UserActor; id: string; now: Date }): Promise<unknown>
  now: Date
}

/** Cancels the campaigns not to be sent and resumes the others. Each campaign of the backup needs a decision. */
export async function resumeSending(
  db: Db,
  { actor, decisions: { campaigns, others }, cancelCampaign, now }: ResumeSending,
): Promise<{ cancelled: number; continued: number }> {
  const installation = await db.selectFrom('installation').select('paused_at').executeTakeFirstOrThrow()
  if (!installation.paused_at) throw conflict('Sending is not paused')

  const named = new Map(campaigns.map(({ campaignId, decision }) => [campaignId, decision]))
  const listed = (await listUndecidedIds(db, actor.scope)).map((id) => ({ id, decision: named.get(id) ?? others }))
  const open = listed.filter(({ decision }) => decision === undefined).length
  if (open > 0) throw conflict(`Decide what happens to ${open === 1 ? 'one more campaign' : `${open} more campaigns`}`)

  const cancelled = listed.filter(({ decision }) => decision === 'cancel')
  const continued = listed.filter(({ decision }) => decision === 'send')
  for (const { id } of cancelled) await cancelCampaign(db, { actor, id, now })
  const { rows } = await sql<{ resumed: boolean }>`
    select resume_sending(${continued.map(({ id }) => id)}::uuid[]) as resumed`.execute(db)
  if (!rows[0]?.resumed) throw conflict('The campaigns have changed: reload the page')

  const counts = { cancelled: cancelled.length, continued: continued.length }
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'sending.resumed',
    details: counts,
  })
  return counts
}
