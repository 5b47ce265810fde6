import type { conversationEndpoints } from '@carillon/contract/conversations'
import type { Data, Input } from '@carillon/contract/endpoint'
import { truncate } from '@carillon/contract/text'
import { sql, type RawBuilder } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { badField } from '../../../lib/problem.ts'
import { loadReach, type Reach } from '../access/sees.ts'
import { findConversations } from '../list/find-conversation.ts'
import { instantOf, type Place } from '../thread/thread-rows.ts'

type Endpoint = (typeof conversationEndpoints)['conversations.search']
type Query = Input<Endpoint>['query']
type Page = Data<Endpoint>

type Found = {
  conversation_id: string
  message_id: string | null
  message: string
  author: 'person' | 'member' | 'note'
  micros: number
}

/** What is searched: people by name or number, or messages by words, or by parts of words. */
type Target = 'people' | 'words' | 'parts'

/** Where a page of messages continues. */
type Position = Place & { target: Exclude<Target, 'people'> }

/**
 * People first, then messages and notes, newest first. Words are searched for as such; if there are few messages with them, also
 * as parts of words.
 */
export async function searchConversations(db: Db, { actor, query }: { actor: UserActor; query: Query }): Promise<Page> {
  const after = query.after === undefined ? undefined : readPosition(query.after)
  const reach = await loadReach(db, actor)
  const people = after ? [] : await search(db, reach, { query, target: 'people', limit: query.limit })
  const limit = query.limit - people.length
  // One more than there is room for: then there is a next page.
  const { target, messages } = await searchMessages(db, reach, { query, after, limit: limit + 1 })
  const shown = [...people, ...messages.slice(0, limit)]
  const last = messages.slice(0, limit).at(-1)
  const results = await presentResults(db, reach, shown)
  if (messages.length <= limit) return { results }
  return { results, next: writePosition(last ? placeOf(last) : newest, target) }
}

/** Before all messages. */
const newest: Place = { micros: 9e15, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

type MessageSearch = { query: Query; after: Position | undefined; limit: number }

async function searchMessages(db: Db, reach: Reach, { query, after, limit }: MessageSearch) {
  const patterns = patternsOf(query.q)
  if (after?.target !== 'parts') {
    const messages = await search(db, reach, { query, target: 'words', after, limit })
    // Messages with the words are also found by parts of them.
    if (after || messages.length >= limit || patterns.length === 0) return { target: 'words' as const, messages }
  }
  return { target: 'parts' as const, messages: await search(db, reach, { query, target: 'parts', after, limit }) }
}

type Search = { query: Query; target: Target; after?: Place | undefined; limit: number }

async function search(db: Db, reach: Reach, { query, target, after = newest, limit }: Search): Promise<Found[]> {
  if (limit <= 0) return []
  const patterns = target === 'people' ? peoplePatterns(query.q) : patternsOf(query.q)
  const { rows } = await sql<Found>`
    select *, (extract(epoch from at) * 1000000)::bigint as micros
    from search_inbox(${reach.organizationId}::uuid, ${reachArguments(reach)}, ${target}, ${query.q}, ${patterns}::text[],
      ${query.channel ?? null}::channel, ${query.from ?? '-infinity'}::timestamptz, ${query.to ?? 'infinity'}::timestamptz,
      ${instantOf(after)}, ${after.id}::uuid, ${limit}::int)`.execute(db)
  return rows
}

/** The same conversations as those of `sees`. */
function reachArguments(reach: Reach): RawBuilder<unknown> {
  const { organizationId, accountId, role, path, teamIds, lineIds = null, teamLineIds } = reach
  const isHead = role === 'department_head'
  const accounts = isHead
    ? sql`array(select id from accounts where organization_id = ${organizationId}::uuid and path <@ ${path}::ltree)`
    : sql`array[${accountId}]::uuid[]`
  return sql`${role === 'manager'}::boolean, ${accounts}, ${teamIds}::uuid[], ${lineIds}::uuid[],
    ${isHead ? teamIds : []}::uuid[], ${isHead ? teamLineIds : []}::uuid[]`
}

/** Shorter parts are in most messages, and the index cannot find them. */
const shortestPart = 3

/** Patterns for the parts of a text; none if all of them are short. */
function patternsOf(text: string): string[] {
  const parts = text.split(/\s+/)
  return parts.some((part) => part.length >= shortestPart) ? parts.map(containing) : []
}

/** A number may be written with spaces and signs. */
function peoplePatterns(text: string): string[] {
  const digits = text.replaceAll(/\D/g, '')
  return digits !== '' && /^[+\d\s().-]+$/.test(text) ? [containing(digits)] : text.split(/\s+/).map(containing)
}

function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

async function presentResults(db: Db, reach: Reach, found: readonly Found[]): Promise<Page['results']> {
  const ids = [...new Set(found.map(({ conversation_id: id }) => id))]
  const conversations = await findConversations(db, reach, ids)
  const byId = new Map(conversations.map(({ conversation }) => [conversation.chatId, conversation]))
  return found.flatMap(({ conversation_id: chatId, message_id: id, message: text, author: by, micros }) => {
    const conversation = byId.get(chatId)
    if (!conversation) return []
    const at = new Date(micros / 1000).toISOString()
    return [id === null ? { conversation } : { conversation, message: { id, text: truncate(text, 1000), by, at } }]
  })
}

function placeOf({ micros, message_id: id }: Found): Place {
  return { micros, id: id ?? newest.id }
}

function writePosition({ micros, id }: Place, target: Position['target']): string {
  return `${target}.${micros}.${id}`
}

const position = /^(words|parts)\.(-?\d{1,16})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

function readPosition(text: string): Position {
  const [, target, micros, id = ''] = position.exec(text) ?? []
  if (target === undefined) throw badField('after', 'Use `next` of a response')
  return { target: target === 'words' ? 'words' : 'parts', micros: Number(micros), id }
}
