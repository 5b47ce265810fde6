import type { AbMetric } from '@carillon/contract/ab-tests'
import { variantAt } from '@carillon/contract/variant-positions'
import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { AbTest, CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import type { FillVariable } from '../../../channels/parts/audience-fill.ts'
import { countOf, formatCount } from '../../../lib/format.ts'
import { hasVariants } from './variant-legs.ts'

export const mostVariants = 3

export function isTesting({ abTest }: Pick<CampaignDraft, 'abTest'>): boolean {
  return abTest?.isEnabled ?? false
}

/** A further message with the channel and sender of the first one. */
export function variantLike({ channel, senderId }: DraftLeg, emptyValues: unknown): DraftLeg {
  return { channel, senderId, templateId: null, values: emptyValues, isEnabled: true, entryConditions: [] }
}

/** The test switched on or off; it keeps its choices. */
export function switchedTest(abTest: AbTest | null, isEnabled: boolean, blank: DraftLeg): AbTest {
  if (abTest) return { ...abTest, isEnabled }
  return {
    isEnabled,
    variants: [blank],
    samplePercent: 20,
    holdoutPercent: 0,
    metric: 'delivered',
    durationMinutes: 240,
    autoSend: true,
  }
}

export function withVariant(abTest: AbTest, index: number, patch: Partial<DraftLeg>): AbTest {
  return { ...abTest, variants: abTest.variants.map((leg, place) => (place === index ? { ...leg, ...patch } : leg)) }
}

/** Without its last further message there is nothing to compare: the test is switched off and keeps the message. */
export function withoutVariant(abTest: AbTest, index: number): AbTest {
  if (abTest.variants.length === 1) return { ...abTest, isEnabled: false }
  return { ...abTest, variants: abTest.variants.toSpliced(index, 1) }
}

/** Missing choices of the further messages by step; `unset`: the number of unset values of each. */
export function openVariants(
  { abTest }: Pick<CampaignDraft, 'abTest'>,
  unset: readonly number[],
): { template: number; values: number } {
  if (!abTest?.isEnabled) return { template: 0, values: 0 }
  return {
    template: abTest.variants.filter(({ senderId, templateId }) => !senderId || !templateId).length,
    values: abTest.variants.reduce((sum, _, index) => sum + (unset[index] ?? 0), 0),
  }
}

/** Inputs of the estimate. */
const countedSettings = ['isEnabled', 'samplePercent', 'holdoutPercent'] as const
const countedOfVariant = ['channel', 'senderId', 'templateId'] as const

/** Whether the saved test has the messages and shares chosen here. */
export function isSameTest(kept: AbTest | null, chosen: AbTest | null): boolean {
  if (!kept?.isEnabled && !chosen?.isEnabled) return true
  if (!kept || !chosen || kept.variants.length !== chosen.variants.length) return false
  return (
    countedSettings.every((key) => kept[key] === chosen[key]) &&
    chosen.variants.every((leg, index) => countedOfVariant.every((key) => kept.variants[index]?.[key] === leg[key]))
  )
}

type Compared = { channel: Channel; variables: readonly Pick<FillVariable, 'source'>[] }

/** Why the messages cannot be compared by a metric; undefined if they can. */
export function metricProblem(metric: AbMetric, compared: readonly Compared[]): string | undefined {
  if (metric === 'read') {
    const without = compared.find(({ channel }) => !channelTraits[channel].hasReadReceipts)
    return without && `${channelTraits[without.channel].label} has no read receipts`
  }
  if (metric === 'clicked') {
    const isLinked = compared.every(({ variables }) => variables.some(({ source }) => source?.link))
    return isLinked ? undefined : 'needs a tracked link in every message'
  }
  return undefined
}

type Counted = Pick<Estimate, 'rest' | 'heldOut'> & {
  legs: readonly Pick<Estimate['legs'][number], 'leg' | 'starters'>[]
}

/** How many people get each message, the winner, and nothing; undefined before the test is counted. */
export function planOfTest({ legs, rest, heldOut }: Counted): string | undefined {
  if (!hasVariants(legs)) return undefined
  const shares = legs.filter(({ leg }) => variantAt(leg) !== undefined).map(({ starters }) => starters)
  const [least, most] = [Math.min(...shares), Math.max(...shares)]
  const each =
    least === most
      ? countOf(most, 'person gets', 'people get')
      : `${formatCount(least)} to ${formatCount(most)} people get`
  return [
    `${each} each message`,
    ...(rest > 0 ? [countOf(rest, 'gets the winner', 'get the winner')] : ['no one is left for the winner']),
    ...(heldOut > 0 ? [countOf(heldOut, 'gets nothing', 'get nothing')] : []),
  ].join('; ')
}
