import type { ThreadItem } from '@carillon/contract/conversation-records'
import type { Db } from '../../../db/pool.ts'
import { presentRows, type PlacedItem } from './present-item.ts'
import {
  noReferences,
  noRows,
  readAnnotated,
  readCampaign,
  readReferences,
  withoutAnnotations,
  type Part,
  type ThreadRows,
} from './references.ts'
import { readEventsById, readInboundById, readOutboundById, type Asked } from './rows-by-id.ts'
import type { ThreadKey } from './thread-rows.ts'

/** Items of a thread by id, oldest first. A reaction or a change of a message is returned as that message. */
export async function readItems(
  db: Db,
  { conversation: key, ids }: { conversation: ThreadKey; ids: readonly string[] },
): Promise<ThreadItem[]> {
  if (ids.length === 0) return []
  const [[part], campaign] = await Promise.all([readParts(db, [{ key, ids }]), readCampaign(db, key, ids)])
  const placed = await presentChanged(db, key, { ...(part?.rows ?? noRows), campaign })
  return placed.map(({ item }) => item)
}

/** The same for several conversations at once, by conversation; without messages of campaigns. */
export async function readItemsOfAll(db: Db, asked: readonly Asked[]): Promise<ReadonlyMap<string, ThreadItem[]>> {
  const presented = await presentAllChanged(db, await readParts(db, asked))
  return new Map([...presented].map(([id, placed]) => [id, placed.map(({ item }) => item)]))
}

async function readParts(db: Db, asked: readonly Asked[]): Promise<Part[]> {
  const [inbound, outbound, events] = await Promise.all([
    readInboundById(db, asked),
    readOutboundById(db, asked),
    readEventsById(db, asked),
  ])
  return asked.map(({ key }) => ({
    key,
    rows: {
      inbound: inbound.get(key.id) ?? [],
      outbound: outbound.get(key.id) ?? [],
      events: events.get(key.id) ?? [],
      campaign: [],
    },
  }))
}

/** The items of changed rows, and those that they change. */
export async function presentChanged(db: Db, key: ThreadKey, rows: ThreadRows): Promise<PlacedItem[]> {
  return (await presentAllChanged(db, [{ key, rows }])).get(key.id) ?? []
}

async function presentAllChanged(db: Db, parts: readonly Part[]): Promise<ReadonlyMap<string, PlacedItem[]>> {
  const annotated = await readAnnotated(db, parts)
  return presentAll(
    db,
    parts.map(({ key, rows }) => ({ key, rows: merge(rows, annotated.get(key.id) ?? noRows) })),
  )
}

/** The items of rows, oldest first, without the messages that only change another one. */
export async function presentThread(db: Db, key: ThreadKey, rows: ThreadRows): Promise<PlacedItem[]> {
  return (await presentAll(db, [{ key, rows }])).get(key.id) ?? []
}

async function presentAll(db: Db, parts: readonly Part[]): Promise<ReadonlyMap<string, PlacedItem[]>> {
  const all = await readReferences(db, parts)
  return new Map(
    parts.map(({ key, rows }) => {
      const references = all.get(key.id) ?? noReferences
      return [key.id, presentRows(key.channel, withoutAnnotations(rows, references), references)]
    }),
  )
}

function merge(one: ThreadRows, other: ThreadRows): ThreadRows {
  return {
    inbound: distinct([...one.inbound, ...other.inbound], ({ id }) => id),
    outbound: distinct([...one.outbound, ...other.outbound], ({ id }) => id),
    events: one.events,
    campaign: distinct([...one.campaign, ...other.campaign], ({ campaign_id: id }) => id),
  }
}

function distinct<Row>(rows: readonly Row[], idOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()]
}
