import type { ThreadItem } from '@carillon/contract/conversation-records'
import type { conversationEndpoints } from '@carillon/contract/conversations'
import type { Data, Input } from '@carillon/contract/endpoint'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import { daysOfIds, onDays } from '../../../db/partition-days.ts'
import type { Db } from '../../../db/pool.ts'
import { badField, notFound } from '../../../lib/problem.ts'
import { getConversation } from '../list/find-conversation.ts'
import { markTapped } from './present-item.ts'
import { presentThread } from './read-items.ts'
import { readCampaign } from './references.ts'
import { readNewer, readOlder, type Range } from './thread-page.ts'
import type { Place, ThreadKey } from './thread-rows.ts'

type Endpoint = (typeof conversationEndpoints)['conversations.thread']
type Query = Input<Endpoint>['query']

/** A page of a thread, oldest item first. */
export async function readThread(
  db: Db,
  { actor, id, query }: { actor: UserActor; id: string; query: Query },
): Promise<Data<Endpoint>> {
  const { key, cursor, now } = await getConversation(db, { actor, id })
  const page = await readPage(db, key, query)
  return { ...page, cursor, now: now.toISOString() }
}

type Page = { items: ThreadItem[]; before?: string; after?: string }

async function readPage(db: Db, key: ThreadKey, { before, after, around, limit }: Query): Promise<Page> {
  if (around) return readAround(db, key, { around, limit })
  if (after) {
    const from = readPlace('after', after)
    const { items, range } = await readShown(db, key, (place) => readNewer(db, key, { after: place ?? from, limit }))
    return { items, before: writePlace(range.places[0] ?? from), ...nextAfter(range) }
  }
  const to = before === undefined ? undefined : readPlace('before', before)
  const { items, range } = await readShown(db, key, (place) => readOlder(db, key, { before: place ?? to, limit }))
  return { items, ...nextBefore(range), ...(to && { after: writePlace(range.places.at(-1) ?? to) }) }
}

/** A page that would show nothing, because all its messages change others, is skipped. */
async function readShown(db: Db, key: ThreadKey, read: (from: Place | undefined) => Promise<Range>) {
  let range = await read(undefined)
  let items = await show(db, key, range)
  while (items.length === 0 && range.hasMore) {
    range = await read(range.places[0])
    items = await show(db, key, range)
  }
  return { items, range }
}

async function show(db: Db, key: ThreadKey, { rows }: Range): Promise<ThreadItem[]> {
  const placed = await presentThread(db, key, rows)
  return markTaps(placed.map(({ item }) => item))
}

/** Some channels do not say which message a tap refers to: it is the last one before it with such a button. */
function markTaps(items: readonly ThreadItem[]): ThreadItem[] {
  const shown = [...items]
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'inbound' || item.body.type !== 'button_reply' || item.inReplyTo) continue
    const { text } = item.body
    const target = shown.findLastIndex((earlier, at) => at < index && hasButton(earlier, text))
    const tapped = shown[target]
    if (tapped && 'body' in tapped) shown[target] = { ...tapped, body: markTapped(tapped.body, [text]) }
  }
  return shown
}

function hasButton(item: ThreadItem, text: string): boolean {
  if (item.kind !== 'outbound' && item.kind !== 'campaign') return false
  const { buttons = [], cards = [] } = item.body
  return [...buttons, ...cards.flatMap((card) => card.buttons)].some((button) => button.text === text)
}

/** Half of the page before the item, and half from it on. */
async function readAround(db: Db, key: ThreadKey, { around, limit }: { around: string; limit: number }): Promise<Page> {
  const micros = await findTime(db, key, around)
  if (micros === undefined) throw notFound('Message')
  // Before all ids of that instant.
  const place = { micros, id: '00000000-0000-0000-0000-000000000000' }
  const half = Math.ceil(limit / 2)
  const [older, newer] = await Promise.all([
    readOlder(db, key, { before: place, limit: half }),
    readNewer(db, key, { after: place, limit: half }),
  ])
  const rows = {
    inbound: [...older.rows.inbound, ...newer.rows.inbound],
    outbound: [...older.rows.outbound, ...newer.rows.outbound],
    events: [...older.rows.events, ...newer.rows.events],
    campaign: [...older.rows.campaign, ...newer.rows.campaign],
  }
  const items = await show(db, key, { ...newer, rows })
  return { items, ...nextBefore(older), ...nextAfter(newer) }
}

/** When an item happened, in microseconds. */
async function findTime(db: Db, key: ThreadKey, id: string): Promise<number | undefined> {
  const { organizationId, id: conversationId } = key
  const days = daysOfIds([id])
  const { rows } = await sql<{ micros: number }>`
    select (extract(epoch from at) * 1000000)::bigint as micros from (
      select received_at as at from inbound_messages
      where organization_id = ${organizationId}::uuid and id = ${id}::uuid and conversation_id = ${conversationId}::uuid
      union all
      select created_at from single_sends
      where organization_id = ${organizationId}::uuid and id = ${id}::uuid and conversation_id = ${conversationId}::uuid and ${onDays('created_on', days)}
      union all
      select at from conversation_events
      where organization_id = ${organizationId}::uuid and conversation_id = ${conversationId}::uuid and id = ${id}::uuid
    ) item limit 1`.execute(db)
  return rows[0]?.micros ?? (await readCampaign(db, key, [id]))[0]?.micros
}

function nextBefore({ hasMore, places }: Range): Pick<Page, 'before'> {
  const [oldest] = places
  return hasMore && oldest ? { before: writePlace(oldest) } : {}
}

function nextAfter({ hasMore, places }: Range): Pick<Page, 'after'> {
  const newest = places.at(-1)
  return hasMore && newest ? { after: writePlace(newest) } : {}
}

function writePlace({ micros, id }: Place): string {
  return `${micros}.${id}`
}

const place = /^(-?\d{1,16})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

function readPlace(field: string, text: string): Place {
  const [, micros, id = ''] = place.exec(text) ?? []
  if (micros === undefined) throw badField(field, `Use \`${field}\` of a response`)
  return { micros: Number(micros), id }
}
