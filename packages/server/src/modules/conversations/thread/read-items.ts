import type { ThreadItem } from '@carillon/contract/conversation-records'
import type { Db } from '../../../db/pool.ts'
import { presentRows, type PlacedItem } from './present-item.ts'
import { readAnnotated, readCampaign, readReferences, withoutAnnotations, type ThreadRows } from './references.ts'
import { readEvents, readInbound, readOutbound, type ThreadKey } from './thread-rows.ts'

/** Items of a thread by id, oldest first. A reaction or a change of a message is returned as that message. */
export async function readItems(
  db: Db,
  { conversation: key, ids }: { conversation: ThreadKey; ids: readonly string[] },
): Promise<ThreadItem[]> {
  if (ids.length === 0) return []
  const [inbound, outbound, events, campaign] = await Promise.all([
    readInbound(db, key, { ids }),
    readOutbound(db, key, { ids }),
    readEvents(db, key, { ids }),
    readCampaign(db, key, ids),
  ])
  const placed = await presentChanged(db, key, { inbound, outbound, events, campaign })
  return placed.map(({ item }) => item)
}

/** The items of changed rows, and those that they change. */
export async function presentChanged(db: Db, key: ThreadKey, rows: ThreadRows): Promise<PlacedItem[]> {
  return presentThread(db, key, merge(rows, await readAnnotated(db, key, rows)))
}

/** The items of rows, oldest first, without the messages that only change another one. */
export async function presentThread(db: Db, key: ThreadKey, rows: ThreadRows): Promise<PlacedItem[]> {
  const references = await readReferences(db, key, rows)
  return presentRows(key.channel, withoutAnnotations(rows, references), references)
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
