import type { conversationEndpoints } from '@carillon/contract/conversations'
import type { Data } from '@carillon/contract/endpoint'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { badField } from '../../../lib/problem.ts'
import { assertCursor, isFromFuture, mostChanges } from '../access/snapshots.ts'
import { getConversation } from '../list/find-conversation.ts'
import { presentChanged, readItems } from './read-items.ts'
import { readEvents, readInbound, readOutbound } from './thread-rows.ts'

type Changes = Data<(typeof conversationEndpoints)['conversations.threadChanges']>

/** Items that are new since a snapshot, and those that changed: by a file that arrived, an edit, a reaction or a tap. */
export async function listThreadChanges(
  db: Db,
  { actor, id, since }: { actor: UserActor; id: string; since: string },
): Promise<Changes> {
  assertCursor(since)
  const { key, cursor, now } = await getConversation(db, { actor, id })
  const stale = { items: [], cursor, isStale: true, now: now.toISOString() }
  if (isFromFuture(since, { cursor })) return stale
  const choice = { since, limit: mostChanges + 1 }
  const [inbound, outbound, events] = await Promise.all([
    readInbound(db, key, choice),
    readOutbound(db, key, choice),
    readEvents(db, key, choice),
  ])
  if (inbound.length + outbound.length + events.length > mostChanges) return stale
  const placed = await presentChanged(db, key, { inbound, outbound, events, campaign: [] })
  return { items: placed.map(({ item }) => item), cursor, isStale: false, now: now.toISOString() }
}

const mostDeliveries = 50

/** Sent messages of a thread with their present delivery. */
export async function readDeliveries(
  db: Db,
  { actor, id, ids: text }: { actor: UserActor; id: string; ids: string },
): Promise<Data<(typeof conversationEndpoints)['conversations.deliveries']>> {
  const ids = text.split(',')
  if (!ids.every((each) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(each)))
    throw badField('ids', 'Separate ids with commas')
  if (ids.length > mostDeliveries) throw badField('ids', `At most ${mostDeliveries} messages`)
  const { key } = await getConversation(db, { actor, id })
  const items = await readItems(db, { conversation: key, ids })
  return { items: items.filter(({ kind }) => kind === 'outbound' || kind === 'campaign') }
}
