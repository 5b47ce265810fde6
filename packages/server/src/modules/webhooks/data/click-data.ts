import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import {
  keyOf,
  presentMessage,
  readMessages,
  readOrigins,
  type Found,
  type MessageKey,
  type Origin,
} from './sent-messages.ts'
import { subjectOf, type Describe, type Occurrence, type QueuedOf } from './occurrence.ts'

type ClickEvent = QueuedOf<'message.clicked'>
type Link = { number: number; /** Of the draft. */ leg: number; variable: string; url: string }

/** Clicks on links of messages that were deleted meanwhile are left out. */
export const describeClicks: Describe<'message.clicked'> = async (db, events) => {
  const origins = await readOrigins(db, events)
  const links = await readLinks(db, events)
  const candidates = events.map((event) =>
    event.payload.clicks.map((click) => {
      const origin = origins.get(subjectOf(event))
      const link = links.get(click.number)
      return { click, origin, link, keys: origin && link ? keysOf(origin, link, click.seq) : [] }
    }),
  )
  const messages = await readMessages(
    db,
    candidates.flat().flatMap(({ keys }) => keys),
    origins,
  )
  return candidates.map((ofEvent) =>
    ofEvent.flatMap(({ click: { seq, at }, origin, link, keys }) => {
      const key = keys.findLast((one) => messages.has(keyOf(one)))
      const row = key && messages.get(keyOf(key))
      const leg = origin?.legs.find((one) => one.leg === key?.leg)
      return origin && link && leg && row ? [present({ origin, leg, seq, row }, link, at)] : []
    }),
  )
}

/** The message of the recipient is of one of the legs that have the link, and of several tries the last. */
function keysOf({ id, legs }: Origin, link: Link, seq: number): MessageKey[] {
  return legs
    .filter(({ draftLeg }) => draftLeg === link.leg)
    .map(({ leg }) => ({ id, leg, seq }))
    .toSorted((one, other) => one.leg - other.leg)
}

async function readLinks(db: Db, events: readonly ClickEvent[]): Promise<Map<number, Link>> {
  const numbers = new Set(events.flatMap(({ payload }) => payload.clicks.map(({ number }) => number)))
  const { rows } = await sql<Link>`
    select number, leg, variable, url from campaign_links where number = any(${[...numbers]}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.number, row]))
}

function present(found: Found, { variable, url }: Link, at: string): Occurrence {
  const { data, orderKey } = presentMessage(found, found.row.status)
  return {
    type: 'message.clicked',
    data: { ...data, link: { variable, url }, clickedAt: new Date(at).toISOString() },
    visibleTo: { path: found.origin.path },
    orderKey,
  }
}
