import type { Channel } from '@carillon/contract/channels'
import type { AbTest, CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import { useState } from 'react'
import type { Leg, ShownRecipient } from '../../../channels/channel-campaigns.ts'
import { blankLeg } from '../wizard/draft-legs.ts'
import type { DraftHandle } from '../wizard/use-draft.ts'
import type { EditedChannel, EditedChannels } from '../wizard/use-legs.ts'
import { isTesting, mostVariants, switchedTest, variantLike, withoutVariant, withVariant } from './ab-draft.ts'
import { letterOfVariant } from '@carillon/contract/variant-positions'

/** A further message of a test: B, C or D. */
export type WizardVariant = EditedChannel & {
  chosen: DraftLeg
  leg: Leg
  /** 1 for B. */
  variant: number
  letter: string
  change: (patch: Partial<DraftLeg>) => void
  setChannel: (channel: Channel) => void
  remove: () => void
}

type UseVariants = { handle: DraftHandle; edited: EditedChannels; columns: readonly string[] }

/** The test of a draft, with its further messages. */
export function useVariants(shared: UseVariants) {
  const { handle, edited } = shared
  const { draft, change, changeNow } = handle
  const { abTest } = draft
  const [shown, show] = useState(0)
  // As many as a test can have: the number and order of hooks never change.
  const variants = [useVariant(0, shared), useVariant(1, shared), useVariant(2, shared)].filter(
    (one) => one !== undefined,
  )
  const isOn = isTesting(draft)
  const like = ({ legs: [first] }: CampaignDraft) =>
    variantLike(first, edited.find(({ channel }) => channel === first.channel)?.editor.emptyValues)

  return {
    isOn,
    test: isOn ? abTest : null,
    variants: isOn ? variants : [],
    /** The message whose choices are shown: 0 is the first one. */
    shown: isOn && variants.some(({ variant }) => variant === shown) ? shown : 0,
    show,
    canAdd: (abTest?.variants.length ?? 0) < mostVariants,
    /** Channels that a message can have. */
    channels: edited.map(({ channel }) => channel),
    switchTo(isEnabled: boolean) {
      changeNow((before) => ({ abTest: switchedTest(before.abTest, isEnabled, like(before)) }))
      show(isEnabled ? 1 : 0)
    },
    add() {
      changeNow((before) => ({
        abTest: before.abTest && { ...before.abTest, variants: [...before.abTest.variants, like(before)] },
      }))
      show((abTest?.variants.length ?? 0) + 1)
    },
    change: (patch: Partial<AbTest>) => change(patched((before) => ({ ...before, ...patch }))),
    /** For choices that the checks depend on. */
    changeNow: (patch: Partial<AbTest>) => changeNow(patched((before) => ({ ...before, ...patch }))),
  }
}

export type WizardTest = ReturnType<typeof useVariants>

/** The same test with a change; nothing without a test. */
function patched(apply: (abTest: AbTest) => AbTest) {
  return ({ abTest }: CampaignDraft) => ({ abTest: abTest && apply(abTest) })
}

function useVariant(index: number, shared: UseVariants): WizardVariant | undefined {
  const { handle, edited } = shared
  const { change, changeNow } = handle
  // One for each channel, as a message can change its channel.
  const all = [
    useVariantOn(edited[0], index, shared),
    useVariantOn(edited[1], index, shared),
    useVariantOn(edited[2], index, shared),
    useVariantOn(edited[3], index, shared),
    useVariantOn(edited[4], index, shared),
  ]
  const chosen = handle.draft.abTest?.variants[index]
  const found = all.find((one) => one !== undefined && one.channel === chosen?.channel)
  if (!chosen || !found) return undefined
  return {
    ...found,
    chosen,
    variant: index + 1,
    letter: letterOfVariant(index + 1),
    change: (patch) => change(patched((before) => withVariant(before, index, patch))),
    setChannel(channel) {
      const next = edited.find((one) => one.channel === channel)
      if (!next || channel === chosen.channel) return
      const blank = { ...blankLeg(next), isEnabled: true }
      changeNow(patched((before) => withVariant(before, index, blank)))
    },
    remove: () => changeNow(patched((before) => withoutVariant(before, index))),
  }
}

/** A message over a channel, loaded if the test is on and the message has this channel. */
function useVariantOn(
  edited: EditedChannel | undefined,
  index: number,
  { handle, columns, edited: all }: UseVariants,
): (EditedChannel & { leg: Leg }) | undefined {
  const { channel, editor } = edited ?? all[0]
  const useLeg = edited?.editor.useLeg ?? useNoLeg
  const chosen = handle.draft.abTest?.variants[index]
  const isShown = isTesting(handle.draft) && chosen?.channel === channel
  const leg = useLeg({
    leg: isShown ? chosen : blankLeg({ channel, editor }),
    isFirst: true,
    columns,
    preselected: undefined,
    onChange(patch, options) {
      const apply = options?.now ? handle.changeNow : handle.change
      apply(patched((before) => withVariant(before, index, patch)))
    },
  })
  return (
    edited && leg && { ...edited, leg: { ...leg, message: (recipient) => leg.message(recipient && rowOf(recipient)) } }
  )
}

/** Without the message that the server rendered, which is the first one. */
function rowOf({ seq, phoneNumber, values, total }: ShownRecipient): ShownRecipient {
  return { seq, phoneNumber, values, total }
}

function useNoLeg(): Leg | undefined {
  return undefined
}
