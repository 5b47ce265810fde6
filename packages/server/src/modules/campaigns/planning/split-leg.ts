import { createBitmap, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import type { CountryRange } from '../../audience/index.ts'
import type { AudienceCount, MeasuredRows } from '../checks/count-audience.ts'
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
  count: Pick<AudienceCount, 'rows' | 'countries'>
  ranges: readonly CountryRange[]
  recipients: LegRecipients
  /** The leg with which recipients begin if nothing else is known. */
  isFirst: boolean
}

/**
 * Divides a leg's recipients; an ordinary leg is a single share of everyone. Shares without recipients are left out, except that the
 * first leg always has one: skipped recipients move on from it.
 */
export function splitLeg({ count, ranges, recipients, isFirst }: SplitLeg): LegShare[] {
  const { rows, countries } = count
  const [only = '', ...others] = rows.categories
  // Counted with the audience already.
  if (!recipients.starters && others.length === 0)
    return [{ category: only, isStart: isFirst, members: undefined, countries }]
  const people = rows.parts.length
  const shares = new Map<string, NewShare>()
  for (let seq = 0; seq < people; seq += 1) {
    const isStart = startsWith(recipients, isFirst, seq)
    if (isStart === undefined) continue
    const category = categoryOf(rows, seq)
    const key = `${isStart}.${category}`
    let share = shares.get(key)
    if (!share) {
      share = { category, isStart, members: createBitmap(people), size: 0, tally: createTally(ranges) }
      shares.set(key, share)
    }
    setBit(share.members, seq)
    share.size += 1
    const parts = rows.parts[seq] ?? 0
    if (parts > 0) share.tally.add(seq, parts)
  }
  if (isFirst && shares.size === 0)
    return [{ category: only, isStart: true, members: createBitmap(people), countries: createTally(ranges).counts() }]
  return [...shares.values()].map(({ size, tally, ...share }) => ({
    ...share,
    members: size === people ? undefined : share.members,
    countries: tally.counts(),
  }))
}

function categoryOf({ categories, category }: MeasuredRows, seq: number): string {
  return categories[category[seq] ?? 0] ?? ''
}

type NewShare = Omit<LegShare, 'members' | 'countries'> & {
  members: Bitmap
  size: number
  tally: ReturnType<typeof createTally>
}

/** Whether a recipient begins with the leg or follows; undefined: neither. */
function startsWith({ starters, followers }: LegRecipients, isFirst: boolean, seq: number): boolean | undefined {
  if (!starters || !followers) return isFirst
  if (hasBit(starters, seq)) return true
  return hasBit(followers, seq) ? false : undefined
}
