import type { VariableSource } from '@carillon/contract/campaign-records'
import type { SmsDraft } from '@carillon/contract/channels/sms/sms-drafts'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { accountZone, formatDay } from '../../../lib/format.ts'
import { isUnset, isUsable } from '../../parts/variable-sources.ts'
import { commonStepLabels } from '../../../features/campaigns/wizard/wizard-steps.ts'

export const smsSteps = ['audience', 'template', 'personalise', 'review'] as const
export type SmsStep = (typeof smsSteps)[number]

export const smsStepLabels = commonStepLabels satisfies Record<SmsStep, string>

export function blankSmsDraft(now = new Date()): SmsDraft {
  return {
    campaignName: `SMS campaign, ${formatDay(now)}`,
    smsAccountId: null,
    templateId: null,
    audienceId: null,
    variables: [],
    schedule: { timezone: accountZone() },
    skipRecent: null,
  }
}

/** One source for each variable: what was chosen before stays, else the column that carries the variable's name. */
export function matchVariables(
  template: SmsTemplate,
  columns: readonly string[],
  known: readonly VariableSource[] = [],
): VariableSource[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  const names = columns.map(plain)
  return template.variables.map(({ name }, index) => {
    const before = known[index]
    if (before && isUsable(before, columns.length)) return before
    const wanted = plain(name)
    const same = names.indexOf(wanted)
    const column =
      same >= 0
        ? same
        : names.findIndex((found) => found.length > 2 && (found.includes(wanted) || wanted.includes(found)))
    return { ...(column >= 0 ? { column } : {}), fallback: before?.fallback ?? '' }
  })
}

/** What a step still lacks, counted; 0 when it is done. */
export function openSmsPoints(
  draft: SmsDraft,
  { isUnreadable, estimate }: { isUnreadable: boolean; estimate: { missing: number; tooLong: number } | undefined },
): Record<SmsStep, number> {
  const unset = draft.variables.filter(isUnset).length
  return {
    audience: draft.audienceId && !isUnreadable ? 0 : 1,
    template: draft.smsAccountId && draft.templateId ? 0 : 1,
    personalise: unset + ((estimate?.missing ?? 0) > 0 ? 1 : 0) + ((estimate?.tooLong ?? 0) > 0 ? 1 : 0),
    review: 0,
  }
}
