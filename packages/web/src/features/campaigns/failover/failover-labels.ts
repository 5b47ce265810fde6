import type { FailoverCondition } from '@carillon/contract/draft-legs'
import type { OutcomeText } from '../../../channels/channel-campaigns.ts'
import { durationLabel } from './duration.ts'

type Type = FailoverCondition['type']
type Outcomes = readonly OutcomeText[]

export function hasCondition(conditions: readonly FailoverCondition[], type: Type): boolean {
  return conditions.some((condition) => condition.type === type)
}

/** In the order of the outcomes, not of the selection. */
export function withCondition(
  conditions: readonly FailoverCondition[],
  { type, isOn }: { type: Type; isOn: boolean },
  outcomes: Outcomes,
): FailoverCondition[] {
  const others = conditions.filter((condition) => condition.type !== type)
  const minutes = outcomes.find((words) => words.type === type)?.minutes
  const added: FailoverCondition = { type, ...(minutes ? { afterSeconds: minutes * 60 } : {}) }
  const order = outcomes.map((words) => words.type)
  return (isOn ? [...others, added] : others).toSorted(
    (one, other) => order.indexOf(one.type) - order.indexOf(other.type),
  )
}

/** Waiting times, in seconds. */
export const waitLimits = { shortest: 30, longest: 259_200 }

export function withWait(
  conditions: readonly FailoverCondition[],
  { type, seconds }: { type: Type; seconds: number },
): FailoverCondition[] {
  const afterSeconds = Math.min(waitLimits.longest, Math.max(waitLimits.shortest, Math.round(seconds)))
  return conditions.map((condition) => (condition.type === type ? { ...condition, afterSeconds } : condition))
}

/** 'not delivered after 10 minutes'. */
export function shortConditionLabel({ type, afterSeconds }: FailoverCondition, outcomes: Outcomes): string {
  const short = outcomes.find((words) => words.type === type)?.short ?? type
  return afterSeconds === undefined ? short : `${short} after ${durationLabel(afterSeconds)}`
}
