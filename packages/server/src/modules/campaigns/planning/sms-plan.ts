import type { VariableSource } from '@carillon/contract/campaign-records'
import type { SmsCategory } from '@carillon/contract/templates'
import type { SmsContent } from '../../templates/index.ts'
import type { CampaignPlan, Planner } from './campaign-plan.ts'
import { readDraft } from '../campaigns.queries.ts'
import { loadChoices, reckon } from '../checks/estimate.ts'
import { legsByCountry } from './legs-by-country.ts'
import { organizationScope } from '../reads/organization-scope.ts'
import { windowFor } from '../checks/send-window.ts'

export const planSms: Planner = async (db, campaign, now): Promise<CampaignPlan> => {
  const draft = readDraft(campaign)
  const choices = await loadChoices(db, await organizationScope(db, campaign), draft)
  const { count, prices, checks } = await reckon(db, {
    choices,
    payer: { organizationId: campaign.organization_id, accountId: campaign.created_by },
    now,
  })
  const { account, template, content, category } = choices
  return {
    people: count.people,
    parts: count.parts,
    cost: prices.cost,
    checks,
    legs: legsByCountry(
      {
        channel: 'sms',
        senderId: account.id,
        templateId: template.id,
        content: freezeSms({ content, category, sources: draft.variables, entityId: account.entity_id }),
        category,
      },
      prices,
    ),
    window: windowFor(category, draft.sendWindow),
    expiresAt: draft.expiresAt,
    skipRecentHours: draft.skipRecent?.hours ?? null,
    splitOverDays: false,
  }
}

type Frozen = {
  content: SmsContent
  category: SmsCategory
  sources: readonly VariableSource[]
  /** The account's own, where the template names none. */
  entityId: string | null
}

/** An SMS leg as it is kept. */
export function freezeSms({ content, category, sources, entityId }: Frozen): object {
  return {
    header: content.header,
    body: content.body,
    variables: sources,
    names: content.variables.map(({ name }) => name),
    category,
    entityId: content.entityId ?? entityId,
    dltTemplateId: content.dltTemplateId ?? null,
  }
}
