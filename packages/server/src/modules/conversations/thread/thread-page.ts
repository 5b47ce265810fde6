import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { campaignMessages, type CampaignMessage } from '../../messages/index.ts'
import { comparePlaces } from './present-item.ts'
import type { ThreadRows } from './references.ts'
import {
  instantOf,
  readEvents,
  readInbound,
  readOutbound,
  type Choice,
  type Place,
  type ThreadKey,
} from './thread-rows.ts'

/** A range of a thread, and whether there is more beyond it. */
export type Range = { rows: ThreadRows; places: Place[]; hasMore: boolean }

/** How long before the first message of a conversation its thread shows campaigns: most conversations are answers to one. */
const campaignsBeforeDays = 90

/** More campaigns between two messages of a person are not shown. */
const mostCampaigns = 1000

/** The newest rows before a position; without one, of the thread. */
export async function readOlder(
  db: Db,
  key: ThreadKey,
  { before, limit }: { before: Place | undefined; limit: number },
): Promise<Range> {
  // One more than asked for: then there is an older page.
  const stored = await readStored(db, key, { before, limit: limit + 1 })
  const oldest = placesOf(stored).toReversed()[limit]
  const since = oldest ? instantOf(oldest) : beginOf(key)
  const campaign = await readCampaigns(db, key, { since, before, limit: limit + 1 })
  return cut({ ...stored, campaign }, (places) => places.toReversed().slice(0, limit).toReversed())
}

/** The oldest rows after a position. */
export async function readNewer(
  db: Db,
  key: ThreadKey,
  { after, limit }: { after: Place; limit: number },
): Promise<Range> {
  const stored = await readStored(db, key, { after, limit: limit + 1 })
  const newest = placesOf(stored)[limit]
  const campaign = await readCampaigns(db, key, { since: instantOf(after), before: newest, limit: mostCampaigns })
  const isAfter = ({ micros, campaign_id: id }: CampaignMessage) => comparePlaces({ micros, id }, after) > 0
  return cut({ ...stored, campaign: campaign.filter(isAfter) }, (places) => places.slice(0, limit))
}

async function readStored(db: Db, key: ThreadKey, choice: Choice): Promise<ThreadRows> {
  const [inbound, outbound, events] = await Promise.all([
    readInbound(db, key, choice),
    readOutbound(db, key, choice),
    readEvents(db, key, choice),
  ])
  return { inbound, outbound, events, campaign: [] }
}

/** All positions, oldest first. */
function placesOf({ inbound, outbound, events, campaign }: ThreadRows): Place[] {
  return [
    ...[...inbound, ...outbound, ...events].map(({ micros, id }) => ({ micros, id })),
    ...campaign.map(({ micros, campaign_id: id }) => ({ micros, id })),
  ].sort(comparePlaces)
}

function cut(rows: ThreadRows, choose: (places: readonly Place[]) => Place[]): Range {
  const all = placesOf(rows)
  const places = choose(all)
  const ids = new Set(places.map(({ id }) => id))
  const isChosen = ({ id }: { id: string }) => ids.has(id)
  const chosen = {
    inbound: rows.inbound.filter(isChosen),
    outbound: rows.outbound.filter(isChosen),
    events: rows.events.filter(isChosen),
    campaign: rows.campaign.filter(({ campaign_id: id }) => ids.has(id)),
  }
  return { rows: chosen, places, hasMore: all.length > places.length }
}

type CampaignRange = { since: RawBuilder<Date>; before: Place | undefined; limit: number }

async function readCampaigns(
  db: Db,
  { organizationId, senderId, phone }: ThreadKey,
  { since, before, limit }: CampaignRange,
): Promise<CampaignMessage[]> {
  if (phone === null) return []
  return campaignMessages(db, {
    organizationId,
    senderId,
    phone,
    since,
    before: before && { at: instantOf(before), campaignId: before.id },
    limit,
  })
}

function beginOf({ organizationId, id }: ThreadKey): RawBuilder<Date> {
  const first = sql`select received_at from inbound_messages
    where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid order by received_at limit 1`
  return sql<Date>`(coalesce((${first}), now()) - ${campaignsBeforeDays} * interval '1 day')`
}
