import { buffer } from 'node:stream/consumers'
import type { RcsCard, RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import { notFound } from '../../../lib/problem.ts'
import type { FileAnswer } from '../../../http/handlers.ts'
import { getFile, openStored, type FileRecord, type FileStore } from '../../../modules/files/index.ts'
import type { ManagedFile } from '../../management.ts'
import { mediaUrlOf } from '../media-url.ts'

/** The organisation's files in a template. */
export function fileIdsOf(content: RcsTemplateContent): string[] {
  return cardsOf(content).flatMap(({ fileId }) => fileId ?? [])
}

/** A card with a file has its URL, whatever was sent. */
export function withMediaUrls(content: RcsTemplateContent, publicUrl: string): RcsTemplateContent {
  const withUrl = <Card extends RcsCard>(card: Card): Card =>
    card.fileId === undefined ? card : { ...card, mediaUrl: mediaUrlOf(publicUrl, card.fileId) }
  return {
    ...content,
    ...(content.standAlone ? { standAlone: withUrl(content.standAlone) } : {}),
    carouselList: content.carouselList.map(withUrl),
  }
}

/** Our files in a template by their URLs, for operators that store media with the template. */
export async function loadMedia(
  db: Db,
  { content, scope }: { content: RcsTemplateContent; scope: Scope },
): Promise<Map<string, FileRecord>> {
  const found = new Map<string, FileRecord>()
  for (const { fileId: id, mediaUrl } of cardsOf(content))
    if (id !== undefined) found.set(mediaUrl, await getFile(db, { organizationId: scope.organizationId, id }))
  return found
}

export async function readMediaFiles(
  store: FileStore,
  files: ReadonlyMap<string, FileRecord>,
): Promise<Map<string, ManagedFile>> {
  const read = new Map<string, ManagedFile>()
  for (const [url, { name, mime_type: mimeType, storage_key }] of files)
    read.set(url, { name, mimeType, bytes: await buffer(store.open(storage_key)) })
  return read
}

/** Only media of this channel are public. */
export async function openMedia(db: Db, store: FileStore, id: string): Promise<FileAnswer> {
  const file = await db
    .selectFrom('files')
    .select(['name', 'mime_type', 'storage_key'])
    .where('id', '=', id)
    .where('purpose', '=', 'media')
    .where('channel', '=', 'rcs')
    .executeTakeFirst()
  if (!file) throw notFound('File')
  const { name: fileName, mime_type: contentType, storage_key: key } = file
  return { fileName, contentType, body: await openStored(store, key), isLasting: true }
}

function cardsOf({ standAlone, carouselList }: RcsTemplateContent): RcsCard[] {
  return [...(standAlone ? [standAlone] : []), ...carouselList]
}
