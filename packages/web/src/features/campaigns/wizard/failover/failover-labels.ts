import type { FailoverCondition } from '@carillon/contract/draft-legs'
import { countOf } from '../../../../lib/format.ts'

type Type = FailoverCondition['type']
type ConditionText = { type: Type; label: string; help: string; short: string; minutes?: number }

/** Failover conditions, most common first. */
export const conditionLabels: readonly ConditionText[] = [
  {
    type: 'not_reachable_on_channel',
    label: 'The number is not on WhatsApp',
    help: 'Detected immediately',
    short: 'not on WhatsApp',
  },
  {
    type: 'undelivered_after',
    label: 'Not delivered in time',
    help: 'Phone is off or has no network',
    short: 'not delivered',
    minutes: 10,
  },
  {
    type: 'unread_after',
    label: 'Not read in time',
    help: 'Includes people with read receipts off',
    short: 'not read',
    minutes: 60,
  },
  {
    type: 'frequency_capped',
    label: 'Meta’s marketing limit reached',
    help: 'Meta limits marketing per person',
    short: 'marketing limit reached',
  },
  {
    type: 'provider_rejected',
    label: 'Rejected by WhatsApp',
    help: 'Because of content, media or number',
    short: 'refused',
  },
  {
    type: 'template_unavailable',
    label: 'Template paused or disabled',
    help: 'By Meta, while the campaign is running',
    short: 'template stopped',
  },
  {
    type: 'no_consent_on_channel',
    label: 'The person opted out of WhatsApp',
    help: 'Only if they agreed to SMS',
    short: 'opted out of WhatsApp',
  },
  { type: 'failed', label: 'Any other failure', help: 'Any error WhatsApp reports', short: 'failed' },
]

export function hasCondition(conditions: readonly FailoverCondition[], type: Type): boolean {
  return conditions.some((condition) => condition.type === type)
}

/** Conditions stand in the order of the list above, whatever order they were chosen in. */
export function withCondition(
  conditions: readonly FailoverCondition[],
  { type, isOn }: { type: Type; isOn: boolean },
): FailoverCondition[] {
  const others = conditions.filter((condition) => condition.type !== type)
  const minutes = conditionLabels.find((words) => words.type === type)?.minutes
  const added: FailoverCondition = { type, ...(minutes ? { afterSeconds: minutes * 60 } : {}) }
  const order = conditionLabels.map((words) => words.type)
  return (isOn ? [...others, added] : others).toSorted(
    (one, other) => order.indexOf(one.type) - order.indexOf(other.type),
  )
}

export function withMinutes(
  conditions: readonly FailoverCondition[],
  { type, minutes }: { type: Type; minutes: number },
): FailoverCondition[] {
  const afterSeconds = Math.min(1440, Math.max(1, Math.round(minutes))) * 60
  return conditions.map((condition) => (condition.type === type ? { ...condition, afterSeconds } : condition))
}

/** 'not delivered after 10 minutes'. */
export function shortConditionLabel({ type, afterSeconds }: FailoverCondition): string {
  const short = conditionLabels.find((words) => words.type === type)?.short ?? type
  return afterSeconds === undefined ? short : `${short} after ${countOf(Math.round(afterSeconds / 60), 'minute')}`
}
