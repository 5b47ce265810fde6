import { z } from 'zod'
import { getChannel } from '../../../channels/index.ts'
import { TemplateLeg } from '../../../channels/whatsapp/template-leg.ts'
import { fillValues, textOf } from '../../../channels/whatsapp/text-of.ts'
import type { Db } from '../../../db/pool.ts'
import { conflict } from '../../../lib/problem.ts'
import { assertMaySend } from '../../accounts/index.ts'
import { toRupees } from '../../balance/index.ts'
import { sendSingle } from '../../messages/index.ts'
import { rateCategoryOf } from '../../templates/index.ts'
import { getCampaign, recordEvent } from '../campaigns.queries.ts'
import { cellsOf, type SentTest, type TestRequest } from './send-test.ts'
import { loadWhatsappChoices } from './whatsapp-choices.ts'
import { freezeWhatsapp, readWhatsappDraft } from '../planning/whatsapp-plan.ts'

const Written = z.looseObject({ content: z.looseObject({ type: z.string() }) })

/** Sends the message of one row to a number of the sender's own, over WhatsApp alone; it costs the same. */
export async function sendWhatsappTest(db: Db, { actor, id, phoneNumber, seq }: TestRequest): Promise<SentTest> {
  const campaign = await getCampaign(db, { id, scope: actor.scope })
  await assertMaySend(db, actor.scope.path)
  const choices = await loadWhatsappChoices(db, actor.scope, readWhatsappDraft(campaign))
  const { number, template, audience, status, category } = choices
  if (!number.is_active) throw conflict(`The number ${number.name} is off: switch it on first`)
  if (status !== 'APPROVED') throw conflict('Only approved templates are sent: choose one that Meta has approved')

  const frozen = freezeWhatsapp(choices)
  const cells = await cellsOf(db, audience, seq)
  const message = getChannel('whatsapp').compileLeg(frozen)(cells)
  if (!message) throw conflict('This row has no value for one of the variables')
  const leg = TemplateLeg.parse(frozen)
  const { messageId, parts, cost } = await sendSingle(db, {
    organizationId: campaign.organization_id,
    accountId: actor.accountId,
    path: actor.scope.path,
    senderId: number.id,
    kind: 'test',
    campaignId: id,
    channel: 'whatsapp',
    phoneNumber,
    header: number.headers[0] ?? number.name,
    text: textOf(leg.template.content, fillValues(leg, cells)),
    content: Written.parse(message).content,
    category: rateCategoryOf(category),
  })
  await recordEvent(db, { campaign, event: 'test_sent', details: { messageId, parts, template: template.name }, actor })
  return { messageId, parts, cost: toRupees(cost) }
}
