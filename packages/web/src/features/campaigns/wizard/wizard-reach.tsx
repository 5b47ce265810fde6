import { variantAt } from '@carillon/contract/variant-positions'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { ReachPart } from './reach-part.tsx'
import type { WizardState } from './use-wizard.ts'

/** Who can be reached, once there are recipients and a first sender. */
export function WizardReach({ wizard: { handle, isReady } }: { wizard: WizardState }) {
  const { id, kept } = handle
  if (id === undefined || !isReady || !kept?.legs[0].senderId) return null
  const nextOf = (leg: number) => {
    const place = variantAt(leg) === undefined ? leg : 0
    const next = kept.legs.find(({ isEnabled }, index) => index > place && isEnabled)
    return next && channelLabel(next.channel)
  }
  return <ReachPart key={`${id} ${kept.audienceId} ${kept.legs[0].senderId}`} draftId={id} nextOf={nextOf} />
}
