import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { CampaignDraft, DraftLeg, FailoverCondition } from '@carillon/contract/draft-legs'
import type { LegEditor } from '../../../channels/channel-campaigns.ts'
import { accountZone, formatDay } from '../../../lib/format.ts'

export type Legs = CampaignDraft['legs']

type Blank = { channel: Channel; editor: Pick<LegEditor, 'emptyValues'> }

export function blankDraft(first: Blank, now = new Date()): CampaignDraft {
  return {
    campaignName: `${channelTraits[first.channel].label} campaign, ${formatDay(now)}`,
    audienceId: null,
    schedule: { timezone: accountZone() },
    skipRecent: null,
    frequencyCap: 'respect',
    isUnified: false,
    abTest: null,
    splitOverDays: false,
    legs: [{ ...blankLeg(first), isEnabled: true }],
  }
}

/** An empty leg; it is not sent before it is switched on. */
export function blankLeg({ channel, editor }: Blank): DraftLeg {
  return {
    channel,
    senderId: null,
    templateId: null,
    values: editor.emptyValues,
    isEnabled: false,
    entryConditions: [],
  }
}

/** The legs with the first one changed. */
export function withFirst([first, ...others]: Legs, patch: Partial<DraftLeg>): Legs {
  return [{ ...first, ...patch }, ...others]
}

/** The legs with the one of a channel changed, or added at the end if there is none. */
export function withLeg(legs: Legs, patch: Partial<DraftLeg>, blank: DraftLeg): Legs {
  return legs[0].channel === blank.channel ? withFirst(legs, patch) : withLater(legs, patch, blank)
}

/** The legs with a later one changed, or added at the end if there is none of its channel. */
export function withLater([first, ...others]: Legs, patch: Partial<DraftLeg>, blank: DraftLeg): Legs {
  const isNew = others.every(({ channel }) => channel !== blank.channel)
  return [
    first,
    ...others.map((leg) => (leg.channel === blank.channel ? { ...leg, ...patch } : leg)),
    ...(isNew ? [{ ...blank, ...patch }] : []),
  ]
}

/** The legs with a later one sent over another channel; its conditions are kept, and legs that cannot follow it are removed. */
export function withChannel([first, ...others]: Legs, from: Channel, blank: DraftLeg): Legs {
  const legs = others.map((leg) =>
    leg.channel === from ? { ...blank, isEnabled: leg.isEnabled, entryConditions: leg.entryConditions } : leg,
  )
  const kept: DraftLeg[] = []
  for (const leg of legs) {
    const before = kept.at(-1) ?? first
    if (canFollow(before.channel, leg.channel, [first, ...kept])) kept.push(leg)
  }
  return [first, ...kept]
}

/** Channels that a leg at this index may have; the last index plus one is a further leg. */
export function channelsAt(legs: Legs, index: number): Channel[] {
  const before = legs[index - 1]
  if (!before) return []
  const others = legs.filter((_, place) => place !== index)
  return channelTraits[before.channel].failoverTo.filter((channel) => canFollow(before.channel, channel, others))
}

/** A campaign uses each channel once. */
function canFollow(before: Channel, channel: Channel, others: readonly DraftLeg[]): boolean {
  return channelTraits[before].failoverTo.includes(channel) && others.every((leg) => leg.channel !== channel)
}

/** The leg that fails over to a leg: the last enabled one before it. */
export function legBefore(legs: Legs, index: number): DraftLeg {
  return legs.slice(1, index).findLast(({ isEnabled }) => isEnabled) ?? legs[0]
}

/** The index of a leg in the estimate, which lists the enabled ones. */
export function estimateIndex(legs: Legs, index: number): number {
  return legs.slice(0, index).filter(({ isEnabled }) => isEnabled).length
}

/** Default failover conditions: not on the channel, or not delivered within ten minutes. */
export const firstConditions: readonly FailoverCondition[] = [
  { type: 'not_reachable_on_channel' },
  { type: 'undelivered_after', afterSeconds: 600 },
]
