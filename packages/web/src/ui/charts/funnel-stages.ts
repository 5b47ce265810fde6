import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { figuresOf, sharesOf, type Fates } from '@carillon/contract/figures'
import type { Stage } from './funnel.tsx'

/** Stages from sent to replied, as shares of all attempted messages. `clicked`: absent without tracked links. */
export function stagesOf(
  counts: Fates & { replied: number; clicked?: number },
  channel: Channel,
): { stages: Stage[]; total: number } {
  const { tried: total, sent, delivered, read, failed } = figuresOf(counts)
  const shares = sharesOf(counts)
  const stages: Stage[] = [
    { label: 'Sent', count: sent, tone: 1 },
    { label: 'Delivered', count: delivered, share: shares?.delivered, tone: 2 },
    { label: 'Read', count: channelTraits[channel].hasReadReceipts ? read : undefined, share: shares?.read, tone: 3 },
    ...(counts.clicked === undefined ? [] : [{ label: 'Clicked', count: counts.clicked, tone: 4 as const }]),
    { label: 'Replied', count: counts.replied, tone: 4 },
    { label: 'Failed', count: failed, share: shares?.failed, tone: 'failed' },
  ]
  return { stages, total }
}
