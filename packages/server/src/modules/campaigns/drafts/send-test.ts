import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { assertMaySend } from '../../accounts/index.ts'
import type { AudienceRow } from '../../audience/index.ts'
import { toRupees } from '../../balance/index.ts'
import { appendLinks } from '../../links/index.ts'
import { sendSingle } from '../../messages/index.ts'
import { recordEvent } from '../campaigns.queries.ts'
import { getDraft } from './drafts.ts'
import { loadChoices, type ChosenLeg } from '../planning/load-draft.ts'

type TestRequest = { actor: UserActor; id: string; phoneNumber: string; seq: number; leg: number; publicUrl: string }
type SentTest = { messageId: string; parts: number; cost: number }

/** Sends a leg's message of one row to a number that the user enters. It uses the same lane and has the same price. */
export async function sendTest(
  db: Db,
  { actor, id, phoneNumber, seq, leg: position, publicUrl }: TestRequest,
): Promise<SentTest> {
  const campaign = await getDraft(db, { actor, id })
  await assertMaySend(db, actor.scope.path)
  const { legs, audience } = await loadChoices(db, { scope: actor.scope, publicUrl }, campaign)
  const leg = legs.find((one) => one.position === position)
  if (!leg) throw badField('leg', 'The draft has no such message')
  assertSendable(leg)
  const message = leg.rules.writeTest(
    leg.loaded,
    appendLinks(leg.prepared.content, await cellsOf(db, audience, seq), seq),
  )
  if ('problem' in message) throw conflict(message.problem)
  const { messageId, parts, cost } = await sendSingle(db, {
    organizationId: campaign.organization_id,
    accountId: actor.accountId,
    path: actor.scope.path,
    senderId: leg.loaded.sender.id,
    kind: 'test',
    campaignId: id,
    channel: leg.channel,
    phoneNumber,
    category: leg.prepared.category,
    isMarketing: leg.prepared.isMarketing,
    ...message,
  })
  const details = { messageId, parts, template: leg.loaded.template.name }
  await recordEvent(db, { campaign, event: 'test_sent', details, actor })
  return { messageId, parts, cost: toRupees(cost) }
}

function assertSendable({ rules, loaded }: ChosenLeg) {
  const checks = [...rules.checkSender(loaded), ...rules.checkTemplate(loaded, { countries: [] })]
  const refusal = checks.find(({ level }) => level === 'blocker')
  if (refusal) throw conflict(`${refusal.title}. ${refusal.detail}`)
}

/** The values of one row of an audience. */
async function cellsOf(
  db: Db,
  audience: Pick<AudienceRow, 'id' | 'organization_id'>,
  seq: number,
): Promise<readonly string[]> {
  const recipient = await db
    .selectFrom('recipients')
    .select('variables')
    .where('organization_id', '=', audience.organization_id)
    .where('audience_id', '=', audience.id)
    .where('seq', '=', seq)
    .executeTakeFirst()
  if (!recipient) throw notFound('Recipient')
  return recipient.variables
}
