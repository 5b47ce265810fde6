import { createHash } from 'node:crypto'
import { checkVariable, compileSmsTemplate, listVariableKinds, longestValue } from '@carillon/contract/sms-variables'
import { countPartsFast } from '@carillon/contract/sms-parts'
import type { VariableSource } from '@carillon/contract/campaign-records'
import { isUnreadable, valueOf } from '@carillon/contract/variable-values'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { CountryRange } from '../../audience/index.ts'
import { createTally, type CountryCount } from './country-prices.ts'
import { createSample } from '../drafts/sample.ts'

/** What a text comes to over every row of an audience. Rows without a value for each variable are not sent, so they cost nothing; neither do people who opted out. */
export type AudienceCount = {
  people: number
  parts: number
  multipart: number
  unicode: number
  missing: number
  optedOut: number
  tooLong: number
  /** Rows with a cell that is not what its format asks for. */
  unreadable: number
  /** Rows with a value that does not suit its tag, apart from its length. */
  unfit: number
  longestSeq: number | null
  cheapestSeq: number | null
  multipartSeqs: number[]
  unicodeSeqs: number[]
  missingSeqs: number[]
  tooLongSeqs: number[]
  unreadableSeqs: number[]
  countries: CountryCount[]
}

export type CountedText = {
  organizationId: string
  audienceId: string
  reading: number
  ranges: readonly CountryRange[]
  body: string
  sources: readonly VariableSource[]
  /** Places of those who said stop: they get nothing. */
  optedOut: ReadonlySet<number>
}

const rowsPerFetch = 5000
/** Rows of a kind to look at in the preview, spread over all there are. */
const keptSeqs = 50
const cacheSize = 200

const cache = new Map<string, AudienceCount>()

/** Walks all rows in steps of 5,000. The same text over the same reading is counted once in this process. */
export async function countAudience(db: Db, text: CountedText): Promise<AudienceCount> {
  const key = createHash('sha256')
    .update(JSON.stringify({ ...text, optedOut: [...text.optedOut] }))
    .digest('hex')
  const known = cache.get(key)
  if (known) return known
  const counted = await walk(db, text)
  if (cache.size >= cacheSize) cache.delete(cache.keys().next().value ?? '')
  cache.set(key, counted)
  return counted
}

async function walk(db: Db, { organizationId, audienceId, ...counted }: CountedText): Promise<AudienceCount> {
  const counter = createCounter(counted)
  for (let from = 0; ; from += rowsPerFetch) {
    const { rows } = await sql<{ seq: number; variables: string[] }>`
      select seq, variables from recipients
      where organization_id = ${organizationId}::uuid and audience_id = ${audienceId}::uuid
        and seq >= ${from} and seq < ${from + rowsPerFetch}
      order by seq`.execute(db)
    for (const { seq, variables } of rows) counter.add(seq, variables)
    if (rows.length < rowsPerFetch) return counter.count()
  }
}

type Weighed = { seq: number | null; weight: number }

type Counting = Pick<CountedText, 'body' | 'sources' | 'ranges' | 'optedOut'>

export function createCounter({ body, sources, ranges, optedOut }: Counting): {
  count(): AudienceCount
  add(seq: number, cells: readonly string[]): void
} {
  const render = compileSmsTemplate(body)
  const kinds = listVariableKinds(body)
  const tally = createTally(ranges)
  const total = { people: 0, parts: 0, optedOut: 0, unfit: 0 }
  const [multipart, unicode, missing, tooLong] = [createSample(), createSample(), createSample(), createSample()]
  const unreadable = createSample()
  let longest: Weighed = { seq: null, weight: -1 }
  let cheapest: Weighed = { seq: null, weight: Number.POSITIVE_INFINITY }

  function judgeValues(seq: number, values: readonly string[]) {
    if (kinds.some((kind, index) => (values[index] ?? '').length > longestValue[kind])) tooLong.add(seq)
    else if (kinds.some((kind, index) => checkVariable(kind, values[index] ?? '') !== undefined)) total.unfit += 1
  }

  return {
    count: () => ({
      ...total,
      multipart: multipart.size(),
      unicode: unicode.size(),
      missing: missing.size(),
      tooLong: tooLong.size(),
      unreadable: unreadable.size(),
      longestSeq: longest.seq,
      cheapestSeq: cheapest.seq,
      multipartSeqs: multipart.spread(keptSeqs),
      unicodeSeqs: unicode.spread(keptSeqs),
      missingSeqs: missing.spread(keptSeqs),
      tooLongSeqs: tooLong.spread(keptSeqs),
      unreadableSeqs: unreadable.spread(keptSeqs),
      countries: tally.counts(),
    }),
    add(seq, cells) {
      total.people += 1
      if (optedOut.has(seq)) {
        total.optedOut += 1
        return
      }
      if (sources.some((source) => isUnreadable(source, cells))) unreadable.add(seq)
      const values = kinds.map((_, index) => valueOf(sources[index], cells))
      if (values.includes('')) return missing.add(seq)
      judgeValues(seq, values)
      const text = render(values)
      const { parts, encoding } = countPartsFast(text)
      total.parts += parts
      tally.add(seq, parts)
      if (parts > 1) multipart.add(seq)
      if (encoding === 'ucs2') unicode.add(seq)
      // Parts first, then length: the longest row is the dearest one.
      const weight = parts * 10_000 + text.length
      if (weight > longest.weight) longest = { seq, weight }
      if (weight < cheapest.weight) cheapest = { seq, weight }
    },
  }
}
