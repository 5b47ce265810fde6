import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { WhatsappNumber } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { countOf, formatCount } from '../../../lib/format.ts'
import type { Leg, SummaryFact } from '../../channel-campaigns.ts'
import { categoryLabels } from '../template-labels.tsx'
import { slotsOf } from './whatsapp-slots.ts'

type Reviewed = {
  number: WhatsappNumber | undefined
  template: WhatsappTemplate | undefined
  estimate: Estimate | undefined
}

export function whatsappFacts({ number, template, estimate }: Reviewed): SummaryFact[] {
  const missing = estimate?.missing ?? 0
  const count = template ? slotsOf(template).length : 0
  const words = count > 0 ? countOf(count, 'variable') : 'Same text for everyone'
  return [
    { label: 'Sender', value: number?.verifiedName, note: number?.displayPhoneNumber, step: 'template' },
    {
      label: 'Template',
      value: template?.name,
      note: template && categoryLabels[template.category],
      step: 'template',
    },
    {
      label: 'Personalised',
      value: template && words,
      note: missing > 0 ? `${formatCount(missing)} skipped` : undefined,
      step: 'personalise',
    },
  ]
}

type Requested = { wabaId: string | undefined; number: WhatsappNumber | undefined; values: TemplateValues }

/** The specification's call has separate fields for a second message. */
export function whatsappRequest(
  draft: CampaignDraft,
  { wabaId, number, values }: Requested,
): ReturnType<Leg['request']> {
  const { campaignName, schedule, skipRecent, frequencyCap, splitOverDays, legs } = draft
  const [{ templateId }, ...others] = legs
  const next = others.find(({ channel, isEnabled }) => channel === 'sms' && isEnabled)
  const failover = next
    ? {
        smsFailover: true,
        smsFailoverConditions: next.entryConditions,
        smsTemplate: next.templateId,
        smsAccountId: next.senderId,
        smsCustomParams: paramsOf(next.values),
      }
    : {}
  return {
    call: 'waCampaigns.create',
    body: {
      campaignName,
      waba_id: wabaId ?? null,
      phone_number_id: number?.phone_number_id,
      message: { templateId, values },
      ...failover,
      schedule,
      ...(skipRecent ? { skipRecent } : {}),
      ...(frequencyCap === 'ignore' ? { frequencyCap } : {}),
      ...(splitOverDays ? { splitOverDays } : {}),
    },
  }
}

function paramsOf(values: unknown): unknown {
  return typeof values === 'object' && values !== null && 'variables' in values ? values.variables : []
}
