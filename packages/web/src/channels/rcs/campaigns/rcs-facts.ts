import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { VariableSource } from '@carillon/contract/campaign-records'
import type { BotChoice } from '@carillon/contract/channels/rcs/rcs-bots'
import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { formatCount } from '../../../lib/format.ts'
import type { Leg, RowFacts, Shown, SummaryFact } from '../../channel-campaigns.ts'
import { categoryLabels, typeOf } from '../template-labels.tsx'
import { isVerified } from '../use-bots.ts'

type Reviewed = {
  bot: BotChoice | undefined
  template: RcsTemplate | undefined
  names: readonly string[]
  estimate: Estimate | undefined
}

export function rcsFacts({ bot, template, names, estimate }: Reviewed): SummaryFact[] {
  const missing = estimate?.missing ?? 0
  return [
    {
      label: 'Sender',
      value: bot?.name,
      note: bot && (isVerified(bot) ? 'verified' : 'not verified'),
      step: 'template',
    },
    {
      label: 'Template',
      value: template?.name,
      note: template && `${typeOf(template)} · ${categoryLabels[template.category]}`,
      step: 'template',
    },
    {
      label: 'Personalised',
      value: template && (names.join(', ') || 'Same text for everyone'),
      note: missing > 0 ? `${formatCount(missing)} skipped` : undefined,
      step: 'personalise',
    },
  ]
}

/** The price of a message, and rows worth a look. */
export function rcsRowFacts({ recipient, estimate }: Shown): RowFacts | undefined {
  if (!recipient) return undefined
  const { missing = 0, missingSeqs = [], tooLong = 0, tooLongSeqs = [], pricePerPart } = estimate ?? {}
  return {
    cost: pricePerPart,
    jumps: [
      ...(missing > 0 ? [{ id: 'missing', label: 'Missing', count: missing, rows: missingSeqs }] : []),
      ...(tooLong > 0 ? [{ id: 'long', label: 'Too long', count: tooLong, rows: tooLongSeqs }] : []),
    ],
  }
}

type Requested = { bot: BotChoice | undefined; sources: readonly VariableSource[] }

/** The specification's call has separate fields for an SMS fallback. */
export function rcsRequest(draft: CampaignDraft, { bot, sources }: Requested): ReturnType<Leg['request']> {
  const { campaignName, schedule, skipRecent, legs } = draft
  const [{ templateId }, ...others] = legs
  const sms = others.find(({ channel, isEnabled }) => channel === 'sms' && isEnabled)
  const failover = sms
    ? {
        smsFailover: true,
        smsFailoverConditions: sms.entryConditions,
        smsTemplate: sms.templateId,
        smsAccountId: sms.senderId,
        smsCustomParams: paramsOf(sms.values),
      }
    : {}
  return {
    call: 'rcsCampaigns.create',
    body: {
      campaignName,
      botId: bot?.botId ?? null,
      templateId,
      variables: sources,
      ...failover,
      schedule,
      ...(skipRecent ? { skipRecent } : {}),
    },
  }
}

function paramsOf(values: unknown): unknown {
  return typeof values === 'object' && values !== null && 'variables' in values ? values.variables : []
}
