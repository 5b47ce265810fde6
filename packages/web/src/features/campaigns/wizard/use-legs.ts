import type { Channel } from '@carillon/contract/channels'
import type { CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import type { Leg, LegEditor } from '../../../channels/channel-campaigns.ts'
import {
  blankLeg,
  channelsAt,
  estimateIndex,
  firstConditions,
  legBefore,
  withChannel,
  withFirst,
  withLater,
} from './draft-legs.ts'
import type { DraftHandle } from './use-draft.ts'

/** A channel with the editor of its legs. */
export type EditedChannel = { channel: Channel; editor: LegEditor }

/** The channel a wizard begins on, and those it can fail over to. */
export type WizardChannels = { first: EditedChannel; others: readonly EditedChannel[] }

type UseLegs = {
  handle: DraftHandle
  channels: WizardChannels
  columns: readonly string[]
  preselected: string | undefined
}

/** A failover leg with its choices. */
export type FailoverLeg = {
  channel: Channel
  chosen: DraftLeg
  leg: Leg
  /** The channel whose outcomes lead to it. */
  before: Channel
  /** Its index in the estimate, if it is enabled. */
  index: number
  /** Channels that it can have; the first is its own. */
  choices: readonly Channel[]
  change: (patch: Partial<DraftLeg>) => void
  switchTo: (isEnabled: boolean) => void
  setChannel: (channel: Channel) => void
}

/** All failover legs, and those that can be added. */
export type Failover = {
  legs: readonly FailoverLeg[]
  offers: readonly Channel[]
  add: (channel: Channel) => void
}

/** The legs of a draft with the objects they refer to. */
export function useLegs({ handle, channels, columns, preselected }: UseLegs) {
  const { first, others } = channels
  const { change, changeNow, draft } = handle
  const firstLeg = first.editor.useLeg({
    leg: draft.legs[0],
    isFirst: true,
    columns,
    preselected,
    onChange: (patch, options) => (options?.now ? changeNow : change)(({ legs }) => ({ legs: withFirst(legs, patch) })),
  })
  const shared = { handle, columns, first }
  // One for each other channel: the number of hooks never changes.
  const all = [
    useLaterLeg(others[0], shared),
    useLaterLeg(others[1], shared),
    useLaterLeg(others[2], shared),
    useLaterLeg(others[3], shared),
  ].filter((one) => one !== undefined)

  return { first: firstLeg, failover: others.length > 0 ? failoverOf({ handle, others, all }) : undefined }
}

type LaterLeg = { edited: EditedChannel; leg: Leg }
type Shared = Pick<UseLegs, 'handle' | 'columns'> & { first: EditedChannel }

/** The leg over another channel, loaded if the draft has one. */
function useLaterLeg(edited: EditedChannel | undefined, { handle, columns, first }: Shared): LaterLeg | undefined {
  const { change, changeNow, draft } = handle
  const blank = blankLeg(edited ?? first)
  const useLeg = edited?.editor.useLeg ?? useNoLeg
  const leg = useLeg({
    leg: draft.legs.slice(1).find(({ channel }) => channel === edited?.channel) ?? blank,
    isFirst: false,
    columns,
    preselected: undefined,
    onChange: (patch, options) =>
      (options?.now ? changeNow : change)(({ legs }) => ({ legs: withLater(legs, patch, blank) })),
  })
  return edited && leg && { edited, leg }
}

function useNoLeg(): Leg | undefined {
  return undefined
}

type Available = Pick<UseLegs, 'handle'> & { others: readonly EditedChannel[]; all: readonly LaterLeg[] }

function failoverOf({ handle, others, all }: Available): Failover {
  const { change, changeNow, draft } = handle
  const blankOf = (channel: Channel) => {
    const edited = others.find((one) => one.channel === channel)
    return edited && blankLeg(edited)
  }
  const isKnown = (channel: Channel) => blankOf(channel) !== undefined
  const changed = (channel: Channel, patch: Partial<DraftLeg>) => (before: CampaignDraft) => {
    const blank = blankOf(channel)
    return blank ? { legs: withLater(before.legs, patch, blank) } : {}
  }
  const legs = draft.legs.slice(1).flatMap((chosen, place): FailoverLeg[] => {
    const { channel } = chosen
    const index = place + 1
    const leg = all.find(({ edited }) => edited.channel === channel)?.leg
    if (!leg) return []
    const choices = channelsAt(draft.legs, index).filter((one) => one !== channel && isKnown(one))
    return [
      {
        channel,
        chosen,
        leg,
        before: legBefore(draft.legs, index).channel,
        index: estimateIndex(draft.legs, index),
        choices: [channel, ...choices],
        change: (patch) => change(changed(channel, patch)),
        switchTo: (isEnabled) => changeNow(changed(channel, switched(chosen, isEnabled))),
        setChannel(next) {
          const blank = blankOf(next)
          if (blank && next !== channel) changeNow((before) => ({ legs: withChannel(before.legs, channel, blank) }))
        },
      },
    ]
  })
  const isOpenEnded = draft.legs.at(-1)?.isEnabled ?? false
  return {
    legs,
    offers: isOpenEnded ? channelsAt(draft.legs, draft.legs.length).filter(isKnown) : [],
    add: (channel) => changeNow(changed(channel, switched({ entryConditions: [] }, true))),
  }
}

/** The first time a leg is switched on, it gets the usual conditions. */
function switched({ entryConditions }: Pick<DraftLeg, 'entryConditions'>, isEnabled: boolean): Partial<DraftLeg> {
  const isNew = isEnabled && entryConditions.length === 0
  return { isEnabled, ...(isNew ? { entryConditions: [...firstConditions] } : {}) }
}
