import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { openVariants } from '../ab-tests/ab-draft.ts'

type StepLabels = Record<WizardStep, string>

const channelLabels: StepLabels = {
  audience: 'Audience',
  channels: 'Channels',
  template: 'Template',
  personalise: 'Personalise',
  failover: 'Failover',
  conditions: 'Conditions',
  review: 'Review',
}

export type WizardStepIds = readonly [WizardStep, ...WizardStep[]]

/** What differs between the wizard of a channel and the one for several channels. */
export type WizardKind = {
  isUnified: boolean
  /** The path of its screen. */
  path: string
  ids: WizardStepIds
  labels: StepLabels
  openPoints: (draft: CampaignDraft, known: Known) => Record<WizardStep, number>
  /** The step of this wizard in which the choices of a step of the other one are made. */
  stepFor: (step: WizardStep) => WizardStep
}

/** The wizard for campaigns that begin on a channel. */
export function channelKind(channel: Channel, path: string): WizardKind {
  return {
    isUnified: false,
    path,
    ids: stepsOf(channel),
    labels: channelLabels,
    openPoints,
    stepFor: (step) => step,
  }
}

const unifiedSteps: Partial<Record<WizardStep, WizardStep>> = { personalise: 'template', failover: 'conditions' }

/** The wizard for campaigns over several channels in any order. */
export function unifiedKind(path: string): WizardKind {
  return {
    isUnified: true,
    path,
    ids: ['audience', 'channels', 'template', 'conditions', 'review'],
    labels: { ...channelLabels, template: 'Templates' },
    openPoints: openUnifiedPoints,
    stepFor: (step) => unifiedSteps[step] ?? step,
  }
}

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
  labels: StepLabels
  /** Number of missing choices; 0 when it is done. */
  open: Record<WizardStep, number>
  /** Whether enough is chosen to show the step as done or incomplete. */
  judged: Record<WizardStep, boolean>
}

type Begun = { hasFailover: boolean; hasTemplates: boolean }

/** Variables can be judged once there are recipients and a text; the review never is. */
export function judgedSteps(
  open: Record<WizardStep, number>,
  { hasFailover, hasTemplates }: Begun,
): Record<WizardStep, boolean> {
  return {
    audience: open.audience === 0,
    channels: hasFailover,
    template: open.template === 0 || (hasTemplates && open.audience === 0),
    personalise: open.template + open.audience === 0,
    failover: hasFailover,
    conditions: hasFailover,
    review: false,
  }
}

type Known = {
  /** The audience's file could not be read. */
  isUnreadable: boolean
  /** Number of unset values of each leg. */
  unset: readonly number[]
  /** Number of unset values of each further message of the test. */
  unsetOfTest: readonly number[]
  /** Whether the messages cannot be compared by the chosen metric. */
  isMetricWrong: boolean
  estimate: Pick<Estimate, 'missing' | 'tooLong'> | undefined
}

type Judged = Pick<CampaignDraft, 'audienceId' | 'legs' | 'abTest'>

const nothingOpen = { channels: 0, personalise: 0, failover: 0, conditions: 0, review: 0 }

function openPoints(draft: Judged, { isUnreadable, unset, estimate, ...known }: Known): Record<WizardStep, number> {
  const [first, ...later] = draft.legs
  const test = openTest(draft, known)
  return {
    ...nothingOpen,
    audience: draft.audienceId && !isUnreadable ? 0 : 1,
    template: (first.senderId && first.templateId ? 0 : 1) + test.template,
    personalise: (unset[0] ?? 0) + test.values + countProblems(estimate),
    failover: sum(later.map((leg, index) => openFailover(leg, unset[index + 1] ?? 0))),
  }
}

/** Rows without a value go to the next message, so they are no problem of a step. */
function openUnifiedPoints(
  draft: Judged,
  { isUnreadable, unset, estimate, ...known }: Known,
): Record<WizardStep, number> {
  const [first, ...later] = draft.legs
  const test = openTest(draft, known)
  const isChosen = ({ senderId, templateId }: DraftLeg) => senderId !== null && templateId !== null
  return {
    ...nothingOpen,
    audience: draft.audienceId && !isUnreadable ? 0 : 1,
    template:
      test.template +
      test.values +
      [first, ...later].filter((leg) => !isChosen(leg)).length +
      sum(unset) +
      (later.length === 0 ? countProblems(estimate) : 0),
    conditions: later.filter(({ entryConditions }) => entryConditions.length === 0).length,
  }
}

/** Missing choices of the test; a metric that does not fit is one of its template step. */
function openTest(draft: Judged, { unsetOfTest, isMetricWrong }: Pick<Known, 'unsetOfTest' | 'isMetricWrong'>) {
  const { template, values } = openVariants(draft, unsetOfTest)
  return { template: template + (isMetricWrong ? 1 : 0), values }
}

function countProblems(estimate: Known['estimate']): number {
  return [estimate?.missing ?? 0, estimate?.tooLong ?? 0].filter((count) => count > 0).length
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

/** Missing choices of failover: a condition, a sender, a template, values. */
export function openFailover({ isEnabled, entryConditions, senderId, templateId }: DraftLeg, unset: number): number {
  if (!isEnabled) return 0
  return [entryConditions.length === 0, !senderId, !templateId].filter(Boolean).length + unset
}
