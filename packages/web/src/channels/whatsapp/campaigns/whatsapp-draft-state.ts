import type { FailoverCondition } from '@carillon/contract/draft-legs'
import type { WhatsappDraft, WhatsappEstimate } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { accountZone, formatDay } from '../../../lib/format.ts'
import { isUnset } from '../../parts/variable-sources.ts'
import { commonStepLabels } from '../../../features/campaigns/wizard/wizard-steps.ts'
import { emptyValues, openSlots, type TemplateShape } from './whatsapp-slots.ts'

export const whatsappSteps = ['audience', 'template', 'personalise', 'failover', 'review'] as const
export type WhatsappStep = (typeof whatsappSteps)[number]

export const whatsappStepLabels = { ...commonStepLabels, failover: 'Failover' } satisfies Record<WhatsappStep, string>

export function blankWhatsappDraft(now = new Date()): WhatsappDraft {
  return {
    campaignName: `WhatsApp campaign, ${formatDay(now)}`,
    waba_id: null,
    numberId: null,
    templateId: null,
    audienceId: null,
    values: emptyValues,
    smsFailover: false,
    smsFailoverConditions: [],
    smsTemplate: null,
    smsAccountId: null,
    smsCustomParams: [],
    schedule: { timezone: accountZone() },
    skipRecent: null,
    splitOverDays: false,
  }
}

/** Default failover conditions: not on WhatsApp, or not delivered within ten minutes. */
export const firstConditions: readonly FailoverCondition[] = [
  { type: 'not_reachable_on_channel' },
  { type: 'undelivered_after', afterSeconds: 600 },
]

type FailoverChoice = Pick<
  WhatsappDraft,
  'smsFailover' | 'smsFailoverConditions' | 'smsTemplate' | 'smsAccountId' | 'smsCustomParams'
>

/** What failover still lacks: a condition, an account, a template, values. */
export function openFailover(draft: FailoverChoice, template: Pick<SmsTemplate, 'variables'> | undefined): number {
  if (!draft.smsFailover) return 0
  const unset = (template?.variables ?? []).filter((_, index) => isUnset(draft.smsCustomParams[index]))
  const lacks = [draft.smsFailoverConditions.length === 0, !draft.smsAccountId, !draft.smsTemplate]
  return lacks.filter(Boolean).length + unset.length
}

type Known = {
  /** The file of the people could not be read. */
  isUnreadable: boolean
  template: TemplateShape | undefined
  smsTemplate: Pick<SmsTemplate, 'variables'> | undefined
  estimate: Pick<WhatsappEstimate, 'missing'> | undefined
}

/** What a step still lacks, counted; 0 when it is done. */
export function openWhatsappPoints(
  draft: WhatsappDraft,
  { isUnreadable, template, smsTemplate, estimate }: Known,
): Record<WhatsappStep, number> {
  const unset = template ? openSlots(template, draft.values) : 0
  return {
    audience: draft.audienceId && !isUnreadable ? 0 : 1,
    template: draft.waba_id && draft.numberId && draft.templateId ? 0 : 1,
    personalise: unset + ((estimate?.missing ?? 0) > 0 ? 1 : 0),
    failover: openFailover(draft, smsTemplate),
    review: 0,
  }
}
