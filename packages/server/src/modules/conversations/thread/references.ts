import { truncate } from '@carillon/contract/text'
import type { MessageBody, ThreadItemOf } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import { getChannel } from '../../../channels/index.ts'
import type { Db } from '../../../db/pool.ts'
import { campaignMessages, type CampaignMessage } from '../../messages/index.ts'
import {
  readInbound,
  readOutbound,
  type EventRow,
  type InboundRow,
  type MessageFile,
  type OutboundRow,
  type ThreadKey,
} from './thread-rows.ts'

/** Rows of a thread by table. */
export type ThreadRows = {
  inbound: InboundRow[]
  outbound: OutboundRow[]
  campaign: CampaignMessage[]
  events: EventRow[]
}

export const noRows: ThreadRows = { inbound: [], outbound: [], campaign: [], events: [] }

/** A message that others refer to, by the provider's id of it. */
export type Target = { id: string; by: 'person' | 'member'; body: MessageBody }

type Reaction = ThreadItemOf<'inbound'>['reactions'][number]

/** What later messages say about a message. */
export type Annotations = {
  reactions: Reaction[]
  /** The texts of buttons that the person tapped. */
  taps: string[]
  edit: { body: MessageBody; at: Date } | undefined
  deletedAt: Date | undefined
}

export type References = {
  targets: ReadonlyMap<string, Target>
  annotations: ReadonlyMap<string, Annotations>
  names: ReadonlyMap<string, string>
  files: ReadonlyMap<string, MessageFile>
}

export const noReferences: References = {
  targets: new Map(),
  annotations: new Map(),
  names: new Map(),
  files: new Map(),
}

/** Messages that change another one, if it is known, instead of being an item of their own. */
const changesOther: readonly unknown[] = ['reaction', 'edit', 'revoke']

type Referring = Pick<InboundRow, 'content' | 'in_reply_to'>

export function isAnnotation({ content, in_reply_to: target }: Referring): boolean {
  return target !== null && changesOther.includes(content?.type)
}

/** Rows without the messages that change another known one. */
export function withoutAnnotations(rows: ThreadRows, { targets }: Pick<References, 'targets'>): ThreadRows {
  const isItem = (row: Referring) => !isAnnotation(row) || !targets.has(row.in_reply_to ?? '')
  return { ...rows, inbound: rows.inbound.filter(isItem), outbound: rows.outbound.filter(isItem) }
}

/** Everything that the rows refer to and that refers to them. */
export async function readReferences(db: Db, key: ThreadKey, rows: ThreadRows): Promise<References> {
  const own = targetsIn(key, rows)
  const missing = referredBy(rows).filter((id) => !own.has(id))
  const [others, annotations, names, files] = await Promise.all([
    readTargets(db, key, missing),
    readAnnotations(db, key, [...own.keys(), ...missing]),
    readNames(db, key, rows),
    readFiles(db, key, rows),
  ])
  return { targets: new Map([...others, ...own]), annotations, names, files }
}

function referredBy({ inbound, outbound }: ThreadRows): string[] {
  return [...new Set([...inbound, ...outbound].flatMap(({ in_reply_to: target }) => target ?? []))]
}

function targetsIn({ channel }: ThreadKey, { inbound, outbound, campaign }: ThreadRows): Map<string, Target> {
  const { readBody } = getChannel(channel)
  const targets = new Map<string, Target>()
  for (const row of inbound) targets.set(row.dedupe_key, { id: row.id, by: 'person', body: readBody(row) })
  for (const row of outbound)
    if (row.provider_message_id !== null)
      targets.set(row.provider_message_id, { id: row.id, by: 'member', body: readBody(row) })
  for (const row of campaign)
    if (row.provider_message_id !== null)
      targets.set(row.provider_message_id, { id: row.campaign_id, by: 'member', body: readCampaignBody(row) })
  return targets
}

export function readCampaignBody({ channel, content, variables, columns }: CampaignMessage): MessageBody {
  return getChannel(channel).readLegBody(content, { cells: variables, columns })
}

/** The messages of the conversation with these ids of the provider. */
async function readTargets(db: Db, key: ThreadKey, ids: readonly string[]): Promise<Map<string, Target>> {
  if (ids.length === 0) return new Map()
  return targetsIn(key, await readRowsOf(db, key, await findByProvider(db, key, ids)))
}

type Found = { id: string; kind: 'inbound' | 'outbound' }

