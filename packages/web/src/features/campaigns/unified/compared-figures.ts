import type { ComparedCampaign } from '@carillon/contract/unified-campaigns'
import { unifiedFiguresOf } from './unified-figures.ts'

/** A row of the comparison. */
export type ComparedFigure = {
  label: string
  format: 'count' | 'share' | 'money' | 'unitPrice' | 'duration'
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
    format: 'unitPrice',
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
  { best, format }: Pick<ComparedFigure, 'best' | 'format'>,
  value: number | undefined,
  all: readonly (number | undefined)[],
): boolean {
  const asShown = (one: number) => Number(one.toFixed(decimals[format]))
  const known = all.filter((one) => one !== undefined).map(asShown)
  if (!best || value === undefined || new Set(known).size < 2) return false
  return asShown(value) === (best === 'highest' ? Math.max(...known) : Math.min(...known))
}

/** As they are shown: values that look the same are the same. */
const decimals: Record<ComparedFigure['format'], number> = { count: 0, share: 3, money: 2, unitPrice: 4, duration: 0 }
