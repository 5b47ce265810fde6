import { checkVariable, compileSmsTemplate } from '@carillon/contract/sms-variables'
import type { Db } from '../../../db/pool.ts'
import type { Actor } from '../../../http/handlers.ts'
import { conflict, notFound } from '../../../lib/problem.ts'
import { assertMaySend } from '../../accounts/index.ts'
import type { AudienceRow } from '../../audience/index.ts'
import { toRupees } from '../../balance/index.ts'
import { valueOf } from '@carillon/contract/variable-values'
import { sendSingle } from '../../messages/index.ts'
import { getCampaign, readDraft, recordEvent } from '../campaigns.queries.ts'
import { loadChoices, type Choices } from '../checks/estimate.ts'

export type TestRequest = { actor: Actor; id: string; phoneNumber: string; seq: number }
export type SentTest = { messageId: string; parts: number; cost: number }

/** Sends the message of one row to a number of the sender's own. It leaves through the same lane and costs the same. */
export async function sendTest(db: Db, { actor, id, phoneNumber, seq }: TestRequest): Promise<SentTest> {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  await assertMaySend(db, actor.scope.path)
  const choices = await loadChoices(db, actor.scope, readDraft(campaign))
  const { account, template, content, category } = choices
  if (!account.is_active) throw conflict(`The SMS account ${account.name} is off: switch it on first`)
  if (template.status !== 'approved')
    throw conflict(`The template is ${template.status}: only approved templates are sent`)
  if (template.sender_id !== account.id) throw conflict('The template belongs to another SMS account')

  const text = await renderRow(db, choices, seq)
  const { messageId, parts, cost } = await sendSingle(db, {
    organizationId: campaign.organization_id,
    accountId: actor.accountId,
    path: actor.scope.path,
    senderId: account.id,
    kind: 'test',
    campaignId: id,
    phoneNumber,
    header: content.header,
    text,
    category,
    entityId: content.entityId ?? account.entity_id ?? undefined,
    dltTemplateId: content.dltTemplateId,
  })
  await recordEvent(db, { campaign, event: 'test_sent', details: { messageId, parts }, actor })
  return { messageId, parts, cost: toRupees(cost) }
}

async function renderRow(db: Db, { draft, audience, content }: Choices, seq: number): Promise<string> {
  const cells = await cellsOf(db, audience, seq)
  const values = content.variables.map((_, index) => valueOf(draft.variables[index], cells))
  content.variables.forEach(({ name, kind }, index) => {
    const value = values[index] ?? ''
    if (value === '') throw conflict(`This row has no value for ${name}`)
    const complaint = checkVariable(kind, value)
    if (complaint) throw conflict(`${name}: ${complaint}`)
  })
  return compileSmsTemplate(content.body)(values)
}

/** What stands in one row of an audience. */
export async function cellsOf(
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