/** Which items have these ids of the provider. A message of a campaign has the id of the campaign. */
async function findByProvider(
  db: Db,
  { organizationId, senderId }: ThreadKey,
  ids: readonly string[],
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select id, 'inbound' as kind from inbound_messages
    where organization_id = ${organizationId}::uuid and sender_id = ${senderId}::uuid and dedupe_key = any(${[...ids]}::text[])
    union all
    select campaign_id, 'outbound' from messages
    where organization_id = ${organizationId}::uuid and sender_id = ${senderId}::uuid and provider_message_id = any(${[...ids]}::text[])`.execute(
    db,
  )
  return rows
}

/** Rows of these items, wherever they are stored. */
async function readRowsOf(db: Db, key: ThreadKey, found: readonly Found[]): Promise<ThreadRows> {
  const idsOf = (kind: Found['kind']) => found.filter((each) => each.kind === kind).map(({ id }) => id)
  const [inbound, outbound, campaign] = await Promise.all([
    readInbound(db, key, { ids: idsOf('inbound') }),
    readOutbound(db, key, { ids: idsOf('outbound') }),
    readCampaign(db, key, idsOf('outbound')),
  ])
  return { ...noRows, inbound, outbound, campaign }
}

/** Messages of these campaigns to the person. */
export async function readCampaign(
  db: Db,
  { organizationId, senderId, phone }: ThreadKey,
  campaignIds: readonly string[],
): Promise<CampaignMessage[]> {
  if (phone === null || campaignIds.length === 0) return []
  const since = sql<Date>`'-infinity'::timestamptz`
  return campaignMessages(db, { organizationId, senderId, phone, since, campaignIds, limit: campaignIds.length })
}

/** The rows of the messages that these rows change: by an annotation, or the tap on a button. */
export async function readAnnotated(db: Db, key: ThreadKey, { inbound, outbound }: ThreadRows): Promise<ThreadRows> {
  const { readBody } = getChannel(key.channel)
  const taps = inbound.filter((row) => row.in_reply_to !== null && readBody(row).type === 'button_reply')
  const changing = [...inbound.filter(isAnnotation), ...outbound.filter(isAnnotation), ...taps]
  const ids = [...new Set(changing.flatMap(({ in_reply_to: target }) => target ?? []))]
  if (ids.length === 0) return noRows
  return readRowsOf(db, key, await findByProvider(db, key, ids))
}

type AnnotationRow = {
  by: 'person' | 'member'
  in_reply_to: string
  text: string
  content: InboundRow['content']
  at: Date
}

/** A message that thousands refer to shows the newest of them. */
const mostAnnotations = 500

async function readAnnotations(
  db: Db,
  { organizationId, id, channel }: ThreadKey,
  ids: readonly string[],
): Promise<Map<string, Annotations>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<AnnotationRow>`
    select * from (
      select 'person' as by, in_reply_to, text, content, received_at as at from inbound_messages
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid and in_reply_to = any(${[...ids]}::text[])
        and content ->> 'type' <> 'text'
      union all
      select 'member', in_reply_to, text, content, created_at from single_sends
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid and in_reply_to = any(${[...ids]}::text[])
        and content ->> 'type' = 'reaction'
    ) annotation
    order by at desc
    limit ${mostAnnotations}`.execute(db)
  const byTarget = Map.groupBy(rows, ({ in_reply_to: target }) => target)
  return new Map([...byTarget].map(([target, found]) => [target, summarize(found, getChannel(channel).readBody)]))
}

type ReadBody = ReturnType<typeof getChannel>['readBody']

/** Of the newest annotations first: the last edit counts, and the last reaction of either side. */
function summarize(rows: readonly AnnotationRow[], readBody: ReadBody): Annotations {
  const ofType = (type: string) => rows.filter(({ content }) => content?.type === type)
  const [edit, deleted] = [ofType('edit')[0], ofType('revoke')[0]]
  const reactions = (['person', 'member'] as const).flatMap((by): Reaction[] => {
    const last = ofType('reaction').find((row) => row.by === by)
    const emoji = last && readBody(last).reaction
    return emoji ? [{ emoji, by }] : []
  })
  const replies = rows.filter(({ by }) => by === 'person').map(readBody)
  return {
    reactions,
    taps: replies.filter(({ type }) => type === 'button_reply').map(({ text }) => text),
    edit: edit && { body: readBody(edit), at: edit.at },
    deletedAt: deleted?.at,
  }
}

async function readNames(
  db: Db,
  { organizationId }: ThreadKey,
  { outbound, events }: ThreadRows,
): Promise<Map<string, string>> {
  const ids = [
    ...outbound.flatMap((row) => [row.author_id, row.impersonated_by]),
    ...events.flatMap((row) => [row.actor_id, row.impersonated_by, ...mentionsOf(row)]),
  ].filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  return readMemberNames(db, organizationId, ids)
}

/** The names of members, and of accounts above the organization, by id. */
export async function readMemberNames(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from member_names(${organizationId}::uuid, ${[...new Set(ids)]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Ids of the members that a note mentions. */
export function mentionsOf({ details }: Pick<EventRow, 'details'>): string[] {
  const { mentions } = details
  return Array.isArray(mentions) ? mentions.filter((id) => typeof id === 'string') : []
}

async function readFiles(
  db: Db,
  { organizationId, channel }: ThreadKey,
  { inbound, outbound, campaign }: ThreadRows,
): Promise<Map<string, MessageFile>> {
  const { readBody } = getChannel(channel)
  const sent = [...outbound.map(readBody), ...campaign.map(readCampaignBody)]
  const ids = [
    ...inbound.flatMap(({ file_id: id }) => id ?? []),
    ...sent.flatMap(({ media }) => (media?.fileId === undefined ? [] : [media.fileId])),
  ]
  const known = ids.filter((id) => /^[\da-f-]{36}$/i.test(id))
  if (known.length === 0) return new Map()
  const { rows } = await sql<MessageFile>`
    select id, name, mime_type as "mimeType", size_bytes as "sizeBytes" from files
    where organization_id = ${organizationId}::uuid and id = any(${known}::uuid[])`.execute(db)
  return new Map(rows.map((file) => [file.id, file]))
}

/** A short text of a message, for those that refer to it. */
export function excerptOf({ text, header, cards = [], media, reaction }: MessageBody): string {
  const [card] = cards
  return truncate(text || header || card?.title || card?.text || media?.name || reaction || '', 200)
}
