import type { VariableSource } from '@carillon/contract/campaign-records'
import { isUnreadable } from '@carillon/contract/variable-values'
import { sql } from 'kysely'
import type { Rendered } from '../../../channels/channel.ts'
import type { Db } from '../../../db/pool.ts'
import type { CountryRange } from '../../audience/index.ts'
import { createTally, type CountryCount } from './country-prices.ts'
import { createSample } from '../drafts/sample.ts'

/** What a message comes to over every row of an audience. Rows without a value for each variable, and of people who opted out, are not sent. */
export type RowCount = {
  people: number
  parts: number
  missing: number
  optedOut: number
  missingSeqs: number[]
  /** Rows with a cell that is not what its format asks for. */
  unreadable: number
  unreadableSeqs: number[]
  countries: CountryCount[]
}

const rowsPerFetch = 5000
const keptSeqs = 50

export type CountedRows = {
  organizationId: string
  audienceId: string
  ranges: readonly CountryRange[]
  /** Places of those who said stop: they get nothing. */
  optedOut: ReadonlySet<number>
  /** Where values come from. */
  sources: readonly VariableSource[]
}

/** Renders every row as the engine will, in steps of 5,000. */
export async function countRows(
  db: Db,
  { organizationId, audienceId, ranges, optedOut, sources }: CountedRows,
  render: (cells: readonly string[]) => Rendered | undefined,
): Promise<RowCount> {
  const missing = createSample()
  const unreadable = createSample()
  const tally = createTally(ranges)
  const count = { people: 0, parts: 0 }
  for (let from = 0; ; from += rowsPerFetch) {
    const { rows } = await sql<{ seq: number; variables: string[] }>`
      select seq, variables from recipients
      where organization_id = ${organizationId}::uuid and audience_id = ${audienceId}::uuid
        and seq >= ${from} and seq < ${from + rowsPerFetch}
      order by seq`.execute(db)
    for (const { seq, variables } of rows) {
      count.people += 1
      if (optedOut.has(seq)) continue
      if (sources.some((source) => isUnreadable(source, variables))) unreadable.add(seq)
      const rendered = render(variables)
      if (!rendered) {
        missing.add(seq)
        continue
      }
      count.parts += rendered.parts
      tally.add(seq, rendered.parts)
    }
    if (rows.length < rowsPerFetch)
      return {
        ...count,
        optedOut: optedOut.size,
        countries: tally.counts(),
        missing: missing.size(),
        missingSeqs: missing.spread(keptSeqs),
        unreadable: unreadable.size(),
        unreadableSeqs: unreadable.spread(keptSeqs),
      }
  }
}
