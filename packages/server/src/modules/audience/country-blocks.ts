import type pg from 'pg'
import { z } from 'zod'

/** Where the people of a country stand in an audience: seq from `lo` to below `hi`. */
export const CountryRange = z.object({ country: z.string(), lo: z.number(), hi: z.number() })
export type CountryRange = z.infer<typeof CountryRange>

/** Of an audience that is ready: its people without a gap. */
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
  /** Takes the countries of the first rows before any of them is numbered. */
  expect(countries: Iterable<string>): void
  /** The seq of the next person of a country, until the blocks are closed up. */
  next(country: string): number
  /** Country after country: where its block begins, and where its people stand once the blocks are closed up. */
  all(): CountryBlock[]
}

export type CountryBlock = CountryRange & { first: number }

/** Longer than any audience: no country grows into the next one's block, nor do the blocks closed up. */
const blockSize = 4_000_000

/**
 * Numbers people by their country while a file of many is read: each country begins a block of its own, and keeps the order
 * of the file. The country that most of the first rows are of is numbered from 0, for its people need not be moved later.
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

/**
 * Closes the gaps between the blocks, country by country: where a country moves to nobody stands, neither of it nor of
 * another. People of a single country stay where they are.
 */
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
