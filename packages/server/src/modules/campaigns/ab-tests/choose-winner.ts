import { systemActor, type Actor, type UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { badField, conflict } from '../../../lib/problem.ts'
import { announceStatus, lockToSend, recordEvent, type CampaignRow } from '../campaigns.queries.ts'
import { sendRest } from '../lifecycle/start-campaign.ts'
import { hasEnded, findTest, moveTest, type AbTestRow } from './ab-tests.queries.ts'
import { letterOfVariant } from '@carillon/contract/variant-positions'
import { measureVariants } from './measure-variants.ts'

type Choice = { actor: UserActor; id: string; variant: number }

/** Sends a variant to the recipients who are not in the test. A second choice of the same variant changes nothing. */
export async function chooseWinner(db: Db, { actor, id, variant }: Choice): Promise<{ _id: string; winner: number }> {
  const campaign = await lockToSend(db, { id, scope: actor.scope })
  const test = await findTest(db, keyOf(campaign))
  await assertOpen(db, campaign, test)
  if (test?.winner === null) await sendWinner(db, campaign, { variant, actor })
  else if (test?.winner !== variant)
    throw conflict(`Message ${letterOfVariant(test?.winner ?? 0)} has been chosen already`)
  return { _id: id, winner: variant }
}

async function assertOpen(db: Db, campaign: CampaignRow, test: AbTestRow | undefined): Promise<void> {
  if (!test) throw conflict('This campaign has no test')
  if (test.rest === 0) throw conflict('Everyone is in the test: there is no one else to send to')
  if (test.winner !== null) return
  if (test.phase === 'none')
    throw conflict(
      campaign.started_at ? 'The campaign ended before a winner was chosen' : 'The test has not started yet',
    )
  if (!['queued', 'running', 'paused'].includes(campaign.status)) throw conflict('The campaign has ended')
  if (await hasEnded(db, keyOf(campaign))) throw conflict('The campaign has ended')
}

/** Of a locked campaign. Does nothing if its winner has been chosen. */
export async function sendWinner(
  db: Db,
  campaign: CampaignRow,
  { variant, actor }: { variant: number; actor: Actor },
): Promise<void> {
  const results = await measureVariants(db, keyOf(campaign))
  const winner = results.find((one) => one.variant === variant)
  if (!winner) throw badField('variant', 'The test has no such message')
  const isChosen = await moveTest(db, keyOf(campaign), {
    phase: 'winner_sending',
    winner: variant,
    decided_by: actor.kind === 'user' ? actor.accountId : null,
    results: JSON.stringify(results),
  })
  if (!isChosen) return
  await sendRest(db, campaign, variant)
  const letter = letterOfVariant(variant)
  await recordEvent(db, {
    campaign,
    event: 'winner_chosen',
    details: { reason: `Message ${letter}: ${winner.templateName}` },
    actor,
  })
  await announceStatus(db, campaign)
}

/** Asks for a choice: the results are not certain, or the winner could not be sent. */
export async function askForWinner(db: Db, campaign: CampaignRow, reason: string): Promise<void> {
  if (!(await moveTest(db, keyOf(campaign), { phase: 'awaiting_winner' }))) return
  await recordEvent(db, { campaign, event: 'winner_needed', details: { reason }, actor: systemActor })
  await announceStatus(db, campaign)
}

export function keyOf({ organization_id: organizationId, id: campaignId }: CampaignRow) {
  return { organizationId, campaignId }
}
