import { sql, type RawBuilder } from 'kysely'
import { badField } from '../../../lib/problem.ts'
import { isClosed, isOpen, type ListQuery } from './filter.ts'

/** A part of an order: rows that fulfil a condition, sorted by a time. */
type Section = { of: RawBuilder<boolean>; by: keyof typeof indexed; isDescending: boolean }

/** What the index of each time has: two of them by the minute, so that the rows of a minute are sorted when they are read. */
const indexed = {
  window_expires_at: { column: 'closes_at', isByMinute: true },
  last_at: { column: 'listed_at', isByMinute: true },
  waiting_since: { column: 'waiting_since', isByMinute: false },
} as const

const newestFirst: Section = { of: sql<boolean>`true`, by: 'last_at', isDescending: true }
const withoutWindow = sql<boolean>`conversation.closes_at is null`

/** The orders of conversations that are not resolved. */
const sections: Record<ListQuery['order'], readonly Section[]> = {
  /** The window that closes first, then conversations without a window, then closed windows. */
  closing: [
    { of: isOpen, by: 'window_expires_at', isDescending: false },
    { of: withoutWindow, by: 'last_at', isDescending: true },
    { of: isClosed, by: 'window_expires_at', isDescending: true },
  ],
  newest: [newestFirst],
  /** The longest wait first, then those that wait for nothing. */
  waiting: [
    { of: sql<boolean>`conversation.waiting_since is not null`, by: 'waiting_since', isDescending: false },
    { of: sql<boolean>`conversation.waiting_since is null`, by: 'last_at', isDescending: true },
  ],
}

/** The parts of a list's order; resolved conversations are always listed newest first. */
export function sectionsOf({ order, status }: Pick<ListQuery, 'order' | 'status'>): readonly Section[] {
  return status === 'resolved' ? [newestFirst] : sections[order]
}

/** The position of a row in a list: the part of the order, the microseconds of its time, and its id. */
export type Position = { section: number; micros: number; id: string }

export function writePosition({ section, micros, id }: Position): string {
  return `${section}.${micros}.${id}`
}

const position = /^(\d)\.(-?\d{1,16})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

export function readPosition(text: string, count: number): Position {
  const [, section, micros, id = ''] = position.exec(text) ?? []
  if (section === undefined || Number(section) >= count) throw badField('after', 'Use `next` of a response')
  return { section: Number(section), micros: Number(micros), id }
}

/** The condition, order and position of the rows of one part, after a position in it. */
export function scan({ of, by, isDescending }: Section, after: Position | undefined) {
  const [time, id] = [sql.ref(`conversation.${by}`), sql.ref('conversation.id')]
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const beyond = sql.raw(isDescending ? '<' : '>')
  const { column, isByMinute } = indexed[by]
  const key = sql.ref(`conversation.${column}`)
  return {
    where: after ? sql<boolean>`${of} and ${isBeyond(after)}` : of,
    orderBy: sql`${key} ${direction}, ${time} ${direction}, ${id} ${direction}`,
    micros: sql<number>`(extract(epoch from ${time}) * 1000000)::bigint`,
    direction,
  }

  function isBeyond({ micros, id: last }: Position) {
    const instant = sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`
    const exact = sql`(${time}, ${id}) ${beyond} (${instant}, ${last}::uuid)`
    // The condition on the key limits what is read of the index.
    return isByMinute ? sql`${key} ${beyond}= date_bin('1 minute', ${instant}, 'epoch') and ${exact}` : exact
  }
}
