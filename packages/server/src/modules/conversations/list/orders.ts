import { sql, type RawBuilder } from 'kysely'
import { badField } from '../../../lib/problem.ts'
import type { ListQuery } from './filter.ts'

/** A part of an order: rows that fulfil a condition, sorted by a time. An index has each part in its order. */
type Section = { of: RawBuilder<boolean>; by: 'window_expires_at' | 'last_at' | 'waiting_since'; isDescending: boolean }

const newestFirst: Section = { of: sql<boolean>`true`, by: 'last_at', isDescending: true }
const withoutWindow = sql<boolean>`conversation.window_expires_at is null`

/** The orders of conversations that are not resolved. */
const sections: Record<ListQuery['order'], readonly Section[]> = {
  /** The window that closes first, then conversations without a window, then closed windows. */
  closing: [
    { of: sql<boolean>`conversation.window_expires_at > now()`, by: 'window_expires_at', isDescending: false },
    { of: withoutWindow, by: 'last_at', isDescending: true },
    { of: sql<boolean>`conversation.window_expires_at <= now()`, by: 'window_expires_at', isDescending: true },
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
  const instant = after && sql`(timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond')`
  return {
    where: after ? sql<boolean>`${of} and (${time}, ${id}) ${beyond} (${instant}, ${after.id}::uuid)` : of,
    orderBy: sql`${time} ${direction}, ${id} ${direction}`,
    micros: sql<number>`(extract(epoch from ${time}) * 1000000)::bigint`,
    direction,
  }
}
