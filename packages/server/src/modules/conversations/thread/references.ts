import { truncate } from '@carillon/contract/text'
import type { MessageBody, ThreadItemOf } from '@carillon/contract/conversation-records'
import { sql } from 'kysely'
import { getChannel } from '../../../channels/index.ts'
import { onDays } from '../../../db/partition-days.ts'
import type { Db } from '../../../db/pool.ts'
import { appendLinks } from '../../links/index.ts'
import { campaignMessages, campaignMessagesByProvider, type CampaignMessage } from '../../messages/index.ts'
import { pairsOf, readInboundByProvider, readOutboundByProvider, type Asked } from './rows-by-id.ts'
import {
  dayOf,
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

/** Rows of one conversation. */
export type Part = { key: ThreadKey; rows: ThreadRows }

/** Everything that rows refer to and that refers to them, by conversation. */
export async function readReferences(db: Db, parts: readonly Part[]): Promise<ReadonlyMap<string, References>> {
  const own = parts.map(({ key, rows }) => ({ key, rows, targets: targetsIn(key, rows) }))
  const missing = own.map(({ key, rows, targets }) => ({ key, ids: referredBy(rows).filter((id) => !targets.has(id)) }))
  const others = await readByProvider(db, missing)
  const known = own.map(({ key, rows, targets }, index) => ({
    key: afterRows(key, [rows, others.get(key.id) ?? noRows]),
    ids: [...targets.keys(), ...(missing[index]?.ids ?? [])],
  }))
  const [annotations, names, files] = await Promise.all([
    readAnnotations(db, known),
    readNames(db, parts),
    readFiles(db, parts),
  ])
  return new Map(
    own.map(({ key, targets }) => [
      key.id,
      {
        targets: new Map([...targetsIn(key, others.get(key.id) ?? noRows), ...targets]),
        annotations: annotations.get(key.id) ?? new Map<string, Annotations>(),
        names,
        files,
      },
    ]),
  )
}

/** Without the days before all of these rows: what refers to a message comes after it. */
function afterRows(key: ThreadKey, rows: readonly ThreadRows[]): ThreadKey {
  const places = rows.flatMap(({ inbound, outbound, campaign }) => [...inbound, ...outbound, ...campaign])
  const first = dayOf({ micros: Math.min(...places.map(({ micros }) => micros)) }, -1)
  return { ...key, days: key.days.filter((day) => day >= first) }
}

function referredBy({ inbound, outbound }: Pick<ThreadRows, 'inbound' | 'outbound'>): string[] {
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

export function readCampaignBody({ channel, content, variables, columns, seq }: CampaignMessage): MessageBody {
  return getChannel(channel).readLegBody(content, { cells: appendLinks(content, variables, seq), columns })
}

/** The messages of conversations with these ids of the provider, by conversation. */
async function readByProvider(db: Db, asked: readonly Asked[]): Promise<ReadonlyMap<string, ThreadRows>> {
  if (asked.every(({ ids }) => ids.length === 0)) return new Map()
  const [inbound, outbound, campaign] = await Promise.all([
    readInboundByProvider(db, asked),
    readOutboundByProvider(db, asked),
    readCampaignByProvider(db, asked),
  ])
  return new Map(
    asked.map(({ key: { id } }) => [
      id,
      {
        ...noRows,
        inbound: inbound.get(id) ?? [],
        outbound: outbound.get(id) ?? [],
        campaign: campaign.get(id) ?? [],
      },
    ]),
  )
}

/** Messages of campaigns with these ids, to the person of each conversation. */
async function readCampaignByProvider(
  db: Db,
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, CampaignMessage[]>> {
  const messages = await campaignMessagesByProvider(
    db,
    asked.flatMap(({ key: { organizationId, senderId }, ids }) =>
      ids.map((providerId) => ({ organizationId, senderId, providerId })),
    ),
  )
  const ofLine = Map.groupBy(messages, ({ organization_id, sender_id }) => `${organization_id} ${sender_id}`)
  return new Map(
    asked.map(({ key: { id, organizationId, senderId, phone }, ids }) => [
      id,
      // A person without a visible number is known by the provider only, which says what they refer to.
      (ofLine.get(`${organizationId} ${senderId}`) ?? []).filter(
        (message) => ids.includes(message.provider_message_id ?? '') && (phone === null || message.phone === phone),
      ),
    ]),
  )
}

/** Messages of these campaigns to the person. */
export async function readCampaign(
  db: Db,
  { organizationId, senderId, phone }: Pick<ThreadKey, 'organizationId' | 'senderId' | 'phone'>,
  campaignIds: readonly string[],
): Promise<CampaignMessage[]> {
  if (phone === null || campaignIds.length === 0) return []
  const since = sql<Date>`'-infinity'::timestamptz`
  return campaignMessages(db, { organizationId, senderId, phone, since, campaignIds, limit: campaignIds.length })
}

/** The rows of the messages that these rows change: by an annotation, or the tap on a button. By conversation. */
export async function readAnnotated(db: Db, parts: readonly Part[]): Promise<ReadonlyMap<string, ThreadRows>> {
  return readByProvider(
    db,
    parts.map(({ key, rows: { inbound, outbound } }) => {
      const { readBody } = getChannel(key.channel)
      const changes = (row: InboundRow) =>
        isAnnotation(row) || (row.in_reply_to !== null && readBody(row).type === 'button_reply')
      return { key, ids: referredBy({ inbound: inbound.filter(changes), outbound: outbound.filter(isAnnotation) }) }
    }),
  )
}

type AnnotationRow = {
  conversation_id: string
  by: 'person' | 'member'
  in_reply_to: string
  text: string
  content: InboundRow['content']
  at: Date
}

/** A conversation whose messages thousands refer to shows the newest of them. */
const mostAnnotations = 500

async function readAnnotations(
  db: Db,
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Annotations>>> {
  const chats = asked.filter(({ ids }) => ids.length > 0)
  if (chats.length === 0) return new Map()
  const days = [...new Set(chats.flatMap(({ key }) => key.days))]
  const { rows } = await sql<AnnotationRow>`
    select annotation.* from (
      select organization_id, conversation_id, array_agg(target) as targets from ${pairsOf(chats, 'target')} group by 1, 2
    ) asked
    cross join lateral (
      select * from (
        select conversation_id, 'person' as by, in_reply_to, text, content, received_at as at from inbound_messages
        where organization_id = asked.organization_id and conversation_id = asked.conversation_id and in_reply_to = any(asked.targets)
          and content ->> 'type' <> 'text'
        union all
        select conversation_id, 'member', in_reply_to, text, content, created_at from single_sends
        where organization_id = asked.organization_id and conversation_id = asked.conversation_id and in_reply_to = any(asked.targets)
          and content ->> 'type' = 'reaction' and ${onDays('created_on', days)}
      ) one
      order by at desc
      limit ${mostAnnotations}
    ) annotation
    order by at desc`.execute(db)
  const byChat = Map.groupBy(rows, ({ conversation_id: id }) => id)
  return new Map(
    chats.map(({ key: { id, channel } }) => {
      const byTarget = Map.groupBy(byChat.get(id) ?? [], ({ in_reply_to: target }) => target)
      const { readBody } = getChannel(channel)
      return [id, new Map([...byTarget].map(([target, found]) => [target, summarize(found, readBody)]))]
    }),
  )
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

async function readNames(db: Db, parts: readonly Part[]): Promise<ReadonlyMap<string, string>> {
  const people = parts.flatMap(({ key: { organizationId }, rows: { outbound, events } }) =>
    [
      ...outbound.flatMap((row) => [row.author_id, row.impersonated_by]),
      ...events.flatMap((row) => [row.actor_id, row.impersonated_by, ...mentionsOf(row)]),
    ].flatMap((id) => (id === null ? [] : [{ organizationId, id }])),
  )
  return readNamesOf(db, people)
}

/** The names of members, and of accounts above the organization, by id. */
export async function readMemberNames(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return readNamesOf(
    db,
    ids.map((id) => ({ organizationId, id })),
  )
}

async function readNamesOf(
  db: Db,
  people: readonly { organizationId: string; id: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (people.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select member.id, member.name
    from (
      select organization_id, array_agg(distinct id) as ids
      from unnest(${people.map(({ organizationId }) => organizationId)}::uuid[], ${people.map(({ id }) => id)}::uuid[]) as person (organization_id, id)
      group by 1
    ) asked
    cross join lateral member_names(asked.organization_id, asked.ids) member`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Ids of the members that a note mentions. */
export function mentionsOf({ details }: Pick<EventRow, 'details'>): string[] {
  const { mentions } = details
  return Array.isArray(mentions) ? mentions.filter((id) => typeof id === 'string') : []
}

async function readFiles(db: Db, parts: readonly Part[]): Promise<ReadonlyMap<string, MessageFile>> {
  const asked = parts.flatMap(({ key: { organizationId, channel }, rows: { inbound, outbound, campaign } }) => {
    const { readBody } = getChannel(channel)
    const sent = [...outbound.map(readBody), ...campaign.map(readCampaignBody)]
    const ids = [
      ...inbound.flatMap(({ file_id: id }) => id ?? []),
      ...sent.flatMap(({ media }) => (media?.fileId === undefined ? [] : [media.fileId])),
    ]
    return ids.filter((id) => /^[\da-f-]{36}$/i.test(id)).map((id) => ({ organizationId, id }))
  })
  if (asked.length === 0) return new Map()
  const { rows } = await sql<MessageFile>`
    select file.id, name, mime_type as "mimeType", size_bytes as "sizeBytes"
    from (
      select distinct * from unnest(${asked.map(({ organizationId }) => organizationId)}::uuid[], ${asked.map(({ id }) => id)}::uuid[])
    ) as asked (organization_id, id)
    join files file on file.organization_id = asked.organization_id and file.id = asked.id`.execute(db)
  return new Map(rows.map((file) => [file.id, file]))
}

/** A short text of a message, for those that refer to it. */
export function excerptOf({ text, header, cards = [], media, reaction }: MessageBody): string {
  const [card] = cards
  return truncate(text || header || card?.title || card?.text || media?.name || reaction || '', 200)
}
