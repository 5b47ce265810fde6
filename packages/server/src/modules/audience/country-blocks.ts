import type pg from 'pg'
import { z } from 'zod'

/** Sequence range of a country's recipients in an audience: from `lo` to below `hi`. */
export const CountryRange = z.object({ country: z.string(), lo: z.number(), hi: z.number() })
export type CountryRange = z.infer<typeof CountryRange>

/** Of a ready audience, whose recipients are grouped by country. */
export function countriesOf({
  countries,
  default_country: country,
  accepted,
}: {
  countries: unknown
  default_country: string
  accepted: number
}): CountryRange[] {
  const ranges = z.array(CountryRange).parse(countries)
  return ranges.length > 0 ? ranges : [{ country, lo: 0, hi: accepted }]
}

export type CountryBlocks = {
  /** Sets the countries of the first rows before any of them is numbered. */
  expect(countries: Iterable<string>): void
  /** The sequence number of a country's next recipient, before the gaps are closed. */
  next(country: string): number
  /** Per country: the start of its block, and its range once the gaps are closed. */
  all(): CountryBlock[]
}

export type CountryBlock = CountryRange & { first: number }

/** Larger than any audience, so that blocks cannot overlap. */
const blockSize = 4_000_000

/**
 * Numbers recipients by country in a single pass: each country gets a block of its own and keeps file order. The most
 * frequent country of the first rows starts at 0, so that its recipients need not move.
 */
export function createCountryBlocks(): CountryBlocks {
  const counts = new Map<string, { first: number; count: number }>()

  function begin(country: string) {
    const block = { first: counts.size * blockSize, count: 0 }
    counts.set(country, block)
    return block
  }

  return {
    expect(countries) {
      if (counts.size > 0) return
      const seen = new Map<string, number>()
      for (const country of countries) seen.set(country, (seen.get(country) ?? 0) + 1)
      const [most] = [...seen].sort(([, one], [, other]) => other - one)
      if (most) begin(most[0])
    },
    next(country) {
      const block = counts.get(country) ?? begin(country)
      block.count += 1
      return block.first + block.count - 1
    },
    all() {
      let lo = 0
      return [...counts].flatMap(([country, { first, count }]) => {
        lo += count
        return count === 0 ? [] : [{ country, first, lo: lo - count, hi: lo }]
      })
    },
  }
}

/** Closes the gaps between the blocks, country by country; the target range is always free. Audiences of a single country are not moved. */
export async function closeBlocks(
  client: pg.ClientBase,
  { organizationId, audienceId }: { organizationId: string; audienceId: string },
  blocks: readonly CountryBlock[],
): Promise<void> {
  for (const { first, lo, hi } of blocks) {
    if (first === lo) continue
    await client.query(
      `update recipients set seq = seq - $3
      where organization_id = $1 and audience_id = $2 and seq >= $4 and seq < $5`,
      [organizationId, audienceId, first - lo, first, first + hi - lo],
    )
  }
}
