import type { RecipientPreview } from '@carillon/contract/campaign-drafts'
import type { UserActor } from '../../../actor.ts'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { badField, notFound } from '../../../lib/problem.ts'
import { countriesOf, findRecipient } from '../../audience/index.ts'
import { findRate, toRupees } from '../../balance/index.ts'
import { appendLinks, findLinkOrigin } from '../../links/index.ts'
import { readDraft } from '../campaigns.queries.ts'
import { findCampaignTemplate, loadAudience, prepareWithLinks } from '../planning/load-draft.ts'
import { trackLinks } from '../planning/tracked-links.ts'
import { getDraft } from './drafts.ts'

/** The first leg's message for one row of the audience. */
export async function previewRecipient(
  db: Db,
  { actor, id, seq, publicUrl }: { actor: UserActor; id: string; seq: number; publicUrl: string },
): Promise<RecipientPreview> {
  const campaign = await getDraft(db, { actor, id })
  const draft = readDraft(campaign)
  const [{ channel, templateId, values }] = draft.legs
  if (!templateId) throw badField('legs.0.templateId', 'Choose a template first')
  const template = await findCampaignTemplate(db, actor.scope, { channel, id: templateId })
  if (!template) throw notFound('Template')
  const audience = await loadAudience(db, actor.scope, draft)
  const recipient = await findRecipient(db, { audience, seq })
  if (!recipient) throw notFound('Recipient')

  const rules = getChannel(channel)
  const places = {
    columns: audience.columns.length,
    origin: await findLinkOrigin(db, { organizationId: campaign.organization_id, publicUrl }),
  }
  const { leg, links } = trackLinks({ sender: undefined, template, values }, rules, places)
  const { content, category } = prepareWithLinks({ rules, loaded: leg, links })
  const cells = appendLinks(content, recipient.variables, seq)
  const { pieces } = rules.readLeg(content, { cells, columns: audience.columns })
  const text = pieces.map((piece) => piece.text).join('')
  const { parts, encoding } = rules.countParts(text)
  const rate = await findRate(db, {
    organizationId: campaign.organization_id,
    channel,
    category,
    country: countriesOf(audience).find(({ hi }) => seq < hi)?.country ?? audience.default_country,
  })
  return {
    seq,
    total: audience.accepted,
    phoneNumber: `+${recipient.phone}`,
    values: recipient.variables,
    pieces,
    text,
    ...(encoding ? { encoding } : {}),
    parts,
    cost: toRupees(parts * (rate?.price ?? 0)),
  }
}
