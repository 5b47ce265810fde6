import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'

export const stepLabels: Record<WizardStep, string> = {
  audience: 'Audience',
  template: 'Template',
  personalise: 'Personalise',
  failover: 'Failover',
  review: 'Review',
}

export type WizardStepIds = readonly [WizardStep, ...WizardStep[]]

/** The steps of a campaign that begins on a channel; URLs contain their index. */
export function stepsOf(channel: Channel): WizardStepIds {
  const [first, ...next] = ['audience', 'template', 'personalise'] as const
  return failoverChannels(channel).length > 0 ? [first, ...next, 'failover', 'review'] : [first, ...next, 'review']
}

/** The channels that a campaign can fail over to, directly or after another. */
export function failoverChannels(channel: Channel): readonly Channel[] {
  const found: Channel[] = [channel]
  // The list grows while it is read.
  for (const one of found) found.push(...channelTraits[one].failoverTo.filter((next) => !found.includes(next)))
  return found.slice(1)
}

export type WizardSteps = {
  /** In order; the last one is the review. */
  ids: WizardStepIds
  /** Number of missing choices; 0 when it is done. */
  open: Record<WizardStep, number>
  /** Whether enough is chosen to show the step as done or incomplete. */
  judged: Record<WizardStep, boolean>
}

/** Variables can be judged once there are recipients and a text; the review never is. */
export function judgedSteps(open: Record<WizardStep, number>, hasFailover: boolean): Record<WizardStep, boolean> {
  return {
    audience: open.audience === 0,
    template: open.template === 0,
    personalise: open.template + open.audience === 0,
    failover: hasFailover,
    review: false,
  }
}

type Known = {
  /** The audience's file could not be read. */
  isUnreadable: boolean
  /** Number of unset values of the first leg. */
  unset: number
  /** The failover legs, each with its unset values. */
  failover: readonly { leg: DraftLeg; unset: number }[]
  estimate: Pick<Estimate, 'missing' | 'tooLong'> | undefined
}

export function openPoints(
  { audienceId, legs: [first] }: Pick<CampaignDraft, 'audienceId' | 'legs'>,
  { isUnreadable, unset, failover, estimate }: Known,
): Record<WizardStep, number> {
  return {
    audience: audienceId && !isUnreadable ? 0 : 1,
    template: first.senderId && first.templateId ? 0 : 1,
    personalise: unset + ((estimate?.missing ?? 0) > 0 ? 1 : 0) + ((estimate?.tooLong ?? 0) > 0 ? 1 : 0),
    failover: failover.reduce((sum, { leg, unset: open }) => sum + openFailover(leg, open), 0),
    review: 0,
  }
}

/** Missing choices of failover: a condition, a sender, a template, values. */
export function openFailover({ isEnabled, entryConditions, senderId, templateId }: DraftLeg, unset: number): number {
  if (!isEnabled) return 0
  return [entryConditions.length === 0, !senderId, !templateId].filter(Boolean).length + unset
}
