import type { RecipientPreview } from '@carillon/contract/campaign-drafts'
import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import { SmsCategory } from '@carillon/contract/channels/sms/sms-templates'
import { SmsValues } from '../../../channels/sms/sms-legs.ts'
import { SmsContent } from '../../../channels/sms/template-content.ts'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { countriesOf, findRecipient } from '../../audience/index.ts'
import { findRate, toRupees } from '../../balance/index.ts'
import { fillPieces } from '../../messages/index.ts'
import { readDraft } from '../campaigns.queries.ts'
import { getDraft } from './drafts.ts'
import { findCampaignTemplate, loadAudience } from '../planning/load-draft.ts'

/** The message as the person in one row of the audience would get it. */
export async function previewRecipient(
  db: Db,
  { actor, id, seq }: { actor: UserActor; id: string; seq: number },
): Promise<RecipientPreview> {
  const campaign = await getDraft(db, { actor, id })
  if (campaign.channel !== 'sms') throw conflict('There is no preview of such a campaign')
  const { scope } = actor
  const draft = readDraft(campaign)
  // An admin looks into a campaign of an organisation below: what it names is that organisation's.
  const within = { ...scope, organizationId: campaign.organization_id }
  const [{ templateId, values }] = draft.legs
  if (!templateId) throw badField('legs.0.templateId', 'Choose a template first')
  const template = await findCampaignTemplate(db, within, { channel: 'sms', id: templateId })
  if (!template) throw notFound('Template')
  const audience = await loadAudience(db, within, draft)
  const recipient = await findRecipient(db, { audience, seq })
  if (!recipient) throw notFound('Recipient')

  const { body, variables } = SmsContent.parse(template.content)
  const pieces = fillPieces(
    {
      body,
      names: variables.map(({ name }) => name),
      sources: SmsValues.parse(values).variables,
      columns: audience.columns,
    },
    recipient.variables,
  )
  const text = pieces.map((piece) => piece.text).join('')
  const { encoding, parts } = countSmsParts(text)
  const rate = await findRate(db, {
    organizationId: campaign.organization_id,
    channel: 'sms',
    category: SmsCategory.parse(template.category),
    country: countriesOf(audience).find(({ hi }) => seq < hi)?.country ?? audience.default_country,
  })
  return {
    seq,
    total: audience.accepted,
    phoneNumber: `+${recipient.phone}`,
    values: recipient.variables,
    pieces,
    text,
    encoding,
    parts,
    cost: toRupees(parts * (rate?.price ?? 0)),
  }
}
