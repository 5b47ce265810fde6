import { createHash } from 'node:crypto'
import type { VariableSource } from '@carillon/contract/campaign-records'
import { isUnreadable } from '@carillon/contract/variable-values'
import { sql } from 'kysely'
import type { Measured } from '../../../channels/channel.ts'
import type { Db } from '../../../db/pool.ts'
import type { CountryRange } from '../../audience/index.ts'
import { createSample } from '../drafts/sample.ts'
import { createTally, type CountryCount } from './country-prices.ts'

/**
 * Totals of a leg's messages over every row of an audience. Rows without a value for each variable and people who opted out are
 * not sent, so they cost nothing.
 */
export type AudienceCount = {
  people: number
  parts: number
  multipart: number
  unicode: number
  missing: number
  optedOut: number
  tooLong: number
  /** Rows with a cell that does not match its format. */
  unreadable: number
  /** Rows with a value that does not match its tag, apart from its length. */
  unfit: number
  longestSeq: number | null
  cheapestSeq: number | null
  multipartSeqs: number[]
  unicodeSeqs: number[]
  missingSeqs: number[]
  tooLongSeqs: number[]
  unreadableSeqs: number[]
  countries: CountryCount[]
  rows: MeasuredRows
}

/** What each recipient's message costs, by position. */
export type MeasuredRows = {
  /** Parts of the message; 0: none, because a variable has no value. */
  parts: Uint8Array
  /** Index of its category in `categories`. */
  category: Uint8Array
  categories: string[]
}

export type CountedLeg = {
  organizationId: string
  audienceId: string
  /** Incremented when the audience is read again. */
  reading: number
  ranges: readonly CountryRange[]
  /** The leg with the content that the campaign will freeze. */
  content: object
  sources: readonly VariableSource[]
  /** Positions of people who opted out. */
  optedOut: ReadonlySet<number>
  /** The rate category of messages that have none of their own. */
  category: string
}

type Measure = (cells: readonly string[]) => Measured | undefined

const rowsPerFetch = 5000
/** Sample rows of each kind for the preview, spread over the audience. */
const keptSeqs = 50
const cacheSize = 200
/** Recipients of all cached counts together; each takes two bytes. */
const cachedPeople = 20_000_000

const cache = new Map<string, AudienceCount>()

/** Reads all rows in steps of 5,000. The same leg over the same reading of an audience is counted once per process. */
export async function countAudience(db: Db, leg: CountedLeg, measure: Measure): Promise<AudienceCount> {
  const key = createHash('sha256')
    .update(JSON.stringify({ ...leg, optedOut: [...leg.optedOut] }))
    .digest('hex')
  const known = cache.get(key)
  if (known) return known
  const counted = await readAllRows(db, leg, measure)
  cache.set(key, counted)
  shrinkCache()
  return counted
}

/** Removes the oldest counts; the newest stays, whatever its size. */
function shrinkCache() {
  let people = 0
  for (const { rows } of cache.values()) people += rows.parts.length
  for (const [key, { rows }] of cache) {
    if (cache.size === 1 || (cache.size <= cacheSize && people <= cachedPeople)) return
    cache.delete(key)
    people -= rows.parts.length
  }
}

async function readAllRows(db: Db, leg: CountedLeg, measure: Measure): Promise<AudienceCount> {
  const { organizationId, audienceId } = leg
  const counter = createCounter(leg, measure)
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

function createCounter(
  { sources, ranges, optedOut, category }: Pick<CountedLeg, 'sources' | 'ranges' | 'optedOut' | 'category'>,
  measure: Measure,
): { count(): AudienceCount; add(seq: number, cells: readonly string[]): void } {
  const tally = createTally(ranges)
  const rows = createRows(Math.max(0, ...ranges.map(({ hi }) => hi)), category)
  const total = { people: 0, parts: 0, optedOut: 0, unfit: 0 }
  const [multipart, unicode, missing, tooLong] = [createSample(), createSample(), createSample(), createSample()]
  const unreadable = createSample()
  let longest: Weighed = { seq: null, weight: -1 }
  let cheapest: Weighed = { seq: null, weight: Number.POSITIVE_INFINITY }

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
      rows: rows.all(),
    }),
    add(seq, cells) {
      total.people += 1
      const message = measure(cells)
      if (message) rows.add(seq, message)
      if (optedOut.has(seq)) {
        total.optedOut += 1
        return
      }
      if (sources.some((source) => isUnreadable(source, cells))) unreadable.add(seq)
      if (!message) return missing.add(seq)
      const { parts, problem } = message
      if (problem === 'too_long') tooLong.add(seq)
      else if (problem) total.unfit += 1
      total.parts += parts
      tally.add(seq, parts)
      if (parts > 1) multipart.add(seq)
      if (message.isUnicode) unicode.add(seq)
      // Parts first, then length: the longest row is the most expensive one.
      const weight = parts * 10_000 + message.length
      if (weight > longest.weight) longest = { seq, weight }
      if (weight < cheapest.weight) cheapest = { seq, weight }
    },
  }
}

function createRows(people: number, category: string) {
  const rows: MeasuredRows = { parts: new Uint8Array(people), category: new Uint8Array(people), categories: [category] }
  return {
    all: () => rows,
    add(seq: number, { parts, category: own = category }: Measured) {
      rows.parts[seq] = Math.min(parts, 255)
      let index = rows.categories.indexOf(own)
      if (index === -1) index = rows.categories.push(own) - 1
      rows.category[seq] = index
    },
  }
}
