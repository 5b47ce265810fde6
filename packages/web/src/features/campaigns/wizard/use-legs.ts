import type { Channel } from '@carillon/contract/channels'
import type { CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import { useState } from 'react'
import type { Leg, LegEditor, LegPatch } from '../../../channels/channel-campaigns.ts'
import { blankLeg, channelsAt, estimateIndex, firstConditions, legBefore, withChannel, withLeg } from './draft-legs.ts'
import type { DraftHandle } from './use-draft.ts'

/** A channel with the editor of its legs. */
export type EditedChannel = { channel: Channel; editor: LegEditor }

/** The channels that a wizard's campaigns can have; a new campaign begins on the first. */
export type EditedChannels = readonly [EditedChannel, ...EditedChannel[]]

/** The channel that the campaign begins on, and those it can fail over to. */
export type WizardChannels = { first: EditedChannel; others: readonly EditedChannel[] }

/** Templates chosen on another screen, for a new campaign. */
export type PreselectedTemplates = Partial<Record<Channel, string>>

type UseLegs = {
  handle: DraftHandle
  edited: EditedChannels
  columns: readonly string[]
  preselected: PreselectedTemplates
}

/** A leg of the draft with the objects it refers to. */
export type WizardLeg = EditedChannel & {
  chosen: DraftLeg
  leg: Leg
  /** Its index in the estimate, if it is enabled. */
  index: number
  change: (patch: Partial<DraftLeg>) => void
  /** Chooses a template by its id, with its sender and the columns that match its variables. */
  pick: (templateId: string) => void
}

/** A failover leg with its choices. */
export type FailoverLeg = WizardLeg & {
  /** The channel whose outcomes lead to it. */
  before: Channel
  /** Channels that it can have; the first is its own. */
  choices: readonly Channel[]
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
export function useLegs({ handle, edited, columns, preselected }: UseLegs) {
  const shared = { handle, columns, preselected, first: edited[0] }
  // One for each channel, in an order of their own: the number and order of hooks never change.
  const all = [
    useEditedLeg(edited[0], shared),
    useEditedLeg(edited[1], shared),
    useEditedLeg(edited[2], shared),
    useEditedLeg(edited[3], shared),
    useEditedLeg(edited[4], shared),
  ].filter((one) => one !== undefined)

  const { draft } = handle
  const legs = draft.legs.flatMap((chosen, place): WizardLeg[] => {
    const found = all.find(({ channel }) => channel === chosen.channel)
    return found ? [{ ...found, chosen, index: estimateIndex(draft.legs, place) }] : []
  })
  const [first, ...later] = legs
  if (!first) throw new Error(`Drafts that begin on ${draft.legs[0].channel} cannot be edited here`)
  const others = edited.filter(({ channel }) => channel !== first.channel)
  const channels: WizardChannels = { first, others }
  const failover = edited.length > 1 ? failoverOf({ handle, edited, later }) : undefined
  return { channels, first: first.leg, legs, failover }
}

type EditedLeg = Omit<WizardLeg, 'chosen' | 'index'>
type Shared = Pick<UseLegs, 'handle' | 'columns' | 'preselected'> & { first: EditedChannel }

/** The leg over a channel, loaded if the draft has one. */
function useEditedLeg(edited: EditedChannel | undefined, shared: Shared): EditedLeg | undefined {
  const { handle, columns, preselected, first } = shared
  const { change, changeNow, draft } = handle
  const { channel, editor } = edited ?? first
  const [wanted, setWanted] = useState(preselected[channel])
  const blank = blankLeg({ channel, editor })
  const useLeg = edited?.editor.useLeg ?? useNoLeg
  const patched = (patch: Partial<DraftLeg>) => (before: CampaignDraft) => ({
    legs: withLeg(before.legs, patch, blank),
  })
  const leg = useLeg({
    leg: draft.legs.find((one) => one.channel === channel) ?? blank,
    isFirst: draft.legs[0].channel === channel,
    columns,
    preselected: wanted,
    onChange(patch: LegPatch, options) {
      if (patch.templateId !== undefined) setWanted(undefined)
      const apply = options?.now ? changeNow : change
      apply(patched(patch))
    },
  })
  if (!edited || !leg) return undefined
  return {
    ...edited,
    leg,
    change: (patch) => change(patched(patch)),
    pick(templateId) {
      change(patched({ senderId: null, templateId: null, values: editor.emptyValues }))
      setWanted(templateId)
    },
  }
}

function useNoLeg(): Leg | undefined {
  return undefined
}

type Available = Pick<UseLegs, 'handle' | 'edited'> & { later: readonly WizardLeg[] }

function failoverOf({ handle, edited, later }: Available): Failover {
  const { changeNow, draft } = handle
  const blankOf = (channel: Channel) => {
    const found = edited.find((one) => one.channel === channel)
    return found && blankLeg(found)
  }
  const isKnown = (channel: Channel) => blankOf(channel) !== undefined
  const changed = (channel: Channel, patch: Partial<DraftLeg>) => (before: CampaignDraft) => {
    const blank = blankOf(channel)
    return blank ? { legs: withLeg(before.legs, patch, blank) } : {}
  }
  const legs = later.map((one): FailoverLeg => {
    const { channel, chosen } = one
    const place = draft.legs.indexOf(chosen)
    const choices = channelsAt(draft.legs, place).filter((other) => other !== channel && isKnown(other))
    return {
      ...one,
      before: legBefore(draft.legs, place).channel,
      choices: [channel, ...choices],
      switchTo: (isEnabled) => changeNow(changed(channel, switched(chosen, isEnabled))),
      setChannel(next) {
        const blank = blankOf(next)
        if (blank && next !== channel) changeNow((before) => ({ legs: withChannel(before.legs, channel, blank) }))
      },
    }
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
