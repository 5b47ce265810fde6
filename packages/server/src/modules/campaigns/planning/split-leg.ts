import { createBitmap, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import type { CountryRange } from '../../audience/index.ts'
import type { MeasuredRows } from '../checks/count-audience.ts'
import { createTally, type CountryCount } from '../checks/country-prices.ts'
import type { LegRecipients } from './assign-recipients.ts'

/** Recipients of a leg with the same rate category, who either begin with it or get it after an earlier leg. */
export type LegShare = {
  category: string
  isStart: boolean
  /** Undefined: all of the audience. */
  members: Bitmap | undefined
  countries: CountryCount[]
}

type SplitLeg = {
  rows: MeasuredRows
  ranges: readonly CountryRange[]
  recipients: LegRecipients
  /** The leg with which recipients begin if nothing else is known. */
  isFirst: boolean
}

/**
 * Divides a leg's recipients; an ordinary leg is a single share of everyone. Shares without recipients are left out, except that the
 * first leg always has one: skipped recipients move on from it.
 */
export function splitLeg({ rows, ranges, recipients, isFirst }: SplitLeg): LegShare[] {
  const people = rows.parts.length
  const shares = new Map<string, LegShare & { members: Bitmap; size: number; tally: ReturnType<typeof createTally> }>()
  for (let seq = 0; seq < people; seq += 1) {
    const isStart = startsWith(recipients, isFirst, seq)
    if (isStart === undefined) continue
    const category = rows.categories[rows.category[seq] ?? 0] ?? ''
    const key = `${isStart}.${category}`
    let share = shares.get(key)
    if (!share) {
      const tally = createTally(ranges)
      share = { category, isStart, members: createBitmap(people), size: 0, tally, countries: tally.counts() }
      shares.set(key, share)
    }
    setBit(share.members, seq)
    share.size += 1
    const parts = rows.parts[seq] ?? 0
    if (parts > 0) share.tally.add(seq, parts)
  }
  if (isFirst && shares.size === 0) {
    const [category = ''] = rows.categories
    return [{ category, isStart: true, members: createBitmap(people), countries: createTally(ranges).counts() }]
  }
  return [...shares.values()].map(({ category, isStart, members, size, countries }) => ({
    category,
    isStart,
    members: size === people ? undefined : members,
    countries,
  }))
}

/** Whether a recipient begins with the leg or follows; undefined: neither. */
function startsWith({ starters, followers }: LegRecipients, isFirst: boolean, seq: number): boolean | undefined {
  if (!starters || !followers) return isFirst
  if (hasBit(starters, seq)) return true
  return hasBit(followers, seq) ? false : undefined
}
