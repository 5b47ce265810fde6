import type { ComparedCampaign } from '@carillon/contract/unified-campaigns'
import { unifiedFiguresOf } from './unified-figures.ts'

/** A row of the comparison. */
export type ComparedFigure = {
  label: string
  format: 'count' | 'share' | 'money' | 'duration'
  /** Which value is the best; absent: none is. */
  best?: 'highest' | 'lowest'
  of: (campaign: ComparedCampaign) => number | undefined
}

export const comparedFigures: readonly ComparedFigure[] = [
  { label: 'People', format: 'count', of: ({ stats }) => (stats.total > 0 ? stats.total : undefined) },
  {
    label: 'Reached once',
    format: 'count',
    of: (campaign) => (campaign.stats.submitted > 0 ? unifiedFiguresOf(campaign).reached : undefined),
  },
  {
    label: 'Delivered %',
    format: 'share',
    best: 'highest',
    of: (campaign) => unifiedFiguresOf(campaign).deliveredShare,
  },
  { label: 'Read %', format: 'share', best: 'highest', of: (campaign) => unifiedFiguresOf(campaign).readShare },
  { label: 'Reply %', format: 'share', best: 'highest', of: (campaign) => unifiedFiguresOf(campaign).replyShare },
  { label: 'Cost', format: 'money', of: (campaign) => unifiedFiguresOf(campaign).cost },
  {
    label: 'Cost per person delivered',
    format: 'money',
    best: 'lowest',
    of: (campaign) => unifiedFiguresOf(campaign).costPerPerson,
  },
  {
    label: 'Duration',
    format: 'duration',
    best: 'lowest',
    of: ({ durationSeconds }) => durationSeconds ?? undefined,
  },
]

/** The best of at least two known values that differ; campaigns with the same best value share it. */
export function isBest(
  { best }: Pick<ComparedFigure, 'best'>,
  value: number | undefined,
  all: readonly (number | undefined)[],
): boolean {
  const known = all.filter((one) => one !== undefined)
  if (!best || value === undefined || new Set(known).size < 2) return false
  return value === (best === 'highest' ? Math.max(...known) : Math.min(...known))
}
