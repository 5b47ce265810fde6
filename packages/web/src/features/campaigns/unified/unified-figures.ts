import type { CampaignStats } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { figuresOf, sharesOf } from '@carillon/contract/figures'
import { spentOf } from '../report/spent.ts'

type Sent = { channels: readonly Channel[]; stats: CampaignStats }

/** Rates and costs of a campaign over several channels; undefined while they are unknown. */
export type UnifiedFigures = {
  /** People reached, each counted once. */
  reached: number
  deliveredShare: number | undefined
  /** Of the people reached; undefined if no channel has read receipts. */
  readShare: number | undefined
  replyShare: number | undefined
  /** In rupees. */
  cost: number | undefined
  costPerPerson: number | undefined
}

export function unifiedFiguresOf({ channels, stats }: Sent): UnifiedFigures {
  const { delivered, read } = figuresOf(stats)
  const hasReceipts = channels.some((channel) => channelTraits[channel].hasReadReceipts)
  const isReached = delivered > 0
  const cost = spentOf(stats)
  return {
    reached: delivered,
    deliveredShare: sharesOf(stats)?.delivered,
    readShare: isReached && hasReceipts ? read / delivered : undefined,
    replyShare: isReached ? Math.min(1, stats.replied / delivered) : undefined,
    cost: stats.submitted > 0 ? cost : undefined,
    costPerPerson: isReached ? cost / delivered : undefined,
  }
}
