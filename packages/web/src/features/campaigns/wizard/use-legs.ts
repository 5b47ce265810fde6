import type { Channel } from '@carillon/contract/channels'
import type { DraftLeg } from '@carillon/contract/draft-legs'
import type { Leg, LegEditor } from '../../../channels/channel-campaigns.ts'
import { blankLeg, firstConditions, withFirst, withSecond } from './draft-legs.ts'
import type { DraftHandle } from './use-draft.ts'

/** A channel with the editor of its legs. */
export type EditedChannel = { channel: Channel; editor: LegEditor }

/** The channel a wizard begins on, and the one it can fail over to. */
export type WizardChannels = { first: EditedChannel; next: EditedChannel | undefined }

type UseLegs = {
  handle: DraftHandle
  channels: WizardChannels
  columns: readonly string[]
  preselected: string | undefined
}

/** The failover leg with its choices. */
export type FailoverLeg = {
  channel: Channel
  chosen: DraftLeg
  leg: Leg
  change: (patch: Partial<DraftLeg>) => void
  switchTo: (isEnabled: boolean) => void
}

/** The legs of a draft with the objects they refer to. */
export function useLegs({ handle, channels, columns, preselected }: UseLegs) {
  const { first, next } = channels
  const { change, changeNow, draft } = handle
  const firstLeg = first.editor.useLeg({
    leg: draft.legs[0],
    isFirst: true,
    columns,
    preselected,
    onChange: (patch, options) => (options?.now ? changeNow : change)(({ legs }) => ({ legs: withFirst(legs, patch) })),
  })

  const blank = blankLeg(next ?? first)
  const chosen = draft.legs[1] ?? blank
  const changed = (patch: Partial<DraftLeg>) => (before: typeof draft) => ({
    legs: withSecond(before.legs, patch, blank),
  })
  const useNextLeg = next?.editor.useLeg ?? useNoLeg
  const leg = useNextLeg({
    leg: chosen,
    isFirst: false,
    columns,
    preselected: undefined,
    onChange: (patch, options) => (options?.now ? changeNow : change)(changed(patch)),
  })
  const failover: FailoverLeg | undefined = next &&
    leg && {
      channel: next.channel,
      chosen,
      leg,
      change: (patch) => change(changed(patch)),
      switchTo(isEnabled) {
        const isNew = isEnabled && chosen.entryConditions.length === 0
        changeNow(changed({ isEnabled, ...(isNew ? { entryConditions: [...firstConditions] } : {}) }))
      },
    }
  return { first: firstLeg, failover }
}

function useNoLeg(): Leg | undefined {
  return undefined
}
