import { createBitmap, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import type { CountryRange } from '../../audience/index.ts'
import type { AudienceCount, MeasuredRows } from '../checks/count-audience.ts'
import { createTally, type CountryCount } from '../checks/country-prices.ts'
import type { LegRecipients } from './assign-recipients.ts'

/** How recipients get a leg: they begin with it, get it after an earlier leg, or begin with it if it wins the test. */
export type LegRole = 'start' | 'follow' | 'rest'

/** Recipients of a leg with the same rate category, who get it in the same way. */
export type LegShare = {
  category: string
  role: LegRole
  /** Undefined: all of the audience. */
  members: Bitmap | undefined
  countries: CountryCount[]
}

type SplitLeg = {
  count: Pick<AudienceCount, 'rows' | 'countries'>
  ranges: readonly CountryRange[]
  recipients: LegRecipients
  /** The leg with which recipients begin if nothing else is known, or a variant of it. */
  isFirst: boolean
}

/**
 * Divides a leg's recipients; an ordinary leg is a single share of everyone. Shares without recipients are left out, except that the
 * first legs always have one: skipped recipients move on from it.
 */
export function splitLeg({ count, ranges, recipients, isFirst }: SplitLeg): LegShare[] {
  const { rows, countries } = count
  const [only = '', ...others] = rows.categories
  // Counted with the audience already.
  if (!recipients.starters && others.length === 0)
    return [{ category: only, role: isFirst ? 'start' : 'follow', members: undefined, countries }]
  const people = rows.parts.length
  const shares = createShares(people, ranges)
  for (let seq = 0; seq < people; seq += 1) {
    const role = roleOf(recipients, isFirst, seq)
    if (role === undefined) continue
    const share = shares.of(role, categoryOf(rows, seq))
    setBit(share.members, seq)
    share.size += 1
    const parts = rows.parts[seq] ?? 0
    if (parts > 0) share.tally.add(seq, parts)
  }
  for (const role of neededRoles(recipients, isFirst)) if (!shares.has(role)) shares.of(role, only)
  return shares.all().map(({ size, tally, ...share }) => ({
    ...share,
    members: size === people ? undefined : share.members,
    countries: tally.counts(),
  }))
}

/** Skipped recipients move on from a leg, so that it exists even if it has no other ones. */
function neededRoles({ rest }: LegRecipients, isFirst: boolean): LegRole[] {
  return [...(isFirst ? ['start' as const] : []), ...(rest ? ['rest' as const] : [])]
}

function createShares(people: number, ranges: readonly CountryRange[]) {
  const shares = new Map<string, NewShare>()
  return {
    of(role: LegRole, category: string): NewShare {
      const key = `${role}.${category}`
      const known = shares.get(key)
      if (known) return known
      const share = { category, role, members: createBitmap(people), size: 0, tally: createTally(ranges) }
      shares.set(key, share)
      return share
    },
    has: (role: LegRole) => [...shares.values()].some((share) => share.role === role),
    all: () => [...shares.values()],
  }
}

function categoryOf({ categories, category }: MeasuredRows, seq: number): string {
  return categories[category[seq] ?? 0] ?? ''
}

type NewShare = Omit<LegShare, 'members' | 'countries'> & {
  members: Bitmap
  size: number
  tally: ReturnType<typeof createTally>
}

/** Undefined: the recipient does not get the leg. */
function roleOf({ starters, followers, rest }: LegRecipients, isFirst: boolean, seq: number): LegRole | undefined {
  if (!starters || !followers) return isFirst ? 'start' : undefined
  if (hasBit(starters, seq)) return 'start'
  if (rest && hasBit(rest, seq)) return 'rest'
  return hasBit(followers, seq) ? 'follow' : undefined
}
