import { truncate } from '@carillon/contract/text'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { MediaStorage } from '../../../channels/management.ts'
import { sql, type Insertable } from 'kysely'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import type { Files } from '../../../db/schema.ts'
import {
  defineJob,
  defineProviderJob,
  handleJob,
  noPayload,
  type CronJob,
  type JobHandler,
  type JobHelpers,
} from '../../../jobs/jobs.ts'
import { recordEvents } from '../../../events/record-events.ts'
import type { Logger } from '../../../lib/logger.ts'
import { recordFile, type FileStore } from '../../files/index.ts'
import { run, type Queryable, type Statement } from '../statements.ts'
import { singleLine } from '../../../lib/text.ts'
import { z } from 'zod'

const InboundKey = z.object({ organizationId: z.string(), id: z.string() })
type InboundKey = z.infer<typeof InboundKey>

const fetchInboundMedia = defineProviderJob('messages.fetch-media', InboundKey, 'media')
const sweepInboundMedia = defineJob('messages.sweep-media', noPayload)

export type MediaDeps = {
  database: Database
  store: FileStore
  logger: Logger
  /** False while the disk is nearly full. */
  hasRoom(): Promise<boolean>
  /** The opened account of a line; undefined once it was disconnected. */
  openLine(line: {
    organizationId: string
    senderId: string
    signal: AbortSignal
  }): Promise<{ media: Pick<MediaStorage, 'download'>; lineId: string } | undefined>
}

/** Days for which a provider stores inbound media; later attempts are pointless. */
const keptDays = 7

/** The provider's id of a message's media, if any: nested under its type, or next to it. */
export function mediaIdOf(content: { type: string; [field: string]: unknown } | undefined): string | undefined {
  if (!content || !['image', 'video', 'audio', 'document', 'sticker', 'voice'].includes(content.type)) return undefined
  const media: unknown = Object(content[content.type]).id ?? content['id'] ?? content['mediaId']
  return typeof media === 'string' && media !== '' ? media : undefined
}

const add: Statement = {
  name: 'enqueue-media',
  text: `select enqueue_job('${fetchInboundMedia.name}', $1::json, $2, null, $3)`,
}

/** In the transaction that stores the message, so that both are committed or neither is. */
export async function enqueueMedia(db: Queryable, key: InboundKey): Promise<void> {
  await run(db, add, [JSON.stringify(key), `inbound-media:${key.id}`, fetchInboundMedia.queueOf(key)])
}

export const inboundCron: readonly CronJob[] = [{ job: sweepInboundMedia, schedule: '37 3 * * *' }]

export function inboundJobs(deps: MediaDeps): JobHandler[] {
  return [
    handleJob(fetchInboundMedia, (key, { signal }) => fetchMedia(deps, key, { signal })),
    handleJob(sweepInboundMedia, () => giveUp(deps.database)),
  ]
}

/** Downloads inbound media and stores it with our files. Failed jobs are retried by the queue with increasing delays. */
async function fetchMedia(deps: MediaDeps, key: InboundKey, { signal }: JobHelpers): Promise<void> {
  const { database, store, logger } = deps
  const row = await asSystem(database, (db) =>
    db
      .selectFrom('inbound_messages')
      .select(['sender_id', 'channel', 'content', 'received_at'])
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .where('media_state', '=', 'waiting')
      .executeTakeFirst(),
  )
  // Written by storeInbound only, from a message's content.
  const content = row?.content as { type: string } | undefined
  const mediaId = mediaIdOf(content)
  if (!row || mediaId === undefined) return
  const fail = () => asSystem(database, (db) => settle(db, key, { media_state: 'failed' }))
  try {
    const line = await deps.openLine({ organizationId: key.organizationId, senderId: row.sender_id, signal })
    if (!line) return await fail()
    if (!(await deps.hasRoom())) throw new Error('Less than 10 % of the disk is free')
    const { bytes, mimeType } = await line.media.download(line.lineId, mediaId)
    const storageKey = await store.put(Readable.from([bytes]))
    const file = { storage_key: storageKey, channel: row.channel, name: nameOf(content, mimeType) }
    await storeMedia(deps, key, { ...file, bytes, mimeType })
  } catch (error) {
    const isTooLate = row.received_at.getTime() < Date.now() - keptDays * 86_400_000
    const isRefused = Object(error).kind === 'input'
    if (!isTooLate && !isRefused) throw error
    logger.warn({ inbound: key.id, err: error }, 'inbound media could not be downloaded')
    await fail()
  }
}

/** The file name on the person's phone; never used as a path. */
function nameOf(content: { type: string; [field: string]: unknown } | undefined, mimeType: string): string {
  const named: unknown = content && (Object(content[content.type]).filename ?? content['filename'])
  const ending = mimeType.split(';')[0]?.split('/')[1] ?? 'bin'
  return typeof named === 'string' && named !== ''
    ? truncate(singleLine(named), 200)
    : `${content?.type ?? 'file'}.${ending}`
}

type DownloadedMedia = Pick<Insertable<Files>, 'name' | 'channel' | 'storage_key'> & { bytes: Buffer; mimeType: string }

async function storeMedia(
  { database, store }: MediaDeps,
  key: InboundKey,
  { bytes, mimeType, ...file }: DownloadedMedia,
): Promise<void> {
  await asSystem(database, async (db) => {
    const { id } = await recordFile(db, store, {
      ...file,
      organization_id: key.organizationId,
      purpose: 'inbound',
      mime_type: truncate(singleLine(mimeType), 200),
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      // No member uploaded it, so it belongs to the organisation's founder.
      created_by: key.organizationId,
    })
    await settle(db, key, { media_state: 'stored', file_id: id })
  })
}

type Settled = { media_state: 'failed' } | { media_state: 'stored'; file_id: string }

async function settle(db: Db, { organizationId, id }: InboundKey, settled: Settled): Promise<void> {
  const rows = await db
    .updateTable('inbound_messages')
    .set({ ...settled, xid: sql<string>`pg_current_xact_id()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(['organization_id', 'id', 'conversation_id'])
    .execute()
  await announceChanges(db, rows)
}

type Changed = { organization_id: string; id: string; conversation_id: string | null }

/** Messages show whether their media can be opened. */
async function announceChanges(db: Db, rows: readonly Changed[]): Promise<void> {
  const byConversation = Map.groupBy(rows, ({ conversation_id: chatId }) => chatId)
  const events = [...byConversation].flatMap(([chatId, [first, ...others]]) => {
    if (chatId === null || !first) return []
    const subjectIds = [first, ...others].map(({ id }) => id)
    return [{ type: 'thread.changed' as const, organizationId: first.organization_id, subjectIds, payload: { chatId } }]
  })
  await recordEvents(db, events)
}

/** Includes jobs that the queue has given up. */
async function giveUp(database: Database): Promise<void> {
  await asSystem(database, async (db) => {
    const rows = await db
      .updateTable('inbound_messages')
      .set({ media_state: 'failed', xid: sql<string>`pg_current_xact_id()` })
      .where('media_state', '=', 'waiting')
      .where('received_at', '<', sql<Date>`now() - ${sql.lit(keptDays)} * interval '1 day'`)
      .returning(['organization_id', 'id', 'conversation_id'])
      .execute()
    await announceChanges(db, rows)
  })
}
